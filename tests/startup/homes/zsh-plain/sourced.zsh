# Sourced by .zshrc.
inner() {
  #= planted 50
  sleep 0.05
}
: before
#= planted 50
sleep 0.05
inner
: after

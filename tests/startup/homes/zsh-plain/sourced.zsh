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
defines_others() {
  local here
  defined_inside() {
    : before
    #= planted 50
    sleep 0.05
  }
  () {
    : before
    #= planted 100 2
    sleep 0.05
    () {
      #= planted 100 2
      sleep 0.05
    }
    #= planted 100 2
    sleep 0.05
  }
}

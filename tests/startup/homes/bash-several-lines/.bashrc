# Commands over several lines, whose substitutions bash counts on from the last of these.
#= planted 70 runs value=$(sleep 0.05; sleep 0.02)
value=$(sleep 0.05;
  sleep 0.02)
#= planted 70 runs value=$(sleep 0.05; sleep 0.02)
value=$(
  sleep 0.05
  sleep 0.02
)
#= planted 50
sleep 0.05
#= planted 50
sleep 0.05
#= planted 50
sleep 0.05
#= planted 70 runs value="a $(sleep 0.05) b c $(sleep 0.02)"
value="a $(sleep 0.05) b
c $(sleep 0.02)"
#= planted 50 runs printf '%s\n' "$(sleep 0.05)" >/dev/null
printf '%s\n' \
  one \
  "$(sleep 0.05)" >/dev/null
#= planted 50 runs values=("$(sleep 0.05)")
values=(
  one
  "$(sleep 0.05)"
)
told() {
  #= planted 70 runs value=$(sleep 0.05; sleep 0.02)
  local value=$(sleep 0.05
    sleep 0.02)
  #= planted 50 runs value=$(echo "$(sleep 0.05)")
  value=$(
    echo "$(
      sleep 0.05
    )"
  )
}
told
: <<END
$(:)
END
#= planted 50 runs mapfile -t values < <(sleep 0.05; echo one)
mapfile -t values < <(sleep 0.05
  echo one
)
#= planted 70 runs source <(echo 'sleep 0.05'; echo 'of_pipe() { sleep 0.02; }; of_pipe')
source <(echo 'sleep 0.05'; echo 'of_pipe() { sleep 0.02; }; of_pipe')
PROMPT_COMMAND=(
  'value=$(sleep 0)'
  told_later
)
told_later() {
  #= planted 70 runs value=$(sleep 0.05; sleep 0.02)
  value=$(
    sleep 0.05
    sleep 0.02
  )
}

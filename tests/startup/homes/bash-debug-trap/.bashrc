# Has a DEBUG trap of its own, as history tools do.
#= planted 50
sleep 0.05
trap 'seen=1' DEBUG
#= planted 50
sleep 0.05
trap - DEBUG
#= planted 50
sleep 0.05
first_hook() {
  #= planted 50
  sleep 0.05
}
second_hook() {
  #= planted 50
  sleep 0.05
}
PROMPT_COMMAND=(first_hook second_hook)

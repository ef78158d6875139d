# What a prompt does is read by bash behind its start-up files, where it counts lines in other ways.
:
of_prompt() {
  #= planted 60 2 runs : $(sleep 0.03; echo 1)
  for each in $(sleep 0.03; echo 1); do :; done
  #= planted 100 2 runs : $(sleep 0.05; echo a)
  case $(sleep 0.05; echo a) in
    #= planted 80 2
    a) sleep 0.04 ;;
  esac
}
shown() {
  local told
  #= planted 50 runs told=$(sleep 0.05)
  told=$(sleep 0.05)
  printf '%s' "$told"
}
prompt() {
  :
  #= planted 60 runs : $(sleep 0.06; echo a)
  case $(sleep 0.06; echo a) in
    b) : ;;
    #= planted 50
    a) sleep 0.05 ;;
  esac
  #= planted 50 runs : $(sleep 0.05; echo 1)
  (( $(sleep 0.05; echo 1) + 1 ))
  for (( i = 0; i < 2; i++ )); do
    #= planted 60 2
    sleep 0.03
  done
  #= planted 50 runs : $(sleep 0.05; echo 1)
  if [ "$(sleep 0.05; echo 1)" = 1 ]; then
    :
  fi
  #= planted 90 runs : $(sleep 0.05) $(sleep 0.04)
  local one=$(sleep 0.05) two="${none:-$(
    sleep 0.04)}"
  #= planted 70 runs : $(sleep 0.07; echo 1)
  [[ -n $(sleep 0.07; echo 1) ]] && three=3
  of_prompt
  four=$(of_prompt)
}
PROMPT_COMMAND=(prompt)
PS1='\u$(shown)\$ '

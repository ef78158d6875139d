# Substitutions and subshells within each other, as nvm, prompts and completions have them.
of_substitution() {
  local previous
  #= planted 100 2 runs previous=$(sleep 0.05)
  previous=$(sleep 0.05)
  echo "$previous"
}
of_inner() {
  local inner
  inner=$(of_substitution)
  [ -n "$inner" ] || return 0
}
x=$(of_substitution)
y=$(of_inner; :)
( z=1
  #= planted 60 runs z=$(sleep 0.06)
  z=$(sleep 0.06)
  : )

walks_up() {
  local folder
  folder=$1
  while [ "$folder" != / ]; do
    #= planted 100 2 runs folder=$(sleep 0.05; dirname /)
    folder=$(sleep 0.05; dirname "$folder")
  done
}
found=$(walks_up /usr/bin)

reads() {
  local line count=0
  while read -r line; do
    #= planted 60 3
    count=$(( count + 1 )); sleep 0.02
  done < <(lists)
}
lists() {
  echo a
  echo b
  echo c
}
reads

asks() {
  local a b
  a=1
  if b=$(answers "$a") && [ "$b" = yes ]; then
    #= planted 50
    sleep 0.05
  fi
}
answers() {
  local told
  case $1 in
    #= planted 70 runs told=$(sleep 0.07; echo yes)
    1) told=$(sleep 0.07; echo yes) ;;
    *) told=no ;;
  esac
  printf '%s' "$told"
}
asks

counted=$(
  one=1
  two=2
  echo "$one$two"
)
#= planted 50
sleep 0.05

in_pipe() {
  local all
  #= planted 50 runs all=$(sleep 0.05; echo 1)
  all=$(sleep 0.05; echo 1)
  echo "$all"
}
in_pipe | cat >/dev/null

prompt() {
  local branch
  #= planted 60 runs branch=$(sleep 0.06)
  branch=$(sleep 0.06)
  if [ -z "$branch" ]; then
    #= planted 50 runs branch=$(sleep 0.05)
    branch=$(
      sleep 0.05
    )
  fi
  inner=$(of_prompt)
  PS1="$branch\$ "
}
of_prompt() {
  local z
  #= planted 70 runs z=$(sleep 0.07)
  z=$(sleep 0.07)
  :
}
PROMPT_COMMAND=prompt

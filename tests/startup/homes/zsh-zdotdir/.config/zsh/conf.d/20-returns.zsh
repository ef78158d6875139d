[[ -n $early ]] || return
if true; then
  () {
    local -a found
    #= planted 50 runs value=(${(f)"$(slowtool word)"})
    found=(${(f)"$(slowtool word)"})
  } some arguments
fi

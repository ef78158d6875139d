# Does what breaks a trace by xtrace.
PS4='+ ${BASH_SOURCE}:${LINENO}: '
#= planted 50
sleep 0.05
set -x
#= planted 50
sleep 0.05
set +x
#= planted 50
sleep 0.05
exec 2>/dev/null
#= planted 50
sleep 0.05
noisy() {
  local PS4='own'
  #= planted 50
  sleep 0.05
} 2>/dev/null
noisy >/dev/null
echo 'printed by the rc file'
exec {own}>/dev/null
#= planted 50
sleep 0.05 >&$own
exec {own}>&-
#= planted 50
sleep 0.05
exec {BASH_XTRACEFD}>/dev/null
set -x
#= planted 50
sleep 0.05
{ set +x; } 2>/dev/null
unset BASH_XTRACEFD
#= planted 50
sleep 0.05

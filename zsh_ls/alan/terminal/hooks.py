"""The code that an interactive shell evaluates so that memory learns from it.

It runs at every prompt, so it does not fork, prints nothing and fails silently, even
when the package was removed. Each command is a record of six fields, each terminated
by NUL: session, begin and end (Unix seconds), exit status, pipestatus, text.
"""

from __future__ import annotations

import shlex
from pathlib import Path

SPOOL_FOLDER = "terminal"
MOST_BYTES = 4 << 20
"""How much a shell writes at most while no sidecar imports it."""

_ZSH = r"""
if [[ -o interactive ]] && zmodload zsh/datetime 2>/dev/null; then
  typeset -g _zsh_ls_text= _zsh_ls_began= _zsh_ls_file=@FOLDER@/$$.log _zsh_ls_session=@SESSION@
  typeset -gi _zsh_ls_bytes=0
  _zsh_ls_preexec() { _zsh_ls_text=$1 _zsh_ls_began=$EPOCHREALTIME }
  _zsh_ls_precmd() {
    local -a codes=("$?" "${pipestatus[@]}")
    emulate -L zsh
    local text=$_zsh_ls_text began=$_zsh_ls_began
    _zsh_ls_text=
    [[ -n $text && -z $ZSH_LS_OFF && $text != [[:space:]]* ]] || return 0
    [[ -z $ZSH_LS_IGNORE || $text != ${~ZSH_LS_IGNORE} ]] || return 0
    (( (_zsh_ls_bytes += $#text + 100) < @MOST@ )) || return 0
    { print -rN -- "$_zsh_ls_session" "$began" "$EPOCHREALTIME" "${codes[1]}" \
        "${codes[2,-1]}" "$text" >>| "$_zsh_ls_file" } 2>/dev/null
    return 0
  }
  # First, because the status of the segments is lost with the first command that runs.
  typeset -ga preexec_functions precmd_functions
  preexec_functions=(_zsh_ls_preexec ${preexec_functions:#_zsh_ls_preexec})
  precmd_functions=(_zsh_ls_precmd ${precmd_functions:#_zsh_ls_precmd})
fi
"""

_BASH = r"""
if [[ $- == *i* && -n ${EPOCHREALTIME-} ]]; then
  _zsh_ls_file=@FOLDER@/$$.log _zsh_ls_session=@SESSION@ _zsh_ls_nothing= _zsh_ls_began=0
  _zsh_ls_bytes=0 _zsh_ls_number=
  _zsh_ls_precmd() {
    local codes=("$?" "${PIPESTATUS[@]}") began=$_zsh_ls_began ended=${EPOCHREALTIME/,/.}
    local HISTTIMEFORMAT= number text line
    _zsh_ls_began=0
    # Written over, not truncated: ext4 flushes a file that is truncated and closed, for 4 ms.
    { { history 1; printf '\0'; } 1<> "$_zsh_ls_file.last" &&
        IFS= read -r -d '' line < "$_zsh_ls_file.last"; } 2>/dev/null
    if [[ $line =~ ^\ *([0-9]+)[*\ ]\ (.*)$ ]]; then
      number=${BASH_REMATCH[1]} text=${BASH_REMATCH[2]%$'\n'}
      # Nothing of a line that begins with a space stays in that file.
      [[ $text != ' '* ]] ||
        { printf '%*s' "$(( ${#line} * 4 ))" '' 1<> "$_zsh_ls_file.last"; } 2>/dev/null
      # A line that history did not take (a leading space, a repetition) is not known here.
      if [[ $began != 0 && $number != "$_zsh_ls_number" && -z ${ZSH_LS_OFF-} &&
            $text != [[:space:]]* && ( -z ${ZSH_LS_IGNORE-} || $text != $ZSH_LS_IGNORE ) ]] &&
         (( (_zsh_ls_bytes += ${#text} + 100) < @MOST@ )); then
        { printf '%s\0' "$_zsh_ls_session" "${began:0:-6}.${began: -6}" "$ended" "${codes[0]}" \
            "${codes[*]:1}" "$text" >> "$_zsh_ls_file"; } 2>/dev/null
      fi
      _zsh_ls_number=$number
    fi
    return "${codes[0]}"
  }
  PS0='${_zsh_ls_nothing:$((_zsh_ls_began=${EPOCHREALTIME/[.,]/},0)):0}'"${PS0-}"
  # First, because the status of the segments is lost with the first command that runs.
  if [[ ${PROMPT_COMMAND[*]-} != *_zsh_ls_precmd* ]]; then
    PROMPT_COMMAND=(_zsh_ls_precmd ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
  fi
fi
"""
_HOOKS = {"zsh": _ZSH, "bash": _BASH}


def spool_beside(database: Path) -> Path:
    """The folder beside the database that the shells' hooks write to."""
    return database.parent / SPOOL_FOLDER


def hook_for(shell: str, *, spool: Path, session: str) -> str:
    """The hook code for `zsh` or `bash`, for a terminal whose session has that name."""
    code = _HOOKS[shell].replace("@FOLDER@", shlex.quote(str(spool)))
    return code.replace("@SESSION@", shlex.quote(session)).replace("@MOST@", str(MOST_BYTES))

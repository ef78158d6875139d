"""Runs in the user's terminals: hooks in the shells write them to files, the sidecar imports these.

A hook is the code that an interactive shell evaluates so that memory learns from it.
It runs at every prompt, so it does not fork, prints nothing and fails silently, even
when the package was removed. Each command is a record of six fields, each terminated
by NUL: session, begin and end (Unix seconds), exit status, pipestatus, text. The session
is followed by a new line and the folder in which the command began; shells that evaluated
the hook of an earlier version write none.

Incomplete records are left out. Only regular files of the folder are read, each up
to the size that a shell writes at most.
"""

from __future__ import annotations

import logging
import os
import shlex
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.words import Origin
from zsh_ls.shell.status.usage import is_usage_failure
from zsh_ls.shell.template.identity import identify
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.private_folders import is_safe

SPOOL_FOLDER = "terminal"
MOST_BYTES = 4 << 20
"""How much a shell writes at most while no sidecar imports it."""
WRITTEN, TAKEN, LAST_LINE = ".log", ".taken", ".last"
DAY_S = 86_400.0
# A shell counts characters, which take up to four bytes.
READ_BYTES = 4 * MOST_BYTES
_log = logging.getLogger(__name__)

_ZSH = r"""
if [[ -o interactive ]] && zmodload zsh/datetime 2>/dev/null; then
  typeset -g _zsh_ls_text= _zsh_ls_began= _zsh_ls_folder=$PWD
  typeset -g _zsh_ls_file=@FOLDER@/$$.log _zsh_ls_session=@SESSION@
  typeset -gi _zsh_ls_bytes=0
  _zsh_ls_preexec() { _zsh_ls_text=$1 _zsh_ls_began=$EPOCHREALTIME _zsh_ls_folder=$PWD }
  _zsh_ls_precmd() {
    local -a codes=("$?" "${pipestatus[@]}")
    emulate -L zsh
    local text=$_zsh_ls_text began=$_zsh_ls_began
    _zsh_ls_text=
    [[ -n $text && -z $ZSH_LS_OFF && $text != [[:space:]]* ]] || return 0
    [[ -z $ZSH_LS_IGNORE || $text != ${~ZSH_LS_IGNORE} ]] || return 0
    (( (_zsh_ls_bytes += $#text + 100) < @MOST@ )) || return 0
    { print -rN -- "$_zsh_ls_session"$'\n'"$_zsh_ls_folder" "$began" "$EPOCHREALTIME" "${codes[1]}" \
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
  _zsh_ls_bytes=0 _zsh_ls_number= _zsh_ls_folder=$PWD
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
        { printf '%s\0' "$_zsh_ls_session"$'\n'"$_zsh_ls_folder" "${began:0:-6}.${began: -6}" \
            "$ended" "${codes[0]}" "${codes[*]:1}" "$text" >> "$_zsh_ls_file"; } 2>/dev/null
      fi
      _zsh_ls_number=$number
    fi
    # The next command begins where this prompt stands.
    _zsh_ls_folder=$PWD
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


class SpoolFile(NamedTuple):
    """A file of records, renamed so that its shell no longer writes to it; `name` identifies it."""

    path: Path
    name: str


def waiting_files(spool: Path) -> Iterator[SpoolFile]:
    """The files to import; none if other users can write to the folder.

    Each file is renamed first, so that its shell writes later records to a new one.
    """
    if not is_safe(spool, is_ours=True) or spool.is_symlink():
        return
    for written in sorted(spool.glob(f"*{WRITTEN}")):
        status = written.lstat()
        if stat.S_ISREG(status.st_mode):
            written.rename(written.with_name(f"{written.stem}-{status.st_ino}{TAKEN}"))
    for moved in sorted(spool.glob(f"*{TAKEN}")):
        status = moved.lstat()
        if stat.S_ISREG(status.st_mode):
            yield SpoolFile(moved, f"{moved.name}:{status.st_mtime_ns}")


class _Record(NamedTuple):
    session: str
    began: str
    ended: str
    status: str
    statuses: str
    text: str


def sweep(spool: Path) -> None:
    """Remove the last-line files that bash shells left more than a day ago."""
    for left in spool.glob(f"*{LAST_LINE}"):
        if left.lstat().st_mtime < time.time() - DAY_S:
            left.unlink(missing_ok=True)


def read_entries(path: Path) -> Iterator[CompletedRun]:
    """The runs of a file in their order; none if the file cannot be read."""
    try:
        text = read_bytes(path, READ_BYTES, follow_links=False).decode("utf-8", "replace")
    except NotRead as problem:
        _log.warning("what a shell wrote down is left out: %s", problem)
        return
    fields = text.split("\0")
    for at in range(0, len(fields) - len(_Record._fields), len(_Record._fields)):
        run = _run(_Record._make(fields[at : at + len(_Record._fields)]))
        if run is not None:
            yield run


def _run(record: _Record) -> CompletedRun | None:
    try:
        began_s, ended_s = float(record.began), float(record.ended)
        exit_status = int(record.status)
        pipestatus = tuple(map(int, record.statuses.split())) or (exit_status,)
    except ValueError:
        return None
    session, _, folder = record.session.partition("\n")
    name = identify(record.text) if exit_status else None
    return CompletedRun(
        command=record.text,
        shell="",
        exit=exit_status,
        pipestatus=pipestatus,
        outcome=outcome_of(exit_status),
        duration_s=max(0.0, ended_s - began_s),
        started_at=began_s,
        session=session,
        cwd=folder if os.path.isabs(folder) else "",
        origin=Origin.TERMINAL,
        # What it printed is not known: only what its exit alone says.
        is_usage_failure=name is not None
        and is_usage_failure(name.command, exit_status, "", name.template),
    )

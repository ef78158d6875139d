# Writes what a session carries to a file (SESS-1): once now, before the session's own state is read, and once
# at the shell's end. sessions/dump.py reads both; what differs is the state.
# Parts end with NUL, the last one with a word, by which a file that was cut short is known.
# A variable that hides its value (`typeset -H`) is listed without it: those follow once more, shown.
# The shell's own (`commands`, of which each name on PATH is looked up) are not carried.
_zls_save="
  { builtin set +o
    builtin emulate -LR zsh
    builtin printf '\\0'; builtin typeset -p
    for _zls_h in \${(f)\"\$(builtin typeset +H)\"}; do
      [[ \${(Pt)_zls_h} == *special* ]] && continue
      builtin typeset -g +H \$_zls_h
      builtin print -r -- \"\${\"\$(builtin typeset -p \$_zls_h)\"/ / -H }\"
      builtin typeset -gH \$_zls_h
    done
    builtin printf '\\0'; builtin typeset +f
    builtin printf '\\0'; builtin typeset -f
    builtin printf '\\0'; builtin alias -L; builtin alias -sL
    builtin printf '\\0'; builtin dirs -lp
    builtin printf '\\0'; builtin umask
    builtin printf '\\0%s\\0end' \"\${_zls_within-}\"
  }"
eval "_zls_state() { { $_zls_save >| ${(q)ZSH_LS_SAVE}before } 2>/dev/null }"
_zls_state
unfunction _zls_state
unset _zls_h
# What the command's own DEBUG trap prints would stand in the file.
_zls_save="{ { builtin trap - DEBUG } >/dev/null; $_zls_save >| ${(q)ZSH_LS_SAVE}after } 2>/dev/null"

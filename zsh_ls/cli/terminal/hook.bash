# What an interactive bash evaluates so that memory learns from it (`zsh-ls init bash`). It stays within the
# shell: nothing is started at a prompt. Its records are those of `zsh_ls/alan/terminal.py`.
if [[ $- == *i* && -n ${EPOCHREALTIME-} ]]; then
  _zsh_ls_file= _zsh_ls_session= _zsh_ls_nothing= _zsh_ls_began=0 _zsh_ls_bytes=0 _zsh_ls_number=
  _zsh_ls_folder=$PWD _zsh_ls_seen= _zsh_ls_tells='^Xy' _zsh_ls_put= _zsh_ls_reply=
  _zsh_ls_last= _zsh_ls_once= _zsh_ls_control=
  _zsh_ls_failed=() _zsh_ls_names=()
  unset -v _zsh_ls_row
  declare -A _zsh_ls_row=()

  # The name that memory gives this terminal, and a private file for what runs in it.
  _zsh_ls_begin() {
    local spool line leader fields
    if [[ -n $_zsh_ls_database${ALAN_DB_PATH-} ]]; then
      spool=${_zsh_ls_database:-$ALAN_DB_PATH}
      [[ $spool == /* ]] || spool=$PWD/$spool
      spool=${spool%/*}
    elif [[ $OSTYPE == darwin* ]]; then
      spool="$HOME/Library/Application Support/zsh-ls"
    else
      spool=${XDG_DATA_HOME:-$HOME/.local/share}/zsh-ls
    fi
    spool+=/terminal
    [[ -e $spool ]] || ( umask 077; command mkdir -p -- "$spool" ) 2>/dev/null
    # What others could write to holds nothing of this terminal.
    line=$(command ls -ld -- "$spool" 2>/dev/null)
    if [[ -O $spool && $line =~ ^d.{4}[^w].{2}[^w] ]]; then
      _zsh_ls_file=$spool/$$.log
      { : > "$spool/$$.hook"; } 2>/dev/null
    fi
    _zsh_ls_session=cli-$$
    if { IFS= read -r line < "/proc/$$/stat"; } 2>/dev/null; then
      read -ra fields <<< "${line##*\) }"
      leader=${fields[3]}
      (( leader )) || leader=1
      _zsh_ls_session=cli-$leader
      if { IFS= read -r line < "/proc/$leader/stat"; } 2>/dev/null; then
        read -ra fields <<< "${line##*\) }"
        _zsh_ls_session+=-${fields[19]}
      fi
    fi
  }

  _zsh_ls_precmd() {
    local codes=("$?" "${PIPESTATUS[@]}") began=$_zsh_ls_began ended=${EPOCHREALTIME/,/.}
    local HISTTIMEFORMAT='%s ' number text line record code
    _zsh_ls_began=0
    [[ -n $_zsh_ls_seen ]] || _zsh_ls_bind
    [[ -n $_zsh_ls_file ]] || return "${codes[0]}"
    # Written over, not truncated: ext4 flushes a file that is truncated and closed, for 4 ms.
    { { history 1; printf '\0'; } 1<> "$_zsh_ls_file.last" &&
        IFS= read -r -d '' line < "$_zsh_ls_file.last"; } 2>/dev/null
    if [[ $line =~ ^\ *([0-9]+)[*\ ]\ ([0-9]+\ |\?\?)(.*)$ ]]; then
      # By its time and text a line is known that stood in history before, and was taken anew (erasedups).
      number="${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${BASH_REMATCH[3]}" text=${BASH_REMATCH[3]%$'\n'}
      # Nothing of a line that begins with a space stays in that file.
      [[ $text != ' '* ]] ||
        { printf '%*s' "$(( ${#line} * 4 ))" '' 1<> "$_zsh_ls_file.last"; } 2>/dev/null
      # A line that history did not take (one with a leading space) is not known here.
      if [[ $began != 0 && $number != "$_zsh_ls_number" && -z ${ZSH_LS_OFF-} &&
            ( -z ${ZSH_LS_IGNORE-} || $text != $ZSH_LS_IGNORE ) ]]; then
        # It remembers what it ran itself, and the key asks memory.
        if [[ $text =~ (^|[ /])zsh-ls\ (run|trace)\  ]] && _zsh_ls_read_names "$text" &&
            [[ ${#_zsh_ls_names[@]} == 1 && ${_zsh_ls_names[0]##*/} == zsh-ls ]]; then
          _zsh_ls_failed=()
        else
          _zsh_ls_pass
          record=("$_zsh_ls_session"$'\n'"$_zsh_ls_folder" "${began:0:-6}.${began: -6}" "$ended" "${codes[0]}"
              "${codes[*]:1}" "$text")
          # No line says what a pipeline hid, but the key does.
          for code in "${codes[@]:1:${#codes[@]} - 2}"; do
            (( codes[0] > 1 || code == 0 || code == 141 )) || _zsh_ls_failed=("${record[@]}" '')
          done
          if (( codes[0] || ${#_zsh_ls_row[@]} )); then _zsh_ls_judge; fi
          if [[ $text != [[:space:]]* ]] && (( (_zsh_ls_bytes += ${#text} + 100) < 4194304 )); then
            { printf '%s\0' "${record[@]}" >> "$_zsh_ls_file"; } 2>/dev/null
          fi
        fi
      fi
      if [[ -n $_zsh_ls_once && $began != 0 && $text == "$_zsh_ls_last" && $number != "$_zsh_ls_number" ]]; then
        history -d "${number%% *}"
      else
        _zsh_ls_number=$number _zsh_ls_last=$text
      fi
    fi
    [[ ${HISTCONTROL-} == "$_zsh_ls_control" ]] || _zsh_ls_take_repetitions
    # The next command begins where this prompt stands.
    _zsh_ls_folder=$PWD
    # The terminal answers with the keys that put the line on the prompt that was chosen in the list of
    # `zsh-ls history`.
    if [[ -s ${_zsh_ls_file%.log}.line ]]; then
      { IFS= read -r -d '' _zsh_ls_put < "${_zsh_ls_file%.log}.line" || :
        : >| "${_zsh_ls_file%.log}.line"; } 2>/dev/null
    fi
    [[ -z $_zsh_ls_put ]] || printf '\e[5n' > /dev/tty
    return "${codes[0]}"
  }

  # Lets history take repetitions, which would look like lines with a leading space: they are learnt from,
  # and taken out again at the next prompt, as HISTCONTROL has it.
  _zsh_ls_take_repetitions() {
    local words=":${HISTCONTROL-}:"
    _zsh_ls_once= _zsh_ls_control=${HISTCONTROL-}
    [[ $words == *:ignoredups:* || $words == *:ignoreboth:* ]] || return 0
    words=${words//:ignoreboth:/:ignorespace:}
    words=${words//:ignoredups:/:}
    words=${words#:}
    HISTCONTROL=${words%:} _zsh_ls_once=1 _zsh_ls_control=${words%:}
  }

  # Notes for the key that `text` of the caller came behind what failed.
  _zsh_ls_pass() {
    [[ ${#_zsh_ls_failed[@]} == 0 || $text == [[:space:]]* ]] || _zsh_ls_failed[7]=$text
  }

  # The words of $1 that stand where a command's name does, as far as spaces outside of quotes tell.
  _zsh_ls_read_names() {
    local words word first=1 rest=$1 plain='' quoted=$'^([^\'"]*)(\'[^\']*\'|"[^"]*")(.*)$'
    _zsh_ls_names=()
    while [[ $rest =~ $quoted ]]; do
      rest=${BASH_REMATCH[3]} word=${BASH_REMATCH[2]:1:-1}
      plain+=${BASH_REMATCH[1]}${word//[;|&()[:space:]]/_}
    done
    read -rd '' -a words <<< "$plain$rest"
    for word in "${words[@]}"; do
      case $word in
        '|'|'|&'|'||'|'&&'|';'|'&'|'('|'{'|'!'|if|then|elif|else|do|while|until|time) first=1 ;;
        sudo|command|exec|builtin|env|nohup) ;;
        [[:alpha:]_]*=*|-*) ;;
        *) (( ! first )) || _zsh_ls_names+=("${word%%[;|&]*}")
          first=0
          [[ $word != *[';|&'] ]] || first=1 ;;
      esac
    done
  }

  # Tells what is news about the command that just ended, by `codes`, `text` and `record` of the caller.
  _zsh_ls_judge() {
    local name project=$_zsh_ls_folder key='' usage='' of_usage of_text
    local -i code=${codes[0]} gave=$(( ${#codes[@]} - 1 )) behind=0
    _zsh_ls_read_names "$text"
    (( ${#_zsh_ls_names[@]} )) || return 0
    # With pipefail a segment before the last may have given the exit.
    while (( gave > 0 && codes[gave] != code )); do gave=$(( gave - 1 )) behind=$(( behind + 1 )); done
    (( gave > 0 && behind < ${#_zsh_ls_names[@]} )) || behind=0
    name=${_zsh_ls_names[-1 - behind]##*/}
    until [[ -z $project || -e $project/.git || -e $project/.hg || -e $project/.jj ]]; do
      project=${project%/*}
    done
    [[ -n $project ]] || project=$_zsh_ls_folder
    # A second worktree's runs are its repository's.
    [[ ! -f $project/.git ]] || IFS= read -r key 2>/dev/null < "$project/.git"
    [[ $key != 'gitdir: '*/.git/worktrees/* ]] || { project=${key#gitdir: } project=${project%/.git/worktrees/*}; }
    of_usage="$project usage $name" of_text="$project text $text"
    if (( ! code )); then
      for key in "$of_usage" "$of_text"; do
        [[ -z ${_zsh_ls_row["$key"]-} ]] || _zsh_ls_row["$key"]=0
      done
      return 0
    fi
    case $name:$code in
      grep:1|egrep:1|fgrep:1|rg:1|zgrep:1|pgrep:1|diff:1|cmp:1|test:1|'[:1'|'[[:1') return 0 ;;
      *:64|curl:2|jq:2|wget:2|rsync:1|git:129) usage='usage ' key=$of_usage ;;
      # What somebody stopped, and what wrote to nobody.
      *:130|*:131|*:141|*:143|*:14[5-9]|*:150) return 0 ;;
      *) key=$of_text _zsh_ls_row["$of_usage"]=0 ;;
    esac
    _zsh_ls_failed=("${record[@]}" '')
    _zsh_ls_row["$key"]=$(( ${_zsh_ls_row["$key"]:-0} + 1 ))
    if [[ " ${codes[*]} " == *' 127 '* ]]; then
      for name in "${_zsh_ls_names[@]}"; do
        ! type -t -- "$name" > /dev/null || continue
        _zsh_ls_find_near "$name"
        _zsh_ls_failed[6]=$_zsh_ls_reply
        [[ -z $_zsh_ls_reply ]] || _zsh_ls_say "$name: not found; $_zsh_ls_reply?"
        break
      done
    elif (( ${_zsh_ls_row["$key"]} == 3 )); then
      _zsh_ls_say "$name: ${usage}failed 3 times in a row here; $_zsh_ls_tells tells why"
    fi
    return 0
  }

  # One dim line; nothing with ZSH_LS_QUIET.
  _zsh_ls_say() {
    local said=${1//[[:cntrl:]]/?}
    [[ -z ${ZSH_LS_QUIET-} ]] || return 0
    if [[ -n ${NO_COLOR-} || $TERM == dumb ]]; then
      printf '%s\n' "$said"
    else
      printf '\e[2m%s\e[0m\n' "$said"
    fi
  }

  # Sets _zsh_ls_reply to the command that is one slip of the fingers away from $1, or to nothing.
  _zsh_ls_find_near() {
    local name=$1 each at pattern='' swapped='' alike='' other='' all
    _zsh_ls_reply=
    [[ $name =~ ^[[:alnum:]_.+-]{2,39}$ ]] || return 0
    local plain=${name//./[.]}
    plain=${plain//+/[+]}
    for (( at = 0; at < ${#name}; at++ )); do
      local before=${name:0:at} after=${name:at + 1}
      swapped+="|${before}${after:0:1}${name:at:1}${after:1}"
      # A letter that is missing before this one, another letter, and a letter too many.
      (( ${#name} > 2 )) && pattern+="|$before.${name:at}"
      (( ${#name} > 3 )) && pattern+="|$before.$after|$before$after"
    done
    (( ${#name} > 2 )) && pattern+="|$name."
    pattern=${pattern//+/[+]} swapped=${swapped//+/[+]}
    local is_swapped="^(${swapped#|})$" is_near="^(${pattern#|})$"
    mapfile -t all < <(compgen -c -- "${name:0:1}"; compgen -c -- "${name:1:1}")
    for each in "${all[@]}"; do
      if [[ $each =~ $is_swapped ]]; then
        _zsh_ls_reply=$each
        return 0
      elif [[ -n $pattern && $each =~ $is_near ]]; then
        if [[ ${each:0:1} == "${name:0:1}" ]]; then
          [[ -n $alike && ! $each < $alike ]] || alike=$each
        else
          [[ -n $other && ! $each < $other ]] || other=$each
        fi
      fi
    done
    _zsh_ls_reply=${alike:-$other}
  }

  # At the first prompt, when the rc file has run: a key that is bound already stays what it is.
  _zsh_ls_bind() {
    local bound
    _zsh_ls_seen=1
    bound=$( { bind -p; bind -s; bind -X; } 2>/dev/null | command grep -F '"\C-xy"' )
    if [[ -n $bound && $bound != *_zsh_ls_why* ]]; then
      _zsh_ls_tells='zsh-ls why'
    else
      bind -x '"\C-xy": _zsh_ls_why' 2>/dev/null
    fi
    [[ -z ${_zsh_ls_ctrl_r-} ]] || bind -x '"\C-r": _zsh_ls_history' 2>/dev/null
    bind -x '"\e[0n": _zsh_ls_put' 2>/dev/null
  }

  # Tells why the last command failed, above the line that is being typed.
  _zsh_ls_why() {
    printf '%s\0' "${_zsh_ls_failed[@]}" | command "$_zsh_ls_program" why -
  }

  # Lets a line be chosen from what was run, beginning with the line that is being typed.
  _zsh_ls_history() {
    local line
    if line=$(ZSH_LS_QUERY=$READLINE_LINE command "$_zsh_ls_program" history --pick < /dev/tty); then
      READLINE_LINE=$line READLINE_POINT=${#line}
    fi
  }

  _zsh_ls_put() {
    [[ -n $_zsh_ls_put ]] || return 0
    READLINE_LINE=$_zsh_ls_put READLINE_POINT=${#_zsh_ls_put}
    _zsh_ls_put=
  }

  # No function: bash names a job that is stopped in one by the function's own line.
  type -P zsh-ls > /dev/null || alias zsh-ls="${_zsh_ls_program@Q}"

  _zsh_ls_begin
  PS0='${_zsh_ls_nothing:$((_zsh_ls_began=${EPOCHREALTIME/[.,]/},0)):0}'"${PS0-}"
  # First, because the status of the segments is lost with the first command that runs.
  if [[ ${PROMPT_COMMAND[*]-} != *_zsh_ls_precmd* ]]; then
    # Under `set -x` nothing of it is shown, and the failure that it passes on sets off no ERR trap.
    PROMPT_COMMAND=('{ _zsh_ls_precmd && :; } 2>/dev/null' ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
  fi
fi

# What an interactive zsh evaluates so that memory learns from it (`zsh-ls init zsh`). It stays within the
# shell: nothing is started at a prompt. Its records are those of `zsh_ls/alan/terminal.py`.
if [[ -o interactive ]] && zmodload zsh/datetime 2>/dev/null; then
  typeset -g _zsh_ls_text= _zsh_ls_began= _zsh_ls_folder=$PWD _zsh_ls_session= _zsh_ls_file= _zsh_ls_seen=
  typeset -g _zsh_ls_tells='^Xy'
  typeset -gi _zsh_ls_bytes=0
  typeset -gA _zsh_ls_row
  typeset -ga _zsh_ls_failed _zsh_ls_names

  # The name that memory gives this terminal, and a private file for what runs in it.
  _zsh_ls_begin() {
    emulate -L zsh
    local spool line
    local -a fields
    if [[ -n $_zsh_ls_database$ALAN_DB_PATH ]]; then
      spool=${${_zsh_ls_database:-$ALAN_DB_PATH}:a:h}
    elif [[ $OSTYPE == darwin* ]]; then
      spool="$HOME/Library/Application Support/zsh-ls"
    else
      spool=${XDG_DATA_HOME:-$HOME/.local/share}/zsh-ls
    fi
    spool+=/terminal
    [[ -e $spool ]] || ( umask 077; command mkdir -p -- $spool ) 2>/dev/null
    # What others could write to holds nothing of this terminal.
    local -a private=($spool(N/U^IW))
    (( $#private )) && _zsh_ls_file=$spool/$$.log && { : > $spool/$$.hook } 2>/dev/null
    _zsh_ls_session=cli-$$
    if { IFS= read -r line < /proc/$$/stat } 2>/dev/null; then
      fields=(${=line##*\) })
      local leader=$fields[4]
      (( leader )) || leader=1
      _zsh_ls_session=cli-$leader
      if { IFS= read -r line < /proc/$leader/stat } 2>/dev/null; then
        fields=(${=line##*\) })
        _zsh_ls_session+=-$fields[20]
      fi
    fi
  }

  # Under `set -x` nothing of these two is shown, and of a DEBUG trap little is run.
  _zsh_ls_preexec() { { _zsh_ls_text=$1 _zsh_ls_began=$EPOCHREALTIME _zsh_ls_folder=$PWD } 2>/dev/null }

  _zsh_ls_precmd() {
    { local -a codes=("$?" "${pipestatus[@]}"); emulate -L zsh; trap - DEBUG; unsetopt xtrace } 2>/dev/null
    local text=$_zsh_ls_text ended=$EPOCHREALTIME
    _zsh_ls_text=
    [[ -n $_zsh_ls_seen ]] || _zsh_ls_bind
    [[ -z $_zsh_ls_file || ! -s ${_zsh_ls_file%.log}.line ]] || _zsh_ls_put
    [[ -n $text && -z $ZSH_LS_OFF && ( -z $ZSH_LS_IGNORE || $text != ${~ZSH_LS_IGNORE} ) ]] || return 0
    setopt extended_glob
    # It remembers what it ran itself, and the key asks memory.
    if [[ $text == (|*[ /])zsh-ls\ (run|trace)\ * ]]; then
      _zsh_ls_read_names "$text"
      if [[ ${#_zsh_ls_names} == 1 && $_zsh_ls_names == (*/|)zsh-ls ]]; then
        _zsh_ls_failed=()
        return 0
      fi
    fi
    local -a record=("$_zsh_ls_session"$'\n'"$_zsh_ls_folder" "$_zsh_ls_began" "$ended" "${codes[1]}"
        "${codes[2,-1]}" "$text")
    _zsh_ls_pass
    # No line says what a pipeline hid, but the key does.
    local -a hidden=(${codes[2,-2]:#(0|141)})
    (( codes[1] > 1 || ! $#hidden )) || _zsh_ls_failed=("${record[@]}" '')
    (( ! codes[1] && ! ${#_zsh_ls_row} )) || _zsh_ls_judge
    [[ $text != [[:space:]]* && -n $_zsh_ls_file ]] || return 0
    (( (_zsh_ls_bytes += $#text + 100) < 4194304 )) || return 0
    { print -rN -- "${record[@]}" >>| "$_zsh_ls_file" } 2>/dev/null
    return 0
  }

  # Notes for the key that `text` of the caller came behind what failed.
  _zsh_ls_pass() {
    (( ! $#_zsh_ls_failed )) || [[ $text == [[:space:]]* ]] || _zsh_ls_failed[8]=$text
  }

  # The words of $1 that stand where a command's name does; of other users' tools only wrappers are known.
  _zsh_ls_read_names() {
    local word first=1
    _zsh_ls_names=()
    for word in ${(Z+n+)1}; do
      case $word in
        ('|'|'|&'|'||'|'&&'|';'|'&'|'('|'{'|'!'|if|then|elif|else|do|while|until|time) first=1 ;;
        (sudo|command|exec|builtin|env|nohup|noglob|nocorrect) ;;
        ([[:alpha:]_][[:alnum:]_]#=*|-*) ;;
        (*) (( ! first )) || _zsh_ls_names+=("${(Q)word}"); first=0 ;;
      esac
    done
  }

  # Tells what is news about the command that just ended, by `codes`, `text` and `record` of the caller.
  _zsh_ls_judge() {
    local name project=$_zsh_ls_folder usage key
    local -i code=$codes[1] gave=${codes[(I)$codes[1]]}
    _zsh_ls_read_names "$text"
    # With pipefail a segment before the last may have given the exit.
    (( gave > 1 && $#codes - gave < $#_zsh_ls_names )) || gave=$#codes
    name=${_zsh_ls_names[gave-$#codes-1]:t}
    while [[ -n $project && $project != / && -z $project/.(git|hg|jj)(#qN[1]) ]]; do project=${project:h}; done
    [[ -n $project && $project != / ]] || project=$_zsh_ls_folder
    # A second worktree's runs are its repository's.
    [[ ! -f $project/.git ]] || { IFS= read -r key < $project/.git } 2>/dev/null
    [[ $key != 'gitdir: '*/.git/worktrees/* ]] || project=${${key#gitdir: }%/.git/worktrees/*}
    local of_usage="$project usage $name" of_text="$project text $text"
    if (( ! code )); then
      for key in $of_usage $of_text; do
        (( ! ${+_zsh_ls_row[$key]} )) || _zsh_ls_row[$key]=0
      done
      return
    fi
    case $name:$code in
      ((grep|egrep|fgrep|rg|zgrep|pgrep|diff|cmp|test|\[|\[\[):1) return ;;
      (*:64|(curl|jq|wget):2|rsync:1|git:129) usage='usage ' key=$of_usage ;;
      # What somebody stopped, and what wrote to nobody.
      (*:(130|131|141|143|14[5-9]|150)) return ;;
      (*) key=$of_text _zsh_ls_row[$of_usage]=0 ;;
    esac
    _zsh_ls_failed=("${record[@]}" '')
    _zsh_ls_row[$key]=$(( ${_zsh_ls_row[$key]:-0} + 1 ))
    if (( ${codes[(I)127]} )); then
      for name in $_zsh_ls_names; do
        whence -- "$name" >/dev/null && continue
        _zsh_ls_find_near "$name"
        _zsh_ls_failed[7]=$REPLY
        [[ -z $REPLY ]] || _zsh_ls_say "$name: not found; $REPLY?"
        break
      done
    elif (( _zsh_ls_row[$key] == 3 )); then
      _zsh_ls_say "$name: ${usage}failed 3 times in a row here; $_zsh_ls_tells tells why"
    fi
  }

  # One dim line; nothing with ZSH_LS_QUIET.
  _zsh_ls_say() {
    [[ -z $ZSH_LS_QUIET ]] || return 0
    if [[ -n $NO_COLOR || $TERM == dumb ]]; then
      print -r -- "${(V)1}"
    else
      print -r -- $'\e[2m'"${(V)1}"$'\e[0m'
    fi
  }

  # Sets REPLY to the command that is one slip of the fingers away from the name $1, or to nothing.
  _zsh_ls_find_near() {
    REPLY=
    (( $#1 > 1 && $#1 < 40 )) && [[ $1 != */* ]] || return 0
    local -aU near=(${(M)${(k)commands}:#(#a1)${(b)1}} ${(M)${(k)aliases}:#(#a1)${(b)1}}
        ${(M)${(k)builtins}:#(#a1)${(b)1}} ${(M)${(k)functions}:#(#a1)[^_.+]*~^(#a1)${(b)1}})
    local each letters=${(j::)${(o)${(s::)1}}}
    local -a swapped alike other
    for each in ${(o)near}; do
      if [[ ${(j::)${(o)${(s::)each}}} == $letters ]]; then swapped+=($each)
      # In a short name all but the order of letters, and of three one left out, is too much to guess.
      elif (( $#1 < 3 || ($#1 == 3 && $#each < 4) )); then continue
      elif [[ $each[1] == $1[1] ]]; then alike+=($each)
      else other+=($each)
      fi
    done
    REPLY=${${swapped[1]:-${alike[1]:-$other[1]}}}
  }

  # At the first prompt, when the rc file has run: a key that is bound already stays what it is.
  _zsh_ls_bind() {
    local map name
    _zsh_ls_seen=1
    for map in emacs viins; do
      [[ "$(bindkey -M $map '^Xy')" == (*' undefined-key'|*' zsh-ls-why') ]] || _zsh_ls_tells='zsh-ls why'
    done
    [[ $_zsh_ls_tells != '^Xy' ]] || for map in emacs viins; do bindkey -M $map '^Xy' zsh-ls-why; done
    [[ -z $_zsh_ls_ctrl_r ]] || for map in emacs viins; do bindkey -M $map '^R' zsh-ls-history; done
  }

  # Tells why the last command failed, above the line that is being typed.
  _zsh_ls_why() {
    zle -I
    print -rN -- "${_zsh_ls_failed[@]}" | command $_zsh_ls_program why -
  }

  # Lets a line be chosen from what was run, beginning with the line that is being typed.
  _zsh_ls_history() {
    local line
    if line=$(ZSH_LS_QUERY=$BUFFER command $_zsh_ls_program history --pick </dev/tty); then
      BUFFER=$line CURSOR=$#line
    fi
    zle reset-prompt
  }

  # Puts the line on the prompt that was chosen in the list of `zsh-ls history`.
  _zsh_ls_put() {
    local line file=${_zsh_ls_file%.log}.line
    { IFS= read -r -d '' line < $file || :; : >| $file } 2>/dev/null
    print -rz -- "$line"
  }

  # No function: zsh names no job that is stopped in one.
  (( $+commands[zsh-ls] )) || alias zsh-ls=${(q)_zsh_ls_program}

  _zsh_ls_leave() { [[ -z $_zsh_ls_file ]] || command rm -f -- ${_zsh_ls_file%.log}.{hook,line} }

  _zsh_ls_begin
  zle -N zsh-ls-why _zsh_ls_why
  zle -N zsh-ls-history _zsh_ls_history
  # First, because the status of the segments is lost with the first command that runs.
  typeset -ga preexec_functions precmd_functions zshexit_functions
  preexec_functions=(_zsh_ls_preexec ${preexec_functions:#_zsh_ls_preexec})
  precmd_functions=(_zsh_ls_precmd ${precmd_functions:#_zsh_ls_precmd})
  zshexit_functions=(_zsh_ls_leave ${zshexit_functions:#_zsh_ls_leave})
fi

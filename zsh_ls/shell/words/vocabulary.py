"""The builtins, reserved words, options and parameters of each shell.

From zsh 5.9 (`$builtins`, `$reswords`, `$options`, `$parameters`), bash 5.2
(`compgen`, `shopt`, `set -o`) and POSIX; a test compares them with the installed shells.
Options of zsh are written as zshoptions(1) does, in lower case. Tables of words
are one string with blanks between the words, here and elsewhere (`word_set`).
"""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Dialect


def word_set(text: str) -> frozenset[str]:
    """The blank-separated words of `text`."""
    return frozenset(text.split())


CHANGE_FOLDER = word_set("cd chdir pushd popd")

_ZSH_BUILTINS = word_set(
    """
    - . : [ alias autoload bg bindkey break builtin bye cd chdir command continue declare dirs
    disable disown echo echotc echoti emulate enable eval exec exit export false fc fg float
    functions getln getopts hash history integer jobs kill let limit local log logout noglob popd
    print printf private pushd pushln pwd r read readonly rehash return sched set setopt shift
    source suspend test times trap true ttyctl type typeset ulimit umask unalias unfunction unhash
    unlimit unset unsetopt vared wait whence where which zcompile zformat zle zmodload zparseopts
    zregexparse zstyle
    """
)
_ZSH_RESERVED = word_set(
    """
    case coproc do done elif else end esac fi for foreach function if nocorrect repeat select then
    time until while
    """
)
_ZSH_OPTIONS = word_set(
    """
    alias_func_def aliases all_export always_last_prompt always_to_end append_create append_history
    auto_cd auto_continue auto_list auto_menu auto_name_dirs auto_param_keys auto_param_slash
    auto_pushd auto_remove_slash auto_resume bad_pattern bang_hist bare_glob_qual bash_auto_list
    bash_rematch beep bg_nice brace_ccl brace_expand bsd_echo c_bases c_precedences case_glob
    case_match case_paths cd_silent cdable_vars chase_dots chase_links check_jobs
    check_running_jobs clobber clobber_empty combining_chars complete_aliases complete_in_word
    continue_on_error correct correct_all csh_junkie_history csh_junkie_loops csh_junkie_quotes
    csh_null_glob csh_nullcmd debug_before_cmd dot_glob dvorak emacs equals err_exit err_return
    eval_lineno exec extended_glob extended_history flow_control force_float function_argzero glob
    glob_assign glob_complete glob_dots glob_star_short glob_subst global_export global_rcs
    hash_all hash_cmds hash_dirs hash_executables_only hash_list_all hist_allow_clobber hist_append
    hist_beep hist_expand hist_expire_dups_first hist_fcntl_lock hist_find_no_dups
    hist_ignore_all_dups hist_ignore_dups hist_ignore_space hist_lex_words hist_no_functions
    hist_no_store hist_reduce_blanks hist_save_by_copy hist_save_no_dups hist_subst_pattern
    hist_verify hup ignore_braces ignore_close_braces ignore_eof inc_append_history
    inc_append_history_time interactive interactive_comments ksh_arrays ksh_autoload ksh_glob
    ksh_option_print ksh_typeset ksh_zero_subscript list_ambiguous list_beep list_packed
    list_rows_first list_types local_loops local_options local_patterns local_traps log login
    long_list_jobs magic_equal_subst mail_warn mail_warning mark_dirs menu_complete monitor
    multi_func_def multibyte multios nomatch notify null_glob numeric_glob_sort octal_zeroes
    one_cmd overstrike path_dirs path_script physical pipe_fail posix_aliases posix_argzero
    posix_builtins posix_cd posix_identifiers posix_jobs posix_strings posix_traps print_eight_bit
    print_exit_value privileged prompt_bang prompt_cr prompt_percent prompt_sp prompt_subst
    prompt_vars pushd_ignore_dups pushd_minus pushd_silent pushd_to_home rc_expand_param rc_quotes
    rcs rec_exact rematch_pcre restricted rm_star_silent rm_star_wait sh_file_expansion sh_glob
    sh_nullcmd sh_option_letters sh_word_split share_history shin_stdin short_loops short_repeat
    single_command single_line_zle source_trace stdin sun_keyboard_hack track_all transient_rprompt
    traps_async typeset_silent typeset_to_unset unset verbose vi warn_create_global warn_nested_var
    xtrace zle
    """
)
_ZSH_PARAMETERS = word_set(
    """
    ARGC BUFFER CDPATH COLUMNS CPUTYPE CURRENT CURSOR EGID EPOCHREALTIME EPOCHSECONDS ERRNO EUID
    FIGNORE FPATH FUNCNEST GID HISTCHARS HISTCMD HISTFILE HISTSIZE HOME HOST IFS KEYBOARD_HACK KEYS
    KEYTIMEOUT LBUFFER LINENO LINES LISTMAX LOGNAME MACHTYPE MAILCHECK MAILPATH MANPATH MATCH
    MBEGIN MEND MODULE_PATH NULLCMD OLDPWD OPTARG OPTIND OSTYPE PATH PPID PREFIX PROMPT PROMPT2
    PROMPT3 PROMPT4 PS1 PS2 PS3 PS4 PSVAR PWD RANDOM RBUFFER READNULLCMD REPLY RPROMPT RPS1
    SAVEHIST SECONDS SHLVL SPROMPT SUFFIX TIMEFMT TMOUT TMPPREFIX TRY_BLOCK_ERROR
    TRY_BLOCK_INTERRUPT TTY TTYIDLE UID USERNAME VENDOR WATCH WIDGET WORDCHARS ZDOTDIR ZSH_ARGZERO
    ZSH_EVAL_CONTEXT ZSH_NAME ZSH_PATCHLEVEL ZSH_SUBSHELL ZSH_VERSION aliases argv builtins cdpath
    chpwd_functions commands compstate dirstack fignore fpath funcfiletrace funcsourcetrace
    funcstack functions functions_source functrace galiases histchars history historywords jobdirs
    jobstates jobtexts keymaps mailpath manpath match mbegin mend module_path modules nameddirs
    options parameters patchars path pipestatus precmd_functions preexec_functions prompt psvar
    reply reswords saliases signals status termcap terminfo userdirs usergroups watch widgets words
    zsh_eval_context zsh_scheduled_events
    """
)
_BASH_BUILTINS = word_set(
    """
    . : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare
    dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill
    let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt
    source suspend test times trap true type typeset ulimit umask unalias unset wait
    """
)
_BASH_RESERVED = word_set(
    """
    case coproc do done elif else esac fi for function if in select then time until while
    """
)
_BASH_SHOPT = word_set(
    """
    assoc_expand_once autocd cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31
    compat32 compat40 compat41 compat42 compat43 compat44 complete_fullquote direxpand dirspell
    dotglob execfail expand_aliases extdebug extglob extquote failglob force_fignore
    globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete
    huponexit inherit_errexit interactive_comments lastpipe lithist localvar_inherit localvar_unset
    login_shell mailwarn no_empty_cmd_completion nocaseglob nocasematch noexpand_translation
    nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose
    sourcepath varredir_close xpg_echo
    """
)
_BASH_SET = word_set(
    """
    allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof
    interactive-comments keyword monitor noclobber noexec noglob nolog notify nounset onecmd
    physical pipefail posix privileged verbose vi xtrace
    """
)
_BASH_PARAMETERS = word_set(
    """
    BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND
    BASH_LINENO BASH_LOADABLES_PATH BASH_REMATCH BASH_SOURCE BASH_SUBSHELL BASH_VERSINFO
    BASH_VERSION CDPATH COMPREPLY COMP_CWORD COMP_WORDBREAKS COMP_WORDS COPROC DIRSTACK EDITOR
    EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD HISTCONTROL HISTFILE HISTSIZE HOME
    HOSTFILE HOSTNAME HOSTTYPE IFS LANG LINENO LOGNAME MACHTYPE MAPFILE OPTARG OPTERR OPTIND OSTYPE
    PATH PIPESTATUS PPID PROMPT_COMMAND PS1 PS2 PS3 PS4 PWD RANDOM READLINE_LINE READLINE_POINT
    REPLY SECONDS SHELL SHELLOPTS SHLVL SRANDOM TERM TIMEFORMAT TMOUT TMPDIR UID USER
    """
)
_SH_BUILTINS = word_set(
    """
    . : [ alias bg break cd command continue echo eval exec exit export false fc fg getopts hash
    jobs kill local printf pwd read readonly return set shift test times trap true type ulimit
    umask unalias unset wait
    """
)
_SH_RESERVED = word_set(
    """
    case do done elif else esac fi for if in then until while
    """
)
_SH_SET = word_set(
    """
    allexport errexit ignoreeof monitor noclobber noexec noglob nolog notify nounset verbose vi
    emacs xtrace
    """
)
_SH_PARAMETERS = word_set(
    """
    EDITOR ENV HOME IFS LANG LINENO LOGNAME OLDPWD OPTARG OPTIND PATH PPID PS1 PS2 PS4 PWD SHELL
    TERM TMPDIR USER
    """
)


@attrs.frozen
class ShellWords:
    """One shell's words. `options` maps a command to the names of options that it accepts."""

    builtins: frozenset[str]
    reserved: frozenset[str]
    parameters: frozenset[str]
    options: Mapping[str, frozenset[str]]


SHELL_WORDS: Mapping[Dialect, ShellWords] = {
    Dialect.ZSH: ShellWords(
        _ZSH_BUILTINS,
        _ZSH_RESERVED,
        _ZSH_PARAMETERS,
        {"setopt": _ZSH_OPTIONS, "unsetopt": _ZSH_OPTIONS, "set -o": _ZSH_OPTIONS},
    ),
    Dialect.BASH: ShellWords(
        _BASH_BUILTINS,
        _BASH_RESERVED,
        _BASH_PARAMETERS,
        {"shopt": _BASH_SHOPT, "set -o": _BASH_SET},
    ),
    Dialect.SH: ShellWords(_SH_BUILTINS, _SH_RESERVED, _SH_PARAMETERS, {"set -o": _SH_SET}),
}

# Names that are not offered as completions, but must not be renamed, since they have a meaning outside
# the script: builtins of zsh's modules (zshmodules(1)), parameters of its editor and completion system,
# and the environment (environ(7), XDG, locale(7)).
_ZSH_MODULE_BUILTINS = word_set(
    "cap clone compadd comparguments compcall compctl compdescribe compfiles compgroups compquote"
    " compset comptags comptry compvalues getcap pcre_compile pcre_match pcre_study private setcap"
    " stat strftime syserror sysopen sysread sysseek syswrite zf_chgrp zf_chmod zf_chown zf_ln"
    " zf_mkdir zf_mv zf_rm zf_rmdir zf_sync zftp zgdbmpath zgetattr zlistattr zpty zselect zsetattr"
    " zsocket zstat zsystem ztcp ztie zuntie"
)
_ENVIRONMENT = word_set(
    "BROWSER COLORTERM DISPLAY EDITOR HOME HOSTNAME LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE"
    " LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME LD_LIBRARY_PATH LD_PRELOAD LOGNAME LS_COLORS MAIL"
    " MANPATH NO_COLOR OLDPWD PAGER PATH PWD SHELL SSH_AUTH_SOCK SSH_CLIENT SSH_CONNECTION SSH_TTY"
    " TERM TMPDIR TMPPREFIX TZ USER VISUAL XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME"
    " XDG_RUNTIME_DIR XDG_STATE_HOME ZDOTDIR"
)
_ZSH_OTHER_PARAMETERS = word_set(
    "CPUTYPE HISTFILE IPREFIX ISUFFIX KEYMAP KEYTIMEOUT LISTMAX MARK NUMERIC POSTDISPLAY PREDISPLAY"
    " PROMPT_EOL_MARK QIPREFIX QISUFFIX REGION_ACTIVE REPORTTIME RPROMPT2 RPS2 WATCHFMT"
    " ZLE_LINE_ABORTED ZLE_REMOVE_SUFFIX_CHARS ZSH_PATCHLEVEL ZSH_SCRIPT curcontext"
    " dis_aliases dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars"
    " dis_reswords dis_saliases epochtime errnos langinfo region_highlight reply saliases"
    " sysparams termcap terminfo userdirs usergroups watch widgets words zsh_eval_context"
    " zsh_scheduled_events"
)
_BASH_OTHER_PARAMETERS = word_set(
    "BASH_COMPAT BASH_ENV BASH_EXECUTION_STRING BASH_XTRACEFD COLUMNS COMP_KEY COMP_LINE COMP_POINT"
    " COMP_TYPE EXECIGNORE FIGNORE FUNCNEST GLOBIGNORE HISTFILESIZE HISTIGNORE HISTTIMEFORMAT"
    " IGNOREEOF INPUTRC LINES MAILCHECK MAILPATH POSIXLY_CORRECT PROMPT_DIRTRIM PS0"
    " READLINE_ARGUMENT READLINE_MARK"
)
_SIGNS = word_set("! [[ ]] { } declare export float integer local readonly typeset")

BUILTINS: Mapping[Dialect, frozenset[str]] = {
    Dialect.ZSH: SHELL_WORDS[Dialect.ZSH].builtins | _ZSH_MODULE_BUILTINS,
    Dialect.BASH: SHELL_WORDS[Dialect.BASH].builtins,
    Dialect.SH: SHELL_WORDS[Dialect.SH].builtins,
}
RESERVED_WORDS = _SIGNS.union(*(words.reserved for words in SHELL_WORDS.values()))
SPECIAL_PARAMETERS: Mapping[Dialect, frozenset[str]] = {
    Dialect.ZSH: SHELL_WORDS[Dialect.ZSH].parameters | _ENVIRONMENT | _ZSH_OTHER_PARAMETERS,
    Dialect.BASH: SHELL_WORDS[Dialect.BASH].parameters | _ENVIRONMENT | _BASH_OTHER_PARAMETERS,
    Dialect.SH: SHELL_WORDS[Dialect.SH].parameters | _ENVIRONMENT,
}

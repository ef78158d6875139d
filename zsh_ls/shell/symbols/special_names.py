"""Names with a meaning outside the script: to the shell, its modules, or the programs it starts.

`words.vocabulary` has the names that are offered as completions. These tables add
names that only must not be renamed: builtins of zsh's modules (zshmodules(1)),
parameters of its editor and completion system, and the environment (environ(7),
XDG, locale(7)).
"""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.words.vocabulary import SHELL_WORDS, word_set

_MODULES = word_set(
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
_ZSH = word_set(
    "CPUTYPE HISTFILE IPREFIX ISUFFIX KEYMAP KEYTIMEOUT LISTMAX MARK NUMERIC POSTDISPLAY PREDISPLAY"
    " PROMPT_EOL_MARK QIPREFIX QISUFFIX REGION_ACTIVE REPORTTIME RPROMPT2 RPS2 WATCHFMT"
    " ZLE_LINE_ABORTED ZLE_REMOVE_SUFFIX_CHARS ZSH_PATCHLEVEL ZSH_SCRIPT curcontext"
    " dis_aliases dis_builtins dis_functions dis_functions_source dis_galiases dis_patchars"
    " dis_reswords dis_saliases epochtime errnos langinfo region_highlight reply saliases"
    " sysparams termcap terminfo userdirs usergroups watch widgets words zsh_eval_context"
    " zsh_scheduled_events"
)
_BASH = word_set(
    "BASH_COMPAT BASH_ENV BASH_EXECUTION_STRING BASH_XTRACEFD COLUMNS COMP_KEY COMP_LINE COMP_POINT"
    " COMP_TYPE EXECIGNORE FIGNORE FUNCNEST GLOBIGNORE HISTFILESIZE HISTIGNORE HISTTIMEFORMAT"
    " IGNOREEOF INPUTRC LINES MAILCHECK MAILPATH POSIXLY_CORRECT PROMPT_DIRTRIM PS0"
    " READLINE_ARGUMENT READLINE_MARK"
)
_SIGNS = word_set("! [[ ]] { } declare export float integer local readonly typeset")

BUILTINS: Mapping[Dialect, frozenset[str]] = {
    Dialect.ZSH: SHELL_WORDS[Dialect.ZSH].builtins | _MODULES,
    Dialect.BASH: SHELL_WORDS[Dialect.BASH].builtins,
    Dialect.SH: SHELL_WORDS[Dialect.SH].builtins,
}
RESERVED_WORDS = _SIGNS.union(*(words.reserved for words in SHELL_WORDS.values()))
SPECIAL_PARAMETERS: Mapping[Dialect, frozenset[str]] = {
    Dialect.ZSH: SHELL_WORDS[Dialect.ZSH].parameters | _ENVIRONMENT | _ZSH,
    Dialect.BASH: SHELL_WORDS[Dialect.BASH].parameters | _ENVIRONMENT | _BASH,
    Dialect.SH: SHELL_WORDS[Dialect.SH].parameters | _ENVIRONMENT,
}

"""The pages of the known causes; docs/startup.md holds the same words."""

from __future__ import annotations

PAGES = {
    "compinit-twice": """\
compinit reads or builds the table of all completions. Frameworks run it once they have loaded their plugins;
a second call in an rc file, or in a distribution's /etc/zsh/zshrc (Ubuntu's has one), does it all again.

Shown where: more than one call of compinit runs in one start; the time is that of the later ones.
What helps: remove the call in your own file, or set `skip_global_compinit=1` in ~/.zshenv (Ubuntu).""",
    "compinit-without-dump": """\
compinit keeps its table in a dump, ~/.zcompdump. Where that is missing, cannot be written, is older than a
function it lists, or where compaudit refuses a folder, each start builds it again.

Shown where: compinit calls compdump in a start; the time is that of compinit.
What helps: see whether the dump can be written (`ls -l ~/.zcompdump*`), whether two configurations share one
dump (`compinit -d FILE` gives each its own), and what `compaudit` says.""",
    "eval-init": """\
`eval "$(tool init zsh)"` starts a program in each new shell to print code that changes only when
the tool does.

Shown where: an eval or a source of a command's output runs; the time is that of the program and of its code.
What helps: keep the output in a file and source that, made again when the program is newer:
    [[ ~/.cache/tool.zsh -nt $commands[tool] ]] || tool init zsh >| ~/.cache/tool.zsh
    source ~/.cache/tool.zsh""",
    "version-manager": """\
nvm, pyenv, rbenv, asdf, conda and their like look for versions and start programs in every new shell,
although most shells never use them.

Shown where: the line that sets one up runs; the time is that of all it does.
What helps: set it up when it is first used (a function of the tool's name that removes itself, sets the
tool up and calls it), its own lazy mode (`nvm.sh --no-use`, `zstyle ':omz:plugins:nvm' lazy yes`), or shims
in PATH alone (`path=(~/.pyenv/shims $path)`).""",
    "version-manager-shim": """\
What pyenv, rbenv, nodenv, asdf and their like put into PATH for a program is a script, its shim. It starts
the manager, which looks for the version that holds here and starts that: often that takes longer than the
program itself.

Shown where: a script of a folder `shims`, or what it becomes, is seen to run; the time is that of its line.
What helps: name the program itself (`pyenv which python3` says where it is), or one of the system
(`/usr/bin/python3`).""",
    "brew-prefix": """\
`$(brew --prefix)` and `eval "$(brew shellenv)"` start Homebrew to say a path that never changes on one
machine.

Shown where: such a command runs; the time is that of its line.
What helps: write the path (`/opt/homebrew`, `/usr/local`, `/home/linuxbrew/.linuxbrew`), or use
`$HOMEBREW_PREFIX` once `brew shellenv` has set it.""",
    "plugin-starts-programs": """\
A plugin that starts programs while it is loaded costs a process for each, in every shell.

Shown where: a file in a plugin's folder starts programs; the time is that of all its lines that do, the place
is the dearest.
What helps: leave the plugin out, load it later (zsh-defer, `zinit ... wait`), or ask its authors
for a cache.""",
    "plugin-twice": """\
The same file is loaded more than once: a plugin that the framework loads and the rc file sources again, or a
list of plugins that names it twice.

Shown where: a file of a plugin is read again in one start; the time is that of the later times.
What helps: name it once.""",
    "rc-not-compiled": """\
zsh parses a file anew in each start unless a compiled one, FILE.zwc, lies beside it that is not older.

Shown where: much time goes by between the command that sources a file and its first command, and no
compiled file is there.
What helps: `zcompile FILE`, again after each change of it.""",
}

"""Where the functions of zsh stand that a script loads by `autoload`: in a file of their name.

It is the file that a script names by its path (`autoload ${0:h}/functions/greet`), or it is looked for in the
folders that the scripts put into `fpath` by a constant path or by the folder of the script itself, then where
zsh has its own. Nothing is read: whether the file is there is all that is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from zsh_ls.lazy import re
from zsh_ls.shell.symbols.own_folder import folder_variables, path_of_word
from zsh_ls.sidecar.documents.store import ScriptVersion, path_of

# `fpath=(a "$b" $fpath)`, `fpath+=(a)`, `fpath+=a`.
FPATH = re.compile(r"(?<![\w$])fpath\+?=(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|([^\s;&|()]+))")
AUTOLOAD = re.compile(r"(?<![\w$-])autoload[ \t]+([^\n;&|#]*)")
WORD = re.compile(r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'])+")
# As zsh is built by distributions and by Homebrew; some have a folder for each kind of function.
OF_ZSH = tuple(
    f"{prefix}/share/zsh/{folder}"
    for prefix in ("/usr/local", "/usr", "/opt/homebrew")
    for folder in ("site-functions", "vendor-functions", "vendor-completions", "functions")
)
DEEPEST_OF_ZSH = 2


def file_of(name: str, views: Iterable[ScriptVersion]) -> str | None:
    """The file that `autoload name` of these scripts loads; None where none is found."""
    own = (folder for view in views for folder in _folders(view))
    places = (os.path.join(it, name) for it in (*dict.fromkeys(own), *_of_zsh()))
    return next((it for it in places if os.path.isfile(it)), None)


def file_named(name: str, views: Iterable[ScriptVersion]) -> str | None:
    """The file that these scripts autoload by its path as a function of that name; None without one."""
    paths = (path for view in views for path in _files(view))
    return next((it for it in paths if os.path.basename(it) == name and os.path.isfile(it)), None)


def _files(view: ScriptVersion) -> Iterator[str]:
    """The files that a script has autoloaded by their paths."""
    for found in AUTOLOAD.finditer(view.script.text):
        yield from _paths((it for it in WORD.findall(found[1]) if "/" in it), view)


def _folders(view: ScriptVersion) -> Iterator[str]:
    """The folders in a script's `fpath`."""
    for found in FPATH.finditer(view.script.text):
        yield from _paths(WORD.findall(found[1] or found[2] or ""), view)


def _paths(words: Iterable[str], view: ScriptVersion) -> Iterator[str]:
    """The paths that words of a script name, where they hang on nothing but where the script is."""
    variables, script = folder_variables(view.script.text), path_of(view.uri)
    for word in words:
        path = path_of_word(word, variables)
        if path is not None and (script or path.startswith(("/", "~"))):
            yield os.path.join(os.path.dirname(script or ""), os.path.expanduser(path))


def _of_zsh() -> Iterator[str]:
    for folder in OF_ZSH:
        for at, folders, _ in os.walk(folder):
            yield at
            if at.count("/") - folder.count("/") >= DEEPEST_OF_ZSH:
                folders.clear()

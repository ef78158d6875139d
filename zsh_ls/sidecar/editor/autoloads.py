"""Where the functions of zsh stand that a script loads by `autoload`: in a file of their name.

It is looked for in the folders that the scripts put into `fpath` by a constant path or by the folder of the
script itself, then where zsh has its own. Nothing is read: whether the file is there is all that is asked.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from zsh_ls.lazy import re
from zsh_ls.shell.symbols.own_folder import folder_variables, path_of_word
from zsh_ls.sidecar.documents.store import ScriptVersion, path_of

# `fpath=(a "$b" $fpath)`, `fpath+=(a)`, `fpath+=a`.
FPATH = re.compile(r"(?<![\w$])fpath\+?=(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\)|([^\s;&|()]+))")
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


def _folders(view: ScriptVersion) -> Iterator[str]:
    """The folders in a script's `fpath` whose paths hang on nothing but where the script is."""
    text, script = view.script.text, path_of(view.uri)
    for found in FPATH.finditer(text):
        for word in WORD.findall(found[1] or found[2] or ""):
            path = path_of_word(word, folder_variables(text))
            if path is not None and (script or path.startswith(("/", "~"))):
                yield os.path.join(os.path.dirname(script or ""), os.path.expanduser(path))


def _of_zsh() -> Iterator[str]:
    for folder in OF_ZSH:
        for at, folders, _ in os.walk(folder):
            yield at
            if at.count("/") - folder.count("/") >= DEEPEST_OF_ZSH:
                folders.clear()

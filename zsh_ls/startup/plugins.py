"""Of which plugin or framework a file is, by its folder.

The shapes of the folders are those that oh-my-zsh, prezto, zim, antidote, antigen, zinit, zplug, zgenom,
sheldon, zcomet, bash-it, oh-my-bash, Homebrew and Debian's packages use.
"""

from __future__ import annotations

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

_NAME = r"(?P<name>[^/]+)"
_OWNER = r"[^/]+"
_PLUGINS = tuple(
    re.compile(it)
    for it in (
        # zinit: owner---name, and snippets of oh-my-zsh.
        rf"(?P<folder>.*/\.?zinit/plugins/(?:{_OWNER}---)?{_NAME})/",
        rf"(?P<folder>.*/\.?zinit/snippets/(?:[^/]+/)*?{_NAME})/[^/]+$",
        # antidote writes the whole address into the folder's name, or one folder a part.
        rf"(?P<folder>.*/https-COLON--SLASH--SLASH-[^/]*-SLASH-{_NAME})/",
        # What a framework's checkout has below it is a plugin of its own.
        rf"(?P<folder>.*/(?:oh-?my-?zsh|oh-?my-?bash|ohmyzsh)/(?:custom/)?plugins/{_NAME})/",
        rf"(?P<folder>.*/\.?(?:z?prezto|prezto)(?:-contrib)?/modules/{_NAME})/",
        rf"(?P<folder>.*/github\.com/{_OWNER}/{_NAME})/",
        rf"(?P<folder>.*/(?:\.zplug/repos|bundles|\.zgenom/sources|zgenom/sources|repos)/{_OWNER}/{_NAME})/",
        rf"(?P<folder>.*/\.?(?:zim|zimfw)/modules/{_NAME})/",
        rf"(?P<folder>.*/(?:plugins|modules|custom/plugins|bundle)/{_NAME})/",
        r"(?P<folder>.*/(?:\.?powerlevel10k|\.?powerlevel9k))/",
        # Packages of Debian, Homebrew and others.
        r"(?P<folder>.*/share/(?:zsh/plugins/)?(?P<pkg>zsh-[^/]+|powerlevel(?:9|10)k|zplug|bash-completion))/",
    )
)
# A person may be called Sheldon; and a cache holds no code of the framework itself.
_FRAMEWORKS = re.compile(
    r"(?P<folder>.*(?<!^/home)(?<!^/Users)(?<!/\.cache)/(?P<name>\.?oh-?my-?zsh|\.?ohmyzsh|\.?oh-?my-?bash|\.zprezto|prezto|\.zim|\.zinit|zinit\.git|"
    r"\.antigen|\.antidote|antidote|\.zplug|\.zgenom|zgenom|\.bash_it|sheldon))/"
)


class Plugin(NamedTuple):
    """A plugin or a framework, and its folder."""

    name: str
    folder: str


def plugin_of(file: str) -> Plugin | None:
    """The plugin that a file belongs to, else the framework; None for a file of neither."""
    for shape in _PLUGINS:
        if found := shape.match(file):
            names = found.groupdict()
            name = names.get("name") or names.get("pkg") or found["folder"].rpartition("/")[2]
            return Plugin(name.lstrip("."), found["folder"])
    if found := _FRAMEWORKS.match(file):
        return Plugin(found["name"].lstrip(".").removesuffix(".git"), found["folder"])
    return None

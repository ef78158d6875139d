"""What is so of the names that a failed command was given: files that are not there, targets nobody wrote.

A terminal keeps no output, and often the command's own words say enough. Only programs whose operands are
known to be files that have to be there are judged; a word that the shell would expand is passed over.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.words.near_names import near_command
from zsh_ls.shell.words.vocabulary import SHELL_WORDS, word_set
from zsh_ls.shell.words.words import read
from zsh_ls.shell.words.wrappers import base_name, look_through
from zsh_ls.system import programs

from .argument_names import MAKEFILES, branches, has_own_program, make_targets, npm_scripts

MOST_SAID = 3
# Scripts of package.json that run others are followed so far.
MOST_SCRIPTS = 10
LONGEST_SCRIPT = 4_000
# Their manuals' synopses: every operand is a file or folder that is read.
_ALL = word_set(
    "cat head tail less more wc nl tac ls cd pushd source . stat file diff cmp sort md5sum sha1sum sha256sum "
    "sha512sum cksum gunzip bunzip2 unxz unzip zcat od hexdump xxd strings cut paste comm fold fmt readlink "
    "du rm rmdir unlink shred pytest py.test gcc g++ cc c++ clang clang++ shellcheck bat nm readelf ldd size "
    "xmllint column"
)
# The first operand is a pattern, a program or a mode, the others are files.
_BUT_FIRST = word_set("grep egrep fgrep zgrep sed awk gawk jq rg ag chmod chown chgrp")
_BUT_LAST = word_set("cp mv")
# The first operand is the script that is to run; what follows is the script's own.
_FIRST = word_set("python python3 node ruby perl php bash sh zsh dash ksh lua Rscript")
_FOLDERS = word_set("cd pushd")
# Of tar: to extract, to list, to compare.
_READS_ARCHIVE = re.compile(r"-?[A-Za-z]*[xtd][A-Za-z]*|--(?:extract|get|list|diff|compare)")
_NAMES_ARCHIVE = re.compile(r"-?[A-Za-z]*f|--file")
_NOT_MODULES = re.compile(r"-[A-Za-z]*[cmep]|--eval|--print")
# Nothing that the shell would have made something else of, no URL and nobody else's file.
_PLAIN = re.compile(r"[\w@%+=,./~ -]*[A-Za-z][\w@%+=,./~ -]*")
_IS_PATH = re.compile(r"/|\.[A-Za-z][\w]{0,5}$")
_SHORT_OPTION = re.compile(r"-[A-Za-z]")
_MAKES, _NPMS = word_set("make gmake"), word_set("npm pnpm yarn")
_RUNS_SCRIPT, _LIFECYCLE = word_set("run run-script"), word_set("test t start stop restart")
_SH_WORDS = SHELL_WORDS[Dialect.SH].builtins | SHELL_WORDS[Dialect.SH].reserved
_ELSEWHERE = re.compile(r"--?(?:w|C|F|ws?|workspaces?|prefix|dir|filter|cwd)(?:=.*)?")
# What the programs call their commands themselves, where a name near to one is a slip of it.
_COMMANDS = {
    "git": word_set(
        """add am annotate apply archive bisect blame branch bundle checkout cherry cherry-pick clean clone
        commit config describe diff difftool fetch format-patch fsck gc grep help init log ls-files ls-remote
        ls-tree maintenance merge merge-base mergetool mv notes pull push range-diff rebase reflog remote
        reset restore revert rev-list rev-parse rm shortlog show show-branch show-ref sparse-checkout stage
        stash status submodule switch tag version worktree lfs"""
    ),
    "cargo": word_set(
        """add bench build check clean clippy doc fetch fix fmt generate-lockfile help info init install
        locate-project login logout metadata miri new nextest owner package pkgid publish remove report run
        rustc rustdoc search test tree uninstall update vendor version yank"""
    ),
}


def said_of_names(words: Sequence[str], folder: str) -> list[str]:
    """Sentences about what `words`, a simple command that failed in `folder`, name and is not so."""
    own = list(words[look_through(words) :])
    if not own or not os.path.isabs(folder):
        return []
    said = [*_of_program(own[0], folder), *_of_commands(own), *_of_targets(own, folder)]
    said += _of_scripts(own, folder)
    for name in _files(own):
        said += _of_file(name, folder, is_folder=base_name(own[0]) in _FOLDERS)
    said += _of_new_folders(own, folder)
    return list(dict.fromkeys(said))[:MOST_SAID]


def near_file(path: Path) -> str:
    """A name in the folder of `path` that is near to its own; `""` where there is none."""
    try:
        names = os.listdir(path.parent)
    except OSError:
        return ""
    alike = next((name for name in names if name.lower() == path.name.lower()), "")
    stemmed = (name for name in names if Path(name).stem.lower() == path.stem.lower())
    return alike or near_command(path.name, names) or min(stemmed, default="")


def _files(own: Sequence[str]) -> list[str]:
    """The operands that have to be files which are there."""
    program, rest = base_name(own[0]), list(own[1:])
    if program == "tar":
        return _read_archives(rest)
    if program in _FIRST:
        for at, word in enumerate(rest):
            if _NOT_MODULES.fullmatch(word):
                module = rest[at + 1 : at + 2]
                return _files(rest[at + 1 :]) if module == ["pytest"] else []
            if not word.startswith("-"):
                return [word] if _PLAIN.fullmatch(word) else []
        return []
    operands = [
        word.partition("::")[0]
        for before, word in zip(["", *rest], rest, strict=False)
        if not word.startswith("-") and not _is_value(before, word, program)
    ]
    if program in _BUT_FIRST:
        operands = operands[1:]
    elif program in _BUT_LAST:
        operands = operands[:-1]
    elif program not in _ALL:
        operands = []
    return [word for word in operands if _PLAIN.fullmatch(word)]


def _read_archives(rest: Sequence[str]) -> list[str]:
    """The archive that a call of tar reads, by the letters of `tar xzf` or their long names."""
    reads = any(_READS_ARCHIVE.fullmatch(word) for word in rest[:1]) or any(
        _READS_ARCHIVE.fullmatch(word) for word in rest if word.startswith("-")
    )
    at = next((at for at, word in enumerate(rest) if _NAMES_ARCHIVE.fullmatch(word)), len(rest))
    # Its letters may stand without a dash in the first word alone.
    is_option = at == 0 or (at < len(rest) and rest[at].startswith("-"))
    names = rest[at + 1 : at + 2] if reads and is_option else []
    return [word for word in names if _PLAIN.fullmatch(word) and ":" not in word]


def _is_value(before: str, word: str, program: str) -> bool:
    """Whether a word may be the value of the option before it."""
    is_option = bool(_SHORT_OPTION.fullmatch(before)) or before.startswith("--")
    return is_option and (program in _BUT_FIRST or not _IS_PATH.search(word))


def _of_file(name: str, folder: str, *, is_folder: bool) -> Iterator[str]:
    path = Path(folder, os.path.expanduser(name))
    try:
        if not path.exists():
            parent, missing = path.parent, path
            while not parent.exists():
                parent, missing = parent.parent, parent
            near = near_file(missing)
            also = f" `{near}` is near." if near else ""
            yield f"`{name if missing == path else missing.name}` is not in `{parent}` now.{also}"
        elif is_folder and not path.is_dir():
            yield f"`{name}` is no folder."
        elif not os.access(path, os.R_OK):
            yield f"`{name}` may not be read by this user."
    except OSError:
        return


def _of_program(word: str, folder: str) -> Iterator[str]:
    """Of a program that is named by its path."""
    path = Path(folder, os.path.expanduser(word))
    if "/" not in word or not _PLAIN.fullmatch(word):
        return
    if not path.exists():
        yield from _of_file(word, folder, is_folder=False)
    elif path.is_dir():
        yield f"`{word}` is a folder."
    elif not os.access(path, os.X_OK):
        yield f"`{word}` is not executable (`chmod +x {word}` makes it so)."


def _of_targets(own: Sequence[str], folder: str) -> Iterator[str]:
    """Of targets, scripts and branches that no file of the project names."""
    program = base_name(own[0])
    names = [word for word in own[1:] if not word.startswith("-") and "=" not in word]
    known: list[str] = []
    if program in _MAKES and not {"-f", "-C"} & {word[:2] for word in own[1:]}:
        if not any(os.path.exists(os.path.join(folder, name)) for name in MAKEFILES):
            yield f"There is no Makefile in `{folder}`."
            return
        known, what = make_targets(folder), "The Makefile has no target"
    elif program == "git" and names[:1] in (["checkout"], ["switch"]) and len(own) == 3:
        names, known, what = names[1:], branches(folder), "There is no branch"
    for name in names:
        near = near_command(name, known) if name not in known else ""
        if near and not os.path.exists(os.path.join(folder, name)):
            yield f"{what} `{name}`; `{near}` is near."


def _of_commands(own: Sequence[str]) -> Iterator[str]:
    """Of a command of the program that is near to one that it has; it may have others, as aliases."""
    program = base_name(own[0])
    known = _COMMANDS.get(program, frozenset())
    rest = list(own[1:])
    while rest[:1] in (["-C"], ["-c"]):
        rest = rest[2:]
    near = near_command(rest[0], known) if rest and rest[0] not in known else ""
    if near:
        yield f"`{program} {near}` is near `{program} {rest[0]}`."


def _of_scripts(own: Sequence[str], folder: str) -> Iterator[str]:
    """Of a script that package.json has not, and of programs that one of its scripts runs and nobody has."""
    if base_name(own[0]) not in _NPMS or any(map(_ELSEWHERE.fullmatch, own)):
        return
    known = npm_scripts(folder)
    name = _script_of(own)
    if known and name and name not in known and own[1] in _RUNS_SCRIPT:
        parts = (it for it in known if name in re.split(r"[:_-]", it))
        near = near_command(name, known) or next(parts, "")
        also = f"; `{near}` is near." if near else "."
        yield f"package.json has no script `{name}`{also}"
    yield from _of_programs_in(known, name, folder)


def _script_of(own: Sequence[str]) -> str:
    """The script that a call of npm or one like it runs; `""` where it runs none."""
    names = [word for word in own[1:] if not word.startswith("-")]
    if names[:1] and names[0] in _RUNS_SCRIPT:
        return names[1] if len(names) > 1 else ""
    is_short = names[:1] and (names[0] in _LIFECYCLE or base_name(own[0]) != "npm")
    return names[0] if is_short else ""


def _of_programs_in(known: Mapping[str, str], name: str, folder: str) -> Iterator[str]:
    waiting, seen = [name], set[str]()
    while waiting and len(seen) < MOST_SCRIPTS:
        script = waiting.pop(0)
        if script in seen:
            continue
        seen.add(script)
        reading = read(known.get(script, "")[:LONGEST_SCRIPT])
        for command in reading.commands.values():
            words = command.texts[look_through(command.texts) :]
            if not words or not _PLAIN.fullmatch(words[0]) or "/" in words[0]:
                continue
            if words[0] in _NPMS:
                waiting.append(_script_of(words))
            elif not (
                words[0] in _SH_WORDS
                or programs.find(words[0])
                or has_own_program(folder, words[0])
            ):
                yield f"`{words[0]}`, which the script `{script}` runs, is not installed, or not on PATH."


def _of_new_folders(own: Sequence[str], folder: str) -> Iterator[str]:
    """Of folders that are there already, or have no folder to stand in."""
    if base_name(own[0]) != "mkdir" or any(word.startswith("-") and "p" in word for word in own):
        return
    for name in own[1:]:
        path = Path(folder, os.path.expanduser(name))
        if name.startswith("-") or not _PLAIN.fullmatch(name):
            continue
        if path.exists():
            yield f"`{name}` is there already."
        elif not path.parent.exists():
            yield f"`{path.parent}` is not there (`mkdir -p` makes it too)."

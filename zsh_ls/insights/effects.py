"""What a call of a program would do to files and to others, by its name and its arguments.

The table is `facts.FACTS`; here its arguments are looked at (`sed -i`, `find -delete`, `sort -o`,
`git branch -d`). The words are those of a call, as expanded: no quotes, no variables. In doubt a
program is none that only reads.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from zsh_ls.lazy import attrs, re

from .facts import QUERIES, Trait, has_trait, names


class FileAction(StrEnum):
    """What happens to a file."""

    CREATE = "create"
    CHANGE = "change"
    REMOVE = "remove"


class Files(Protocol):
    """What is asked of the file system, by absolute paths; links are followed but for the last name."""

    def exists(self, path: str) -> bool:
        """Whether something is there, be it a link that leads nowhere."""
        ...

    def is_folder(self, path: str) -> bool:
        """Whether it is a folder, links followed."""
        ...

    def found_by(self, words: Sequence[str], cwd: str) -> Sequence[str]:
        """The paths that `find` with these words prints; nothing is changed by it."""
        ...


@attrs.frozen
class FileWork:
    """The files that a call writes: `touched` by their paths, of which `foretold` are certain."""

    touched: tuple[str, ...]
    foretold: tuple[tuple[str, FileAction], ...] = ()


# Options with a value as the next word, by program; others of that letter have none.
_VALUED: Mapping[str, str] = {
    "cp": "tS",
    "mv": "tS",
    "install": "mogtS",
    "ln": "tS",
    "mkdir": "mZ",
    "mktemp": "p",
    "truncate": "sr",
    "touch": "dtr",
    "tar": "fCXTbIKHVg",
    "split": "abClnt",
    "shred": "ns",
    "zip": "xinbt",
    "unzip": "dxP",
    "sort": "kotTS",
    "sed": "efl",
    "chmod": "",
    "gzip": "S",
    "zstd": "oDT",
    "patch": "dpirBFoVz",
    "fallocate": "lo",
    "mkfifo": "m",
}
_COPIES = frozenset({"cp", "mv", "ln", "install", "link"})
_OWNERS = frozenset({"chmod", "chown", "chgrp", "setfacl"})
_PACKERS = frozenset({"gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lz4"})
_SUFFIXES = {"gzip": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lz4": ".lz4"}
_FIND_WRITES = ("-delete", "-fprint", "-fprint0", "-fprintf", "-fls")
_FIND_RUNS = ("-exec", "-execdir", "-ok", "-okdir")
_GIT_VALUED = frozenset({"-C", "--git-dir", "--work-tree", "--namespace"})
_GIT_RUNS = ("--output", "--ext-diff", "-O", "--open-files-in-pager", "--textconv", "--upload-pack")


def only_reads(words: Sequence[str]) -> bool:
    """Whether a call changes nothing but what it prints; in doubt it does not only read."""
    name = posixpath.basename(words[0])
    own = [name, *words[1:]]
    if name == "git":
        return _git_reads(words[1:])
    if {"--version", "--help"}.intersection(words[1:2]) and name in names(Trait.TELLS_OF_ITSELF):
        return True
    if not has_trait(Trait.READS, name, own):
        return False
    check = _CHECKS.get(name)
    return check is None or check(words[1:])


def runs_another(words: Sequence[str]) -> bool:
    """Whether a call only starts the command in its operands, or prints where it has none."""
    name = posixpath.basename(words[0])
    if name == "find":
        return not any(word.startswith(_FIND_WRITES) for word in words[1:])
    return name in names(Trait.RUNS_ANOTHER) and not (
        name == "time" and _has(words[1:], "o", "--output")
    )


def file_work(words: Sequence[str], cwd: str, files: Files) -> FileWork | None:
    """The files that a call works on; None for a program that does not, or whose files are not known."""
    name, own = posixpath.basename(words[0]), list(words[1:])
    if name not in names(Trait.WORKS_ON_FILES):
        return None
    work = _WORK.get(name)
    if work is None:
        return None
    return work(name, own, _Place(cwd, files))


def foretold(words: Sequence[str], cwd: str, files: Files) -> tuple[tuple[str, FileAction], ...]:
    """What a call that does not run would have written, where its words tell."""
    name, own = posixpath.basename(words[0]), list(words[1:])
    place = _Place(cwd, files)
    work = file_work(words, cwd, files)
    if work is not None:
        return work.foretold
    if name == "curl":
        return tuple(place.written(it) for it in _curl_files(own))
    if name == "wget":
        return tuple(place.written(it) for it in _wget_files(own))
    if name == "git":
        return tuple(_git_writes(own, place))
    if name in {"scp", "rsync"} and len(named := _operands(name, own)) > 1:
        target = named[-1]
        if ":" not in target.partition("/")[0]:
            return tuple(place.into(named[:-1], target))
    if name in {"gcc", "cc", "clang", "g++", "c++", "ld", "pandoc"}:
        return tuple(place.written(it) for it in _values(own, "o", "--output"))
    return ()


def made_folders(words: Sequence[str], cwd: str, files: Files) -> tuple[str, ...]:
    """Folders that a call would have left behind, into which a script goes afterwards."""
    name, own = posixpath.basename(words[0]), list(words[1:])
    place = _Place(cwd, files)
    if name == "mkdir" or (name == "install" and _has(own, "d", "--directory")):
        return tuple(place.absolute(it) for it in _operands(name, own))
    if name == "git":
        at = _git_word(own)
        if own[at : at + 1] == ["clone"]:
            return tuple(path for path, _ in _git_writes(own, place))
        if own[at : at + 1] == ["init"] and (named := _operands("git", own[at + 1 :])):
            return (place.absolute(named[0]),)
        if own[at : at + 2] == ["worktree", "add"] and (named := _operands("git", own[at + 2 :])):
            return (place.absolute(named[0]),)
    return ()


def publishes(words: Sequence[str]) -> bool:
    """Whether a call gives something to others: uploads, pushes, deploys, mails."""
    name, own = posixpath.basename(words[0]), [posixpath.basename(words[0]), *words[1:]]
    if any(map(QUERIES.fullmatch, own[1:])):
        return False
    if name == "curl":
        return _curl_gives(own[1:])
    if name == "wget":
        return any(word.startswith(("--post-", "--method", "--body-")) for word in own)
    if name in {"scp", "rsync", "sftp"}:
        named = _operands(name, own[1:])
        return name == "sftp" or (bool(named) and ":" in named[-1].partition("/")[0])
    if name in {"aws", "gsutil", "s3cmd", "rclone"}:
        return _object_store_gives(own)
    if name == "git":
        at = _git_word(own[1:])
        return own[1:][at : at + 1] in (["push"], ["send-email"])
    return has_trait(Trait.PUBLISHES, name, own) or has_trait(Trait.SENDS, name, own)


def reaches_network(words: Sequence[str]) -> bool:
    """Whether a call talks to another machine or a server."""
    name, own = posixpath.basename(words[0]), [posixpath.basename(words[0]), *words[1:]]
    if name == "rsync":
        return any(":" in word for word in _operands(name, own[1:]))
    if name == "git":
        at = _git_word(own[1:])
        own = ["git", *own[1:][at:]]
    if len(own) > 1 and own[1] in {"--version", "-V", "--help", "version", "help"}:
        return False
    return has_trait(Trait.NETWORK, name, own)


def destroys(words: Sequence[str]) -> bool:
    """Whether a call removes what is no file that it names: data, containers, commits, others' branches."""
    name, own = posixpath.basename(words[0]), [posixpath.basename(words[0]), *words[1:]]
    text = " ".join(own[1:])
    if name == "git":
        at = _git_word(own[1:])
        rest = own[1:][at:]
        command, flags = rest[:1], rest[1:]
        return (
            (command == ["reset"] and "--hard" in flags)
            or (command == ["clean"] and not _has(flags, "n", "--dry-run"))
            or (command == ["push"] and _forces(flags))
            or (command == ["branch"] and _has(flags, "dD", "--delete"))
            or (command == ["tag"] and _has(flags, "d", "--delete"))
            or (command == ["checkout"] and ("--" in flags or "." in flags or "-f" in flags))
            or (command == ["stash"] and flags[:1] in (["drop"], ["clear"]))
            or command in (["filter-branch"], ["rm"])
        )
    if name in {"rsync", "aws", "gsutil", "rclone", "s3cmd"}:
        return bool(
            re.search(r"--del(?:ete\S*)?\b|(?:^|\s)(?:rm|rb|del|purge|delete)\s", text + " ")
        )
    if name in {"psql", "mysql", "sqlite3", "mongo", "mongosh", "clickhouse-client"}:
        return bool(re.search(r"(?i)\b(?:drop|truncate|delete\s+from|dropDatabase)\b", text))
    if name.startswith("mkfs."):
        return True
    return has_trait(Trait.DESTROYS, name, own)


@attrs.frozen
class _Place:
    """A folder to which paths are relative, and what is there."""

    cwd: str
    files: Files

    def absolute(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self.cwd, path))

    def written(self, path: str) -> tuple[str, FileAction]:
        """A file that gets new content."""
        whole = self.absolute(path)
        there = self.files.exists(whole)
        return whole, FileAction.CHANGE if there else FileAction.CREATE

    def into(
        self, sources: Iterable[str], target: str, *, as_folder: bool = True
    ) -> Iterator[tuple[str, FileAction]]:
        """What copies of `sources` become at `target`, below it where that is a folder."""
        below = as_folder and (target.endswith("/") or self.files.is_folder(self.absolute(target)))
        for source in sources:
            name = posixpath.basename(source.rstrip("/"))
            yield self.written(f"{target}/{name}" if below else target)

    def removed(self, path: str) -> Iterator[tuple[str, FileAction]]:
        whole = self.absolute(path)
        if self.files.exists(whole):
            yield whole, FileAction.REMOVE


def _has(words: Sequence[str], letters: str, *long: str) -> bool:
    """Whether words have an option: one of the letters, alone or in a cluster, or a long one."""
    for word in words:
        if word == "--":
            return False
        if word.startswith("--"):
            if any(word == it or word.startswith(f"{it}=") for it in long):
                return True
        elif re.match(r"-[A-Za-z]", word) and letters and set(letters) & set(word[1:]):
            return True
    return False


def _values(words: Sequence[str], letter: str, *long: str) -> list[str]:
    """The values of an option: `-o x`, `-ox`, `-vo x`, `--output x`, `--output=x`."""
    found: list[str] = []
    for at, word in enumerate(words):
        if word in long or (letter and re.fullmatch(rf"-[A-Za-z]*{letter}", word)):
            found += words[at + 1 : at + 2]
        elif word.startswith("--"):
            found += [word.partition("=")[2] for it in long if word.startswith(f"{it}=")]
        elif letter and re.match(rf"-{letter}.", word):
            found.append(word[2:])
    return found


def _operands(name: str, words: Sequence[str]) -> list[str]:
    """The words that are neither options nor values of such."""
    found: list[str] = []
    valued, at = _VALUED.get(name, ""), 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            return found + list(words[at:])
        if not word.startswith("-") or word == "-":
            found.append(word)
        elif not word.startswith("--") and word[-1] in valued:
            first = next(place for place, letter in enumerate(word) if letter in valued)
            at += first == len(word) - 1
        elif word in {"--target-directory", "--suffix", "--output", "--mode", "--reference"}:
            at += 1
    return found


def _sed_reads(words: Sequence[str]) -> bool:
    if _has(words, "i", "--in-place") or _has(words, "", "--file") or "-f" in words:
        return False
    programs = _values(words, "e", "--expression") or _operands("sed", words)[:1]
    return not any(_sed_writes(program) for program in programs)


def _sed_writes(program: str) -> bool:
    # Anything that might be a `w` or an `e` is taken for one, but for those within s/…/…/.
    plain = re.sub(
        r"\bs(?P<sign>[^\w\s\\])(?:\\.|(?!(?P=sign)).)*(?P=sign)(?:\\.|(?!(?P=sign)).)*(?P=sign)",
        "s",
        program,
    )
    plain = re.sub(r"/(?:\\.|[^/])*/", "0", plain)
    return bool(re.search(r"[we]", re.sub(r"[aic]\\?.*|[btTrR:]\s*\w+", "", plain)))


def _awk_reads(words: Sequence[str]) -> bool:
    if any(
        word.startswith(
            ("-i", "--include", "-f", "--file", "-E", "--exec", "-l", "--load", "-o", "-p", "-d")
        )
        for word in words
    ):
        return False
    programs = _operands("awk", [it for it in words if not re.match(r"-[vF]", it)])[:1]
    at = [place for place, word in enumerate(words) if word in {"-v", "-F"}]
    if at:
        rest = [word for place, word in enumerate(words) if place not in at and place - 1 not in at]
        programs = _operands("awk", rest)[:1]
    text = " ".join(programs)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '"', text)
    text = re.sub(r"/(?:\\.|[^/\n])*/", "0", text)
    if re.search(r"system\s*\(|\|\s*getline|\|&|\|\s*\"|@include|@load", text):
        return False
    # `>` compares in a condition; after print it writes.
    return not re.search(r"\bprintf?\b[^;}\n]*>", text)


def _find_reads(words: Sequence[str]) -> bool:
    return not any(word.startswith((*_FIND_WRITES, *_FIND_RUNS)) for word in words)


def _fd_reads(words: Sequence[str]) -> bool:
    return not _has(words, "xX", "--exec", "--exec-batch")


def _date_reads(words: Sequence[str]) -> bool:
    named = [word for word in _operands("date", words) if not word.startswith("+")]
    valued = {word for flag in ("-d", "-r", "-f", "-v", "-j") for word in _after(words, flag)}
    return not _has(words, "s", "--set") and not any(
        re.fullmatch(r"[\d.]{8,}", word) for word in named if word not in valued
    )


def _after(words: Sequence[str], flag: str) -> list[str]:
    return [words[at + 1] for at, word in enumerate(words[:-1]) if word == flag]


def _sort_reads(words: Sequence[str]) -> bool:
    return not _has(words, "o", "--output", "--compress-program")


def _two_operands_write(words: Sequence[str]) -> bool:
    return len(_operands("uniq", words)) < 2


def _tree_reads(words: Sequence[str]) -> bool:
    return not _has(words, "o")


def _xmllint_reads(words: Sequence[str]) -> bool:
    return not any(word.startswith(("--output", "-o", "--shell")) for word in words)


def _rg_reads(words: Sequence[str]) -> bool:
    return not any(word.startswith(("--pre", "--hostname-bin")) for word in words)


def _pager_reads(words: Sequence[str]) -> bool:
    return not _has(words, "oO", "--log-file", "--LOG-FILE")


_CHECKS: Mapping[str, Callable[[Sequence[str]], bool]] = {
    "sed": _sed_reads,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk_reads),
    "find": _find_reads,
    "fd": _fd_reads,
    "sort": _sort_reads,
    "uniq": _two_operands_write,
    "date": _date_reads,
    "hostname": lambda words: not _operands("hostname", words) and not _has(words, "Fb", "--file"),
    "xxd": lambda words: len(_operands("xxd", words)) < 2,
    "tree": _tree_reads,
    "xmllint": _xmllint_reads,
    "rg": _rg_reads,
    "ag": lambda words: "--pager" not in words,
    "less": _pager_reads,
    "file": lambda words: not _has(words, "C", "--compile"),
    "shuf": lambda words: not _has(words, "o", "--output"),
    "yes": lambda _: True,
    "dmesg": lambda words: not _has(words, "cCDEn"),
    "ldd": lambda _: False,  # ldd(1), SECURITY: it may run the program that it is asked about
    "pr": lambda _: True,
    "tput": lambda _: True,
}


def _git_word(words: Sequence[str]) -> int:
    """Where git's sub-command stands."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in _GIT_VALUED | {"-c", "--exec-path", "--config-env"} else 1
    return at


def _git_reads(words: Sequence[str]) -> bool:
    at = _git_word(words)
    before, rest = words[:at], list(words[at:])
    if any(
        word in {"-c", "--config-env", "-p", "--paginate"} or word.startswith("--exec-path=")
        for word in before
    ):
        return False
    if not rest:
        return True
    command, own = rest[0], rest[1:]
    if not has_trait(Trait.READS, "git", ["git", command]):
        return False
    if any(word == it or word.startswith(f"{it}=") for word in own for it in _GIT_RUNS):
        return False
    lists = _GIT_LISTS_ONLY.get(command)
    return lists is None or lists(own)


def _branch_lists(own: Sequence[str]) -> bool:
    named = [word for word in own if not word.startswith("-")]
    if _has(
        own,
        "dDmMcCfu",
        "--delete",
        "--move",
        "--copy",
        "--force",
        "--set-upstream-to",
        "--unset-upstream",
        "--edit-description",
        "--track",
        "-t",
    ):
        return False
    lists = _has(
        own,
        "larv",
        "--list",
        "--all",
        "--remotes",
        "--show-current",
        "--contains",
        "--no-contains",
        "--merged",
        "--no-merged",
        "--points-at",
        "--verbose",
    )
    return not named or (
        lists
        and not (
            _has(own, "v")
            and not _has(
                own, "lar", "--list", "--contains", "--merged", "--no-merged", "--points-at"
            )
        )
    )


def _tag_lists(own: Sequence[str]) -> bool:
    if _has(own, "dasufFme", "--delete", "--annotate", "--sign", "--force", "--file", "--message"):
        return False
    lists = _has(
        own, "ln", "--list", "--points-at", "--contains", "--no-contains", "--merged", "--no-merged"
    )
    return lists or not [word for word in own if not word.startswith("-")]


def _config_lists(own: Sequence[str]) -> bool:
    if _has(
        own,
        "e",
        "--unset",
        "--unset-all",
        "--edit",
        "--add",
        "--replace-all",
        "--remove-section",
        "--rename-section",
        "--set",
    ):
        return False
    asks = _has(
        own,
        "l",
        "--get",
        "--get-all",
        "--list",
        "--get-regexp",
        "--get-urlmatch",
        "--get-color",
        "--get-colorbool",
    )
    named = [word for word in own if not word.startswith("-")]
    if named[:1] in (["get"], ["list"]):
        return True
    return asks or len(named) == 1


_GIT_LISTS_ONLY: Mapping[str, Callable[[Sequence[str]], bool]] = {
    "branch": _branch_lists,
    "tag": _tag_lists,
    "config": _config_lists,
    "remote": lambda own: not own or own[0] in {"-v", "get-url"},
    "symbolic-ref": lambda own: (
        len([it for it in own if not it.startswith("-")]) == 1 and not _has(own, "dm", "--delete")
    ),
    "stash": lambda own: own[:1] in (["list"], ["show"]),
    "worktree": lambda own: own[:1] == ["list"],
    "notes": lambda own: own[:1] in (["list"], ["show"]) or not own,
    "submodule": lambda own: own[:1] == ["status"] or not own,
    "reflog": lambda own: not own or own[0] == "show",
    "help": lambda own: True,
}


def _forces(flags: Sequence[str]) -> bool:
    """Whether `git push` with these words overwrites or removes what the other side has."""
    return _has(
        flags, "fd", "--force", "--force-with-lease", "--delete", "--mirror", "--prune"
    ) or any(word.startswith(("+", ":")) for word in flags)


def _git_writes(words: Sequence[str], place: _Place) -> Iterator[tuple[str, FileAction]]:
    at = _git_word(words)
    command, own = words[at : at + 1], list(words[at + 1 :])
    if command == ["clone"]:
        valued = {
            "-b",
            "--branch",
            "--depth",
            "-o",
            "--origin",
            "--reference",
            "-c",
            "--config",
            "-j",
            "--jobs",
            "--filter",
        }
        named = [
            it
            for spot, it in enumerate(own)
            if not it.startswith("-") and (spot == 0 or own[spot - 1] not in valued)
        ]
        if named:
            name = named[0].rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
            folder = place.absolute(named[1] if len(named) > 1 else name)
            if not place.files.exists(folder):
                yield folder, FileAction.CREATE
    elif command == ["archive"]:
        yield from (place.written(it) for it in _values(own, "o", "--output"))
    elif command == ["rm"] and "--cached" not in own:
        for word in own:
            if not word.startswith("-"):
                yield from place.removed(word)


def _curl_files(words: Sequence[str]) -> list[str]:
    # `-so FILE` has it last in the cluster.
    files = [it for it in _values(words, "o", "--output") if it not in {"-", "/dev/null"}]
    if _has(words, "OJ", "--remote-name", "--remote-name-all"):
        files += [_last_of(word) for word in words if "://" in word]
    return [it for it in files if it]


def _wget_files(words: Sequence[str]) -> list[str]:
    named = _values(words, "O", "--output-document")
    if named or _has(words, "", "--spider"):
        return [it for it in named if it not in {"-", "/dev/null"}]
    folder = (_values(words, "P", "--directory-prefix") or [""])[0]
    return [
        posixpath.join(folder, _last_of(word) or "index.html") for word in words if "://" in word
    ]


def _last_of(url: str) -> str:
    return url.partition("?")[0].partition("://")[2].partition("/")[2].rpartition("/")[2]


def _curl_gives(words: Sequence[str]) -> bool:
    methods = [it.upper() for it in _values(words, "X", "--request")]
    if methods:
        return methods[-1] not in {"GET", "HEAD", "OPTIONS"}
    if _has(words, "G", "--get"):
        return False
    data = (
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--form",
        "--upload-file",
        "--json",
        "--mail-rcpt",
    )
    return any(
        re.match(r"-[a-zA-Z]*[dFT]", it) and not it.startswith("--") for it in words
    ) or _has(words, "", *data)


def _object_store_gives(own: Sequence[str]) -> bool:
    text = " ".join(own[1:])
    if own[0] == "aws":
        if re.match(r"s3 (?:cp|mv|sync)\b", text):
            return (
                own[-1].startswith("s3://")
                or len([it for it in own if it.startswith("s3://")]) > 1
                or "s3://" in _operands("aws", own)[-1]
            )
        return bool(
            re.match(
                r"(?:ecs update-service|lambda (?:update|publish)|cloudfront create-invalidation|"
                r"deploy create|"
                r"cloudformation (?:deploy|create|update)|elasticbeanstalk (?:create|update)|s3api put|"
                r"sns publish|"
                r"ses send|sqs send)",
                text,
            )
        )
    return bool(re.search(r"(?:^|\s)(?:cp|rsync|mv|put|sync|copy|copyto|move)\s", text)) and bool(
        re.search(r"\S+:\S*$", text)
    )


def _creates(name: str, words: list[str], place: _Place) -> FileWork | None:
    """mkdir, touch, truncate, tee, mkfifo: their operands."""
    named = _operands(name, words)
    if name in {"chmod", "chown", "chgrp", "setfacl"}:
        named = named[1:]
    whole = tuple(place.absolute(it) for it in named)
    if name == "mkdir":
        return FileWork(
            whole, tuple((it, FileAction.CREATE) for it in whole if not place.files.exists(it))
        )
    if name == "touch":
        if _has(words, "c", "--no-create"):
            return FileWork(whole)
        return FileWork(
            whole, tuple((it, FileAction.CREATE) for it in whole if not place.files.exists(it))
        )
    return FileWork(whole, tuple(place.written(it) for it in named if it != "-"))


def _changes_mode(name: str, words: list[str], place: _Place) -> FileWork | None:
    has_reference = _has(words, "", "--reference")
    named = _operands(name, words)[0 if has_reference else 1 :]
    if name == "chmod":
        # A mode such as `-w` looks like an option.
        modes = [it for it in words if re.fullmatch(r"-[rwxXst]+", it)]
        named = _operands(name, [it for it in words if it not in modes])[
            0 if modes or has_reference else 1 :
        ]
    return FileWork(tuple(place.absolute(it) for it in named))


def _removes(name: str, words: list[str], place: _Place) -> FileWork | None:
    if name == "shred" and not _has(words, "u", "--remove"):
        named = _operands(name, words)
        return FileWork(tuple(map(place.absolute, named)), tuple(place.written(it) for it in named))
    named = _operands(name, words)
    return FileWork(
        tuple(place.absolute(it) for it in named),
        tuple(each for it in named for each in place.removed(it)),
    )


def _copies(name: str, words: list[str], place: _Place) -> FileWork | None:
    named = _operands(name, words)
    if name == "install" and _has(words, "d", "--directory"):
        whole = tuple(place.absolute(it) for it in named)
        return FileWork(
            whole, tuple((it, FileAction.CREATE) for it in whole if not place.files.exists(it))
        )
    targets = _values(words, "t", "--target-directory")
    sources, target = (named, targets[0]) if targets else (named[:-1], named[-1] if named else "")
    if name == "ln" and len(named) == 1 and not targets:
        sources, target = named, "."
    if not sources or not target:
        return FileWork(())
    as_folder = not _has(words, "T", "--no-target-directory") and not (
        name == "ln" and _has(words, "n", "--no-dereference")
    )
    if targets:
        target = target.rstrip("/") + "/"
    foretold = list(place.into(sources, target, as_folder=as_folder))
    touched = [path for path, _ in foretold]
    if name == "mv":
        moved = [each for it in sources for each in place.removed(it)]
        foretold += moved
        touched += [place.absolute(it) for it in sources]
    if name == "ln" and not _has(words, "s", "--symbolic"):
        # A hard link is the other file.
        touched += [place.absolute(it) for it in sources]
    return FileWork(tuple(touched), tuple(foretold))


def _temporary(name: str, words: list[str], place: _Place) -> FileWork | None:
    if _has(words, "u", "--dry-run"):
        return FileWork(())
    named = [it for it in _operands("mktemp", words) if it]
    folders = _values(words, "p", "--tmpdir")
    if named and not folders and not _has(words, "t", "--tmpdir"):
        return FileWork((place.absolute(named[0]),))
    return FileWork((place.absolute(f"{folders[0] if folders and folders[0] else '/tmp'}/x"),))


def _tar(name: str, words: list[str], place: _Place) -> FileWork | None:
    if not words:
        return None
    old_style = not words[0].startswith("-")
    letters = (
        words[0] if old_style else "".join(it[1:] for it in words if re.match(r"-[A-Za-z]", it))
    )
    runs = (
        "--to-command",
        "--use-compress-program",
        "--checkpoint-action",
        "--rsh-command",
        "--info-script",
        "-I",
        "-F",
        "--new-volume-script",
    )
    if any(word.startswith(runs) for word in words):
        return None
    rest = words[1:] if old_style else words
    archives = [rest[0]] if old_style and "f" in letters and rest else _values(words, "f", "--file")
    folders = _values(words, "C", "--directory")
    if "--delete" in words or "--remove-files" in words:
        return None
    if _has_mode(letters, words, "c", "--create"):
        files = [it for it in archives if it != "-"]
        return FileWork(tuple(map(place.absolute, files)), tuple(place.written(it) for it in files))
    if _has_mode(letters, words, "t", "--list") or _has_mode(letters, words, "d", "--diff"):
        return FileWork(())
    if _has_mode(letters, words, "x", "--extract", "--get"):
        if _has(words, "P", "--absolute-names"):
            return None
        return FileWork(tuple(place.absolute(f"{it}/x") for it in (folders or ["."])))
    files = [it for it in archives if it != "-"]
    return FileWork(tuple(map(place.absolute, files)), tuple(place.written(it) for it in files))


def _has_mode(letters: str, words: Sequence[str], letter: str, *long: str) -> bool:
    return letter in letters or any(it in words for it in long)


def _zip(name: str, words: list[str], place: _Place) -> FileWork | None:
    if _has(words, "T", "--test", "--unzip-command") or "-TT" in words:
        return None
    named = _operands(name, words)[:1]
    files = [it if posixpath.splitext(it)[1] else f"{it}.zip" for it in named if it != "-"]
    removed = _operands(name, words)[1:] if _has(words, "m", "--move") else []
    return FileWork(
        tuple(place.absolute(it) for it in (*files, *removed)),
        tuple(place.written(it) for it in files),
    )


def _unzip(name: str, words: list[str], place: _Place) -> FileWork | None:
    if _has(words, "lptvzZ"):
        return FileWork(())
    if "-:" in words:
        return None
    return FileWork((place.absolute(f"{(_values(words, 'd') or ['.'])[0]}/x"),))


def _packs(name: str, words: list[str], place: _Place) -> FileWork | None:
    if _has(words, "ctl", "--stdout", "--to-stdout", "--test", "--list") or not _operands(
        name, words
    ):
        return FileWork(())
    outputs = _values(words, "o", "--output") if name in {"zstd", "lz4"} else []
    named = _operands(name, words)
    suffix = _SUFFIXES.get(name, "")
    packs = bool(suffix) and not _has(words, "d", "--decompress", "--uncompress")
    foretold = [
        place.written(f"{it}{suffix}")
        for it in named
        if packs and place.files.exists(place.absolute(it))
    ]
    if packs and not _has(words, "k", "--keep") and name not in {"zstd", "lz4"}:
        foretold += [each for it in named for each in place.removed(it)]
    return FileWork(tuple(place.absolute(it) for it in (*named, *outputs)), tuple(foretold))


def _sed(name: str, words: list[str], place: _Place) -> FileWork | None:
    programs = _values(words, "e", "--expression")
    named = _operands("sed", [it for it in words if not it.startswith("--expression")])
    scripts = programs or named[:1]
    if "-f" in words or _has(words, "", "--file") or any(_sed_writes(it) for it in scripts):
        return None
    files = named[0 if programs else 1 :]
    if not _has(words, "i", "--in-place"):
        return FileWork(())
    there = tuple(it for it in map(place.absolute, files) if place.files.exists(it))
    return FileWork(
        tuple(map(place.absolute, files)), tuple((it, FileAction.CHANGE) for it in there)
    )


def _sort(name: str, words: list[str], place: _Place) -> FileWork | None:
    if _has(words, "", "--compress-program"):
        return None
    files = _values(words, "o", "--output")
    return FileWork(tuple(map(place.absolute, files)), tuple(place.written(it) for it in files))


def _second_operand(name: str, words: list[str], place: _Place) -> FileWork | None:
    files = _operands(name, words)[1:2]
    return FileWork(tuple(map(place.absolute, files)), tuple(place.written(it) for it in files))


def _find(name: str, words: list[str], place: _Place) -> FileWork | None:
    if (
        any(word.startswith((*_FIND_WRITES[1:], *_FIND_RUNS)) for word in words)
        or "-delete" not in words
    ):
        return None
    found = place.files.found_by(["find", *(it for it in words if it != "-delete")], place.cwd)
    paths = tuple(place.absolute(it) for it in found)
    roots: list[str] = []
    for word in words:
        if word.startswith(("-", "(", "!", ")")):
            if word in {"-H", "-L", "-P"} and not roots:
                continue
            break
        roots.append(word)
    touched = tuple(place.absolute(f"{it}/x") for it in (roots or ["."]))
    return FileWork(touched, tuple((it, FileAction.REMOVE) for it in paths))


def _dd(name: str, words: list[str], place: _Place) -> FileWork | None:
    files = [it[3:] for it in words if it.startswith("of=")]
    return FileWork(
        tuple(map(place.absolute, files)),
        tuple(place.written(it) for it in files if it != "/dev/null"),
    )


def _split(name: str, words: list[str], place: _Place) -> FileWork | None:
    if _has(words, "", "--filter"):
        return None
    prefix = (_operands(name, words)[1:2] or ["x"])[0]
    return FileWork((place.absolute(f"{prefix}aa"),))


def _patch(name: str, words: list[str], place: _Place) -> FileWork | None:
    folder = (_values(words, "d", "--directory") or ["."])[0]
    named = _operands(name, words)[:1]
    return FileWork(tuple(place.absolute(it) for it in (*named, f"{folder}/x")))


_Work = Callable[[str, list[str], _Place], FileWork | None]
_WORK: Mapping[str, _Work] = {
    **dict.fromkeys(
        ("mkdir", "touch", "truncate", "tee", "mkfifo", "dos2unix", "unix2dos", "fallocate"),
        _creates,
    ),
    **dict.fromkeys(_OWNERS, _changes_mode),
    **dict.fromkeys(("rm", "rmdir", "unlink", "shred"), _removes),
    **dict.fromkeys(_COPIES, _copies),
    **dict.fromkeys(("mktemp", "tempfile"), _temporary),
    "tar": _tar,
    "zip": _zip,
    "unzip": _unzip,
    **dict.fromkeys(_PACKERS, _packs),
    "sed": _sed,
    "sort": _sort,
    "uniq": _second_operand,
    "xxd": _second_operand,
    "find": _find,
    "dd": _dd,
    **dict.fromkeys(("split", "csplit"), _split),
    "patch": _patch,
}

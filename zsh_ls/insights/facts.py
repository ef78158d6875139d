"""What is known of programs that no script says: which cannot fail in practice, which publish, and more.

One table for all static rules; each row names where its knowledge is from. What an exit of 1 means
that is no failure is in `shell.status.exit_codes`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import cache
from typing import NamedTuple

from zsh_ls.shell.words.wrappers import look_through

from .script_words import has_flag, operands, unquoted


class Trait(Enum):
    """A property of programs."""

    SAYS = auto()
    """Succeeds whatever happens; its exit is of no interest."""
    SURE = auto()
    """Works on text that is there, or asks the system: fails with the machine, or never."""
    TEST = auto()
    """Answers a question with its exit."""
    BUILDS = auto()
    """Builds or tests something, and its exit says whether that worked."""
    APPLIES = auto()
    """Brings a machine or a service to what a file says, and its exit says whether that worked."""
    FETCHES = auto()
    """Writes what it gets from a network, a server or a database, which may be half of it."""
    DOWNLOADS = auto()
    """Writes what an address on the network names, and nothing else has it."""
    PACKS = auto()
    """Writes a dump or an archive, of which half looks like a whole one."""
    LIGHT = auto()
    """Takes an empty or a cut input for a good one."""
    ONLOOKER = auto()
    """Shows or keeps what passes through a pipe, and never fails of it."""
    STEP = auto()
    """Changes something; what follows relies on it."""
    COPIES = auto()
    """Copies, fetches or installs, and is done then: no server."""
    PUBLISHES = auto()
    """Hands something to others: uploads, pushes, deploys."""
    CHANGES_FILES = auto()
    """Removes or overwrites the files it names."""
    USES_FOLDER = auto()
    """Works on the folder that it runs in, whatever its operands."""
    VARIES = auto()
    """Says what hangs on the machine, the network or the day: nothing is a likely answer."""
    TELLS = auto()
    """Says what is the script's own, or what always has the same form."""
    VIEWS = auto()
    """Shows a text that is there, and has no answer of its own."""
    LONG = auto()
    """Writes more than a pipe holds (64 KiB), where nothing limits it."""


class Fact(NamedTuple):
    """Programs with a trait: `name` or `name pattern`, where the pattern is of one of its first operands."""

    trait: Trait
    programs: str
    source: str


FACTS = (
    Fact(
        Trait.SAYS,
        "echo, print, printf, :, true, unset, shift, sleep",
        "POSIX XCU, zshbuiltins(1): they exit above 0 for a wrong usage or a closed output only",
    ),
    Fact(
        Trait.SURE,
        "echo, printf, print, :, true, date, basename, dirname, pwd, whoami, hostname, uname, "
        "tr, id, tput, awk, gawk, sed, cut, wc, head, tail, sort, uniq, numfmt, which, command, "
        "jobs, declare, tty, getconf, realpath, readlink, cygpath, strftime, nproc, arch, "
        "mktemp, du, df, seq, base64",
        "their EXIT STATUS in POSIX XCU and coreutils(1): above 0 for an error of input or "
        "output; which, command and readlink answer a question",
    ),
    Fact(Trait.TEST, "test, [, [[, command, which, type, hash", "POSIX XCU: an exit is the answer"),
    Fact(
        Trait.TEST,
        "grep, egrep, fgrep, zgrep, rg, diff, cmp, pgrep",
        "grep(1), diff(1), cmp(1), pgrep(1): 1 is an answer, 2 an error",
    ),
    Fact(
        Trait.BUILDS,
        "make, gmake, ninja, ctest, pytest, tox, nox, phpunit, rspec, jest, vitest, mocha, "
        "bats, xcodebuild, mvn, gradle, gradlew, cargo "
        "build|test|check|clippy|install|publish|bench|nextest, go "
        "build|test|vet|install|generate, npm test|t|run|run-script|ci|install|i|publish|pack, "
        "yarn test|run|build|install|publish, pnpm test|run|build|install|publish, meson "
        "compile|test|install, docker build, podman build, bazel build|test|run, dotnet "
        "build|test|publish",
        "the manuals of these tools: an exit above 0 is a target or a test that failed",
    ),
    Fact(
        Trait.APPLIES,
        "terraform apply|destroy|import, tofu apply|destroy, ansible-playbook, helm "
        "install|upgrade, kubectl apply|replace, pulumi up|destroy, cdk deploy|destroy, "
        "serverless deploy",
        "the manuals of these tools: an exit above 0 says that not all was applied",
    ),
    Fact(
        Trait.FETCHES,
        "curl, wget, ssh, aws, gsutil, gcloud auth|compute|container|storage|secrets, az, "
        "kubectl get|describe|logs|config, oc get, gh api|release|pr|repo, psql, mysql, docker "
        "inspect|exec, vault read|kv",
        "curl(1) EXIT CODES, wget(1), ssh(1): a connection or a server that is not there",
    ),
    Fact(
        Trait.DOWNLOADS,
        "curl, wget",
        "curl(1), wget(1): they transfer the text of a URL",
    ),
    Fact(
        Trait.PACKS,
        "mysqldump, pg_dump, pg_dumpall, mongodump, docker save|export, podman save|export, git "
        "archive|bundle, zfs send, btrfs send, xtrabackup",
        "pg_dump(1), mysqldump(1), docker-save(1), git-archive(1): written to standard output "
        "as it goes",
    ),
    Fact(
        Trait.LIGHT,
        "gzip, bzip2, xz, zstd, lz4, pigz, pbzip2, pv, dd, gpg, openssl enc, cat, tee, sh, "
        "bash, zsh, dash, sed, awk, gawk, sort, tr, cut, base64, wc, head, tail, md5sum, "
        "sha1sum, sha256sum, sha512sum, uniq, jq, column, fmt, split",
        "measured: `false | PROGRAM` exits 0 (jq 1.6, gzip 1.12, zstd 1.5, gpg 2.2, openssl "
        "3.0, …)",
    ),
    Fact(
        Trait.ONLOOKER,
        "tee, tail, head, cat, ts, less, more, pv",
        "POSIX XCU tee, tail, head, cat: above 0 for an error of their own files only",
    ),
    Fact(
        Trait.STEP,
        "false, cp, mv, install, chown, ln, tar, unzip, gunzip, patch, curl, wget, scp, rsync, "
        "ssh, mount, umount, mkfs, dd, docker, podman, kubectl, helm, kind, terraform, gcloud, "
        "aws, az, systemctl, service, useradd, userdel, usermod, groupadd, dpkg, rpm, apt, "
        "apt-get, apk, dnf, yum, pacman, zypper, brew, snap, pip, pip3, npm, yarn, pnpm, make, "
        "cmake, go, cargo, pwconv, grpconv, pwunconv, grpunconv, sha256sum, gpg, openssl, psql, "
        "mysql, createdb, dropdb, git "
        "add|am|apply|checkout|clone|commit|fetch|merge|pull|push|rebase|reset|tag",
        "hier(7) and the manuals: they write files, packages, services or data",
    ),
    Fact(
        Trait.COPIES,
        "cp, mv, rsync, scp, tar, dd, unzip, curl, wget, apt-get, apt, dnf, yum, pip, pip3",
        "their manuals: they end when all is copied",
    ),
    Fact(
        Trait.PUBLISHES,
        "scp, sftp, docker push, podman push, git push, npm publish, yarn publish, pnpm "
        "publish, cargo publish, twine upload, gem push, mvn deploy, helm upgrade|install|push, "
        "kubectl apply|set|replace, terraform apply, gh release, goreleaser, aws s3, gsutil "
        "cp|rsync, gcloud app|run, flyctl deploy, fly deploy, vercel, netlify deploy, "
        "serverless deploy, ansible-playbook, cap deploy",
        "the manuals of these tools: what others get from then on",
    ),
    Fact(
        Trait.CHANGES_FILES,
        "rm, mv, cp, ln, chmod, chown, chgrp, patch, unzip, rmdir, truncate, shred",
        "POSIX XCU, coreutils(1): they change what their operands name",
    ),
    Fact(
        Trait.USES_FOLDER,
        "make, gmake, ninja, cmake, npm, yarn, pnpm, cargo, go, mvn, gradle, bundle, composer, "
        "git "
        "add|am|apply|checkout|clean|commit|fetch|merge|pull|push|rebase|reset|rm|stash|submodule|switch|tag",
        "the manuals of these tools: the project is that of the working folder",
    ),
    Fact(
        Trait.VARIES,
        "cat, zcat, tac, sort, head, tail, ls, find, grep, egrep, fgrep, zgrep, git, kubectl, "
        "oc, docker, podman, nerdctl, helm, kind, k3d, incus, lxc, aws, gcloud, az, gh, curl, "
        "wget, ip, ifconfig, ss, netstat, lsof, lsblk, lspci, lsusb, df, mount, blkid, udevadm, "
        "dmesg, journalctl, systemctl, launchctl, ps, pgrep, jobs, rpm, dpkg, dpkg-query, apt, "
        "apt-cache, apt-get, yum, dnf, apk, pacman, brew, snap, pip, pip3, npm, cargo, go, "
        "which, type, command, tar, unzip, openssl, getent, last, who, netns, ko, jq, yq, sed, "
        "awk, tr, cut, du, ssh, virsh",
        "their manuals: they show a state that changes",
    ),
    Fact(
        Trait.TELLS,
        "echo, printf, print, uname, make, $MAKE, ${MAKE}, date, env, set",
        "POSIX XCU: their output is their operands, or fixed",
    ),
    Fact(
        Trait.TELLS,
        "dnf info, yum info, zypper info, apt-cache show|policy, brew info",
        "dnf(8), zypper(8), apt-cache(8): the fields of a package of the catalogue, installed or not",
    ),
    Fact(
        Trait.VIEWS,
        "cat, zcat, sort, head, tail, tac, strings, find, ls, grep, egrep",
        "POSIX XCU: they print what they read",
    ),
    Fact(
        Trait.LONG,
        "yes, find, journalctl, dmesg, zcat, bzcat, xzcat, strings, locate, apt-cache, dpkg "
        "-[lLS]|--list|--listfiles|--get-selections, rpm -q?a|-ql|-qa|--all, tar "
        "-?[a-z]*t[a-z]*|--list, unzip -[lvZ], ps -?a?u?x|-?aux\\w*|-e\\w*|-A\\w*, seq "
        "\\d{5\\,}, apt list|search, yum list|search, dnf list|search, du -\\w*a\\w*|--all",
        "measured on Debian 12: above 64 KiB (pipe(7)) on a usual system",
    ),
)
SEPARATOR = re.compile(r"(?<!\\),\s*")
# A project's own script: `./run-tests.sh`, `scripts/build`.
OWN_SCRIPT = re.compile(r"(?:.*/)(?:[^/]*[-_.])?(?:tests?|build|check)(?:[-_.][^/]*)?\Z")
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
MAY_BUILD = re.compile(r"tests?|build|check|\A(?:sh|bash|zsh|dash|ksh|cmake|python3?)\Z")
CMAKE = frozenset({"--build", "--install"})
# gpg 2.2 was measured: it exits 2 where there is nothing to read ("no valid OpenPGP data found").
NEEDS_INPUT = frozenset({"--dearmor", "--import", "--verify", "--decrypt"})
# With these options nothing is built, fetched or applied.
QUERIES = re.compile(
    r"--dry-run(?:=.*)?|--just-print|--version|-V|--help|-h|-list.*|--collect-only"
)
# make(1): print only, touch only, print the database, ask whether it is up to date.
MAKE_QUERIES = re.compile(r"-[npqt]+|--question|--touch|--print-data-base")
MAKES = frozenset({"make", "gmake"})


@cache
def _table() -> Mapping[Trait, Mapping[str, re.Pattern[str] | None]]:
    table: defaultdict[Trait, dict[str, re.Pattern[str] | None]] = defaultdict(dict)
    for fact in FACTS:
        for entry in SEPARATOR.split(fact.programs):
            program, _, pattern = entry.partition(" ")
            wanted = re.compile(pattern.replace("\\,", ",")) if pattern else None
            known = table[fact.trait].get(program)
            if wanted is not None and known is not None:
                wanted = re.compile(f"{known.pattern}|{wanted.pattern}")
            table[fact.trait][program] = wanted
    return table


@cache
def names(trait: Trait) -> frozenset[str]:
    """The programs that have a trait, whatever their operands, as in messages and sets."""
    return frozenset(name for name, pattern in _table()[trait].items() if pattern is None)


def has_trait(trait: Trait, command: str, words: Sequence[str]) -> bool:
    """Whether `words`, which run the program `command`, have a trait."""
    if trait is Trait.BUILDS:
        return _builds(command, words)
    if trait in {Trait.FETCHES, Trait.APPLIES} and any(map(QUERIES.fullmatch, words)):
        return False
    return _is_listed(trait, command, words)


def _is_listed(trait: Trait, command: str, words: Sequence[str]) -> bool:
    listed = _table()[trait]
    if command not in listed:
        return False
    pattern = listed[command]
    own = words[look_through(words) :]
    # A value of an option may stand before the sub-command: `git -C site push`.
    first = own[1:2] if trait is Trait.LONG else operands(own)[:2]
    return pattern is None or any(pattern.fullmatch(unquoted(word)) for word in first)


def _builds(command: str, words: Sequence[str]) -> bool:
    # Most commands are none of these, and rules ask of every one.
    if command not in _table()[Trait.BUILDS] and not MAY_BUILD.search(command):
        return False
    own = list(words[look_through(words) :])
    if any(QUERIES.fullmatch(word) for word in own):
        return False
    if command in MAKES and any(MAKE_QUERIES.fullmatch(word) for word in own):
        return False
    if own and OWN_SCRIPT.match(own[0]):
        return True
    if command in SHELLS:
        return any(OWN_SCRIPT.match(unquoted(word)) for word in operands(own)[:1])
    if command == "cmake":
        return any(word in CMAKE for word in own)
    if command in {"python", "python3"}:
        module = own[own.index("-m") + 1 :] if "-m" in own else []
        return module[:1] in (["pytest"], ["unittest"])
    return _is_listed(Trait.BUILDS, command, words)


def packs(command: str, words: Sequence[str]) -> bool:
    """Whether a program writes a dump or an archive to its standard output."""
    if command == "tar":
        own = words[look_through(words) :]
        creates = has_flag(own, "c", "--create") or bool(own[1:] and re.match(r"\w*c", own[1]))
        to_file = file_of_tar(own)
        return creates and to_file in {None, "-"}
    return _is_listed(Trait.PACKS, command, words)


def file_of_tar(words: Sequence[str]) -> str | None:
    """The archive that `words`, which begin with tar, name by `f` or `--file`; None without one."""
    for at, word in enumerate(words[1:], 1):
        if word.startswith("--file="):
            return word.partition("=")[2]
        if word.startswith("--"):
            continue
        bundle = word[1:] if word.startswith("-") else word if at == 1 else ""
        if "f" in bundle:
            given = bundle.partition("f")[2] if word.startswith("-") else ""
            return given or next(iter(words[at + 1 :]), None)
    return None


def takes_nothing(command: str, words: Sequence[str]) -> bool:
    """Whether a program takes an empty or a cut input for a good one."""
    own = words[look_through(words) :]
    if has_flag(own, "d", "--decompress"):
        return False
    if command == "gpg" and not NEEDS_INPUT.isdisjoint(own):
        return False
    if command == "ssh":
        remote = unquoted(own[-1]).split() if len(own) > 2 else []
        return bool(remote) and _is_listed(Trait.LIGHT, remote[0], remote)
    return _is_listed(Trait.LIGHT, command, words)

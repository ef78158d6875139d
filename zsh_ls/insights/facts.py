"""What is known of programs that no script says: which cannot fail in practice, which publish, and more.

One table for all static rules; each row names where its knowledge is from. What an exit of 1 means
that is no failure is in `shell.status.exit_codes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from functools import cache

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
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
    CHOOSES = auto()
    """Has a person choose, who sees that nothing was chosen."""
    UNLOCKS = auto()
    """Hands out what a store keeps locked, or a kit that is installed apart: it may refuse or be missing."""
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
    READS = auto()
    """Only reads, and answers or prints; `effects.only_reads` looks at its arguments as well."""
    WORKS_ON_FILES = auto()
    """Makes, changes or removes files that its arguments name; `effects.file_work` says which."""
    TELLS_OF_ITSELF = auto()
    """With `--version` or `--help` first, prints that and does nothing else."""
    RUNS_ANOTHER = auto()
    """Does nothing itself but run the command in its operands, changed by nothing but its surroundings."""
    NETWORK = auto()
    """Reaches the network."""
    SENDS = auto()
    """Gives something to others that is no deployment: a message, a mail."""
    DESTROYS = auto()
    """Removes what others than the script made, and is no file: data, containers, users, commits."""


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
    Fact(
        Trait.CHOOSES,
        "fzf, fzf-tmux, sk, peco, percol, gum, dialog, whiptail, zenity, rofi, dmenu, wofi, bemenu, choose",
        "fzf(1), dialog(1), zenity(1): 130 or 1 where the person cancelled",
    ),
    Fact(
        Trait.UNLOCKS,
        "ansible-vault, sops, pass, op, bw, lpass, vault, gpg, gpg2, age, security, chamber, doppler, "
        "openssl, xcrun, pkg-config, llvm-config, conda, terraform output, tofu output, heroku, git "
        "describe|ls-remote|fetch|clone",
        "ansible-vault(1), pass(1), gpg(1), xcrun(1), pkg-config(1), git-describe(1): above 0 where the key, "
        "the kit, the package or the tag is not there",
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
        "-?[a-z]*t[a-z]*|--list, unzip -[lvZ], seq "
        "\\d{5\\,}, apt list|search, yum list|search, dnf list|search, du -\\w*a\\w*|--all",
        "measured on Debian 12: above 64 KiB (pipe(7)) on a usual system",
    ),
    Fact(
        Trait.READS,
        "cat, head, tail, wc, nl, tac, rev, od, hexdump, xxd, strings, cut, paste, join, comm, fold, fmt, "
        "column, expand, unexpand, tr, tsort, uniq, sort, diff, diff3, cmp, base32, base64, basenc, sum, "
        "cksum, b2sum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, numfmt, seq, factor, "
        "pr, ptx, shuf",
        "POSIX XCU OUTPUT FILES: none; coreutils(1), util-linux: but for -o and the like",
    ),
    Fact(
        Trait.READS,
        "grep, egrep, fgrep, zgrep, zcat, bzcat, xzcat, zstdcat, zless, zmore, zdiff, zcmp, jq, rg, ag, "
        "locate, sed, awk, gawk, mawk, nawk, find, fd, tree, file, less, more, xmllint",
        "grep(1), jq(1), find(1), sed(1), awk(1): to standard output, but for what `effects` refuses",
    ),
    Fact(
        Trait.READS,
        "ls, dir, vdir, stat, du, df, basename, dirname, realpath, readlink, pathchk, pwd, test, [, expr, "
        "bc, dc, echo, printf, true, false, yes, sleep, cal, getopt, gettext, ngettext, envsubst",
        "POSIX XCU, coreutils(1): they ask the file system, work out values, or wait",
    ),
    Fact(
        Trait.READS,
        "id, whoami, who, w, users, groups, logname, hostid, hostname, uname, arch, nproc, uptime, free, "
        "vmstat, lscpu, lsblk, lsb_release, getconf, getent, locale, tty, tput, infocmp, printenv, date, "
        "ps, pgrep, pidof, which, whereis, type, ldd, nm, readelf, size, dircolors, last, lsof, sw_vers",
        "POSIX XCU, procps(1), util-linux(8): they show the state of the machine",
    ),
    Fact(
        Trait.READS,
        "dpkg -l|--list|-s|--status|-L|--listfiles|-S|--search|--print-architecture|--compare-versions, "
        "dpkg-query, dpkg-architecture, apt-cache, rpm -q\\w*|--query|--eval, pacman -Q\\w*, "
        "dpkg-parsechangelog",
        "dpkg(1), dpkg-query(1), apt-cache(8), rpm(8): queries alone",
    ),
    Fact(
        Trait.READS,
        "git status|log|diff|show|rev-parse|describe|ls-files|rev-list|cat-file|for-each-ref|merge-base|"
        "blame|annotate|shortlog|grep|ls-tree|name-rev|show-ref|diff-index|diff-tree|diff-files|var|"
        "check-ignore|check-attr|cherry|whatchanged|count-objects|show-branch|verify-commit|verify-tag|"
        "version|help|branch|tag|config|remote|symbolic-ref|stash|worktree|notes|submodule|reflog",
        "git(1): ancillary interrogators, and those of `effects` where they only list",
    ),
    Fact(
        Trait.WORKS_ON_FILES,
        "mkdir, rmdir, touch, cp, mv, ln, link, rm, unlink, shred, chmod, chown, chgrp, tee, mktemp, "
        "tempfile, install, truncate, split, csplit, tar, zip, unzip, gzip, gunzip, bzip2, "
        "bunzip2, xz, unxz, "
        "zstd, unzstd, lz4, patch, dos2unix, unix2dos, setfacl, mkfifo, sed, sort, uniq, find, fd, awk, "
        "gawk, dd, cpio, xxd, base64, tree, xmllint, fallocate",
        "POSIX XCU, coreutils(1), tar(1), gzip(1): what they write is named by their operands",
    ),
    Fact(
        Trait.TELLS_OF_ITSELF,
        "curl, wget, rsync, gpg, gpg2, openssl, tar, gzip, bzip2, xz, zip, unzip, patch, install, cp, mv, "
        "ln, rm, mkdir, chmod, chown, tee, mktemp, touch, docker, systemctl, journalctl, screen, svn, hg",
        "GNU Coding Standards 4.8 (--version, --help: print, then exit successfully); curl(1), wget(1), "
        "gpg(1), docker(1), systemctl(1)",
    ),
    Fact(
        Trait.RUNS_ANOTHER,
        "env, nohup, nice, ionice, timeout, setsid, stdbuf, xargs, time, chronic, command, unbuffer, "
        "parallel, watch, chrt, taskset, setarch, linux32, linux64, eatmydata, catchsegv, run-parts, flock",
        "POSIX XCU env, nohup, nice, xargs; util-linux(1): the command's own name is looked up on PATH",
    ),
    Fact(
        Trait.NETWORK,
        "curl, wget, aria2c, ssh, scp, sftp, ftp, lftp, tftp, rsync, nc, ncat, netcat, socat, telnet, ping, "
        "dig, nslookup, host, whois, traceroute, nmap, openssl s_client, git "
        "push|pull|fetch|clone|ls-remote|submodule, apt-get "
        "update|install|upgrade|dist-upgrade|build-dep|source|"
        "download, apt update|install|upgrade|full-upgrade, yum install|update|makecache, dnf "
        "install|update|upgrade|makecache, apk add|update|upgrade, pacman -S\\w*, zypper "
        "install|in|refresh|update, brew install|update|upgrade|tap, snap install|refresh, pip "
        "install|download|index, pip3 install|download|index, pipx install|upgrade, uv sync|add|pip|lock, "
        "poetry install|update|add|publish, npm install|i|ci|publish|view|info|audit|update|login|whoami, "
        "yarn install|add|publish|upgrade, pnpm install|i|add|publish|update, npx, bundle "
        "install|update, gem install|push|fetch, cargo install|publish|fetch|update|add|search|yank, go "
        "get|install|mod, composer install|update|require, mvn, gradle, twine, docker "
        "pull|push|login|search|run, podman pull|push|login|search|run, skopeo, crane, kubectl, oc, helm, "
        "terraform, tofu, pulumi, ansible, ansible-playbook, aws, gcloud, gsutil, bq, az, "
        "doctl, heroku, fly, "
        "flyctl, vercel, netlify, firebase, wrangler, serverless, gh, glab, hub, psql, mysql, mysqldump, "
        "pg_dump, pg_restore, mongo, mongosh, mongodump, redis-cli, s3cmd, rclone, restic, ntpdate, "
        "certbot, vault, consul, cap, goreleaser, mail, mailx, sendmail, msmtp, mutt, swaks, telegram-send",
        "the manuals of these tools: they talk to another machine, or to a server",
    ),
    Fact(
        Trait.SENDS,
        "mail, mailx, sendmail, msmtp, mutt, swaks, telegram-send, slackcat, wall, write, notify-send",
        "mail(1), sendmail(8), wall(1): somebody reads it",
    ),
    Fact(
        Trait.DESTROYS,
        "dropdb, dropuser, userdel, groupdel, deluser, delgroup, mkfs, wipefs, mkswap, lvremove, vgremove, "
        "pvremove, blkdiscard, sgdisk, parted, fdisk, zfs destroy, zpool destroy, btrfs delete, docker "
        "rm|rmi|prune|kill, podman rm|rmi|prune|kill, docker-compose down|rm, kubectl delete|drain, helm "
        "uninstall|delete|del, terraform destroy, tofu destroy, pulumi destroy, cdk destroy, serverless "
        "remove, apt-get remove|purge|autoremove, apt remove|purge|autoremove, dpkg "
        "-r|--remove|-P|--purge, yum remove|erase|autoremove, dnf remove|erase|autoremove, apk del, pacman "
        "-R\\w*, brew uninstall|remove|rm, snap remove, pip uninstall, pip3 uninstall, npm "
        "uninstall|unpublish, "
        "crontab -r, git clean, gh delete, redis-cli flushall|FLUSHALL|flushdb|FLUSHDB, pm2 delete, "
        "restic forget|prune, mongorestore --drop",
        "the manuals of these tools: what they remove is not a file that the script names",
    ),
)
SEPARATOR = re.compile(r"(?<!\\),\s*")
# A project's own script: `./run-tests.sh`, `scripts/build`.
OWN_SCRIPT = re.compile(r"(?:.*/)(?:[^/]*[-_.])?(?:tests?|build|check)(?:[-_.][^/]*)?\Z")
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
LONGEST_NAME = 255
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
# `npm install` prepares the project, `npm install NAME` adds to it or to the machine.
INSTALLERS = frozenset({"npm", "pnpm"})
MAKES = frozenset({"make", "gmake"})
# For these an option may be what decides: `dpkg -l`, `crontab -r`.
OF_REHEARSALS = frozenset({Trait.READS, Trait.NETWORK, Trait.DESTROYS})


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
    if trait in OF_REHEARSALS:
        first = [*own[1:2], *first]
    return pattern is None or any(pattern.fullmatch(unquoted(word)) for word in first)


def _builds(command: str, words: Sequence[str]) -> bool:
    # No program's name is as long as a hostile line, which a pattern would search for 50 ms.
    if len(command) > LONGEST_NAME:
        return False
    # Most commands are none of these, and rules ask of every one.
    if command not in _table()[Trait.BUILDS] and not MAY_BUILD.search(command):
        return False
    own = list(words[look_through(words) :])
    if any(QUERIES.fullmatch(word) for word in own):
        return False
    if command in MAKES and any(MAKE_QUERIES.fullmatch(word) for word in own):
        return False
    # A package that is named is a tool, and no part of what is made here.
    wanted = operands(own)
    if command in INSTALLERS and wanted[:1] in (["install"], ["i"]) and len(wanted) > 1:
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


def unpacks(command: str, words: Sequence[str]) -> bool:
    """Whether a program extracts an archive that comes in, here or through ssh."""
    own = words[look_through(words) :]
    if command == "ssh":
        remote = own[2:]
        own = unquoted(remote[0]).split() if len(remote) == 1 else list(map(unquoted, remote))
        command = own[0] if own else ""
    return command == "tar" and (
        has_flag(own, "x", "--extract") or bool(own[1:] and re.match(r"\w*x", own[1]))
    )


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


def is_silent(words: Sequence[str]) -> bool:
    """Whether a download is told not to say why it failed: `curl -s` without `-S`, `wget -q`."""
    silent = has_flag(words, "s", "--silent") and not has_flag(words, "S", "--show-error")
    return silent or has_flag(words, "q", "--quiet")


def refuses_a_wrong_address(command: str, words: Sequence[str]) -> bool:
    """Whether a download fails where the server has no such page: `wget`, `curl -f`."""
    return command == "wget" or (command == "curl" and has_flag(words, "f", "--fail"))


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


_QUOTED = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_INTO_A_FILE = re.compile(r">(?!&\d)")
_DECLARES = frozenset({"declare", "export", "local", "readonly", "typeset"})


def only_asks_or_tells(command: str) -> bool:
    """Whether a command as written is a test, prints, or declares a plain value: what hardly ever fails.

    A test fails to answer, and its failure without notice is no loss.
    """
    first = "".join(command.split(maxsplit=1)[:1])
    if first in _DECLARES:
        return "$(" not in command and "`" not in command
    if first in names(Trait.SAYS):
        # A file that is written can be on a full disk.
        return _INTO_A_FILE.search(_QUOTED.sub("", command)) is None
    return first in {"[", "[[", "test"} or first.startswith("((")

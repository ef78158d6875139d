"""Commands that run the command in their operands (`sudo`, `env`, `time`), and how to find that command.

Used for exit meanings, templates, manual pages, the verbosity resolver, and ALAN-9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.syntax import Pipeline, Segment, SegmentKind

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")

# Reserved words that may precede a command.
RESERVED = frozenset({"!", "{", "do", "elif", "else", "if", "then", "until", "while", "coproc"})


class Wrapper(NamedTuple):
    """Which words of a wrapper are its own, before the command it runs.

    `valued` are its options whose value is the next word (`-u root`),
    `operands` the words of its own before the command (`timeout 5 …`), `queries`
    the options with which it runs nothing, `runs` the sub-commands that must
    come first (`docker exec`).
    """

    valued: frozenset[str] = frozenset()
    operands: int = 0
    queries: frozenset[str] = frozenset()
    runs: frozenset[str] = frozenset()


def _wrapper(valued: str = "", operands: int = 0, queries: str = "", runs: str = "") -> Wrapper:
    return Wrapper(
        frozenset(valued.split()), operands, frozenset(queries.split()), frozenset(runs.split())
    )


# Wrappers whose exit status is that of the command they run.
TRANSPARENT: Mapping[str, Wrapper] = {
    "-": _wrapper(),
    "builtin": _wrapper(),
    "busybox": _wrapper(queries="--list --install --help"),
    "caffeinate": _wrapper("-t -w"),
    "chronic": _wrapper(),
    "chrt": _wrapper("-T -P -D", 1, "-p --pid -m --max"),
    "command": _wrapper(queries="-v -V"),
    "dbus-run-session": _wrapper("--config-file --dbus-daemon"),
    "doas": _wrapper("-u -C -a", queries="-L"),
    "env": _wrapper("-u --unset -C --chdir -a --argv0"),
    "exec": _wrapper("-a"),
    "fakeroot": _wrapper("-l -s -i -b"),
    "faketime": _wrapper("-f", 1),
    "flock": _wrapper("-w --wait --timeout -E --conflict-exit-code", 1),
    "gtimeout": _wrapper("-k -s --kill-after --signal", 1),
    "ionice": _wrapper("-c -n --class --classdata", queries="-p --pid -P -u"),
    "linux32": _wrapper(),
    "linux64": _wrapper(),
    "ltrace": _wrapper("-e -o -n -s -u -l -x"),
    "nice": _wrapper("-n --adjustment"),
    "nocorrect": _wrapper(),
    "noglob": _wrapper(),
    "nohup": _wrapper(),
    "numactl": _wrapper("-m -N -C -p -i", queries="-s -H --show --hardware"),
    "prlimit": _wrapper(queries="-p --pid"),
    "proxychains": _wrapper("-f"),
    "proxychains4": _wrapper("-f"),
    "rlwrap": _wrapper("-f -H -s -b -C -P -S"),
    "setarch": _wrapper("", 1),
    "setpriv": _wrapper("--reuid --regid --groups --pdeathsig"),
    "setsid": _wrapper(),
    "sshpass": _wrapper("-p -f -d -P"),
    "stdbuf": _wrapper("-i -o -e --input --output --error"),
    "strace": _wrapper("-e -o -p -s -u -E -P -S -a -O"),
    "sudo": _wrapper(
        "-u -g -p -h -C -r -t -T -R -D -U --user --group --prompt --host --role --type"
        " --chdir --chroot --close-from --command-timeout --other-user",
        queries="-l -v -V -k -K -e --list --validate --version --edit --remove-timestamp",
    ),
    "taskset": _wrapper("", 1, "-p --pid"),
    "time": _wrapper("-f -o --format --output"),
    "timeout": _wrapper("-k -s --kill-after --signal", 1),
    "torsocks": _wrapper(),
    "unbuffer": _wrapper(),
    "xvfb-run": _wrapper("-e -f -n -p -s -w --error-file --auth-file --server-num --server-args"),
}

_CONTAINER = (
    "-e -u -w -v -p --env --env-file --user --workdir --name --volume --publish --index"
    " --detach-keys"
)

# Wrappers whose exit status may be their own.
RUNNERS: Mapping[str, Wrapper] = {
    "aws-vault": _wrapper("-d --duration", 1, runs="exec"),
    "bundle": _wrapper(runs="exec"),
    "bunx": _wrapper("-p --package"),
    "corepack": _wrapper(),
    "direnv": _wrapper("", 1, runs="exec"),
    "docker": _wrapper(_CONTAINER, 1, runs="exec run"),
    "docker-compose": _wrapper(_CONTAINER, 1, runs="exec run"),
    "dotenv": _wrapper("-e -f -c"),
    "hatch": _wrapper(runs="run"),
    "kubectl": _wrapper("-c -n --container --namespace --context", 1, runs="exec"),
    "npx": _wrapper("-p --package -c --call"),
    "op": _wrapper("--env-file --account", runs="run"),
    "parallel": _wrapper("-j --jobs -a --arg-file -S --sshlogin --joblog --results"),
    "pdm": _wrapper("-p --project", runs="run"),
    "pipenv": _wrapper(runs="run"),
    "pipx": _wrapper("--spec --python", runs="run"),
    "pnpx": _wrapper("-p --package"),
    "podman": _wrapper(_CONTAINER, 1, runs="exec run"),
    "poetry": _wrapper("-C --directory -P --project", runs="run"),
    "rye": _wrapper(runs="run"),
    "ssh": _wrapper(
        "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", 1, queries="-V -Q -G"
    ),
    "uv": _wrapper(
        "--with --python -p --group --extra --package --directory --project", runs="run"
    ),
    "uvx": _wrapper("--with --from --python -p"),
    "valgrind": _wrapper(),
    "xargs": _wrapper(
        "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --replace"
    ),
}


def base_name(word: str) -> str:
    r"""The program that a command's first word names: `grep` for `/usr/bin/grep`, `\grep`, `=grep`."""
    return word.strip("'\"").lstrip("\\=").rstrip("/").rpartition("/")[2] or word


def past_assignments(words: Sequence[str], at: int = 0) -> int:
    """The index of the first word at or after `at` that is no assignment."""
    while at < len(words) and ASSIGNMENT.match(words[at]):
        at += 1
    return at


def past_options(words: Sequence[str], at: int, valued: frozenset[str]) -> int:
    """The index of the first operand at or after `at`, past options and values of `valued` ones."""
    while at < len(words) and words[at].startswith("-") and len(words[at]) > 1:
        option = words[at]
        at += 1
        if option == "--":
            break
        if option.startswith("--") or len(option) == 2:
            at += option in valued
        else:
            # In a cluster of letters the first one with a value takes the rest, or the next word: `-nu root`.
            letters = enumerate(option[1:], 1)
            first = next((place for place, letter in letters if f"-{letter}" in valued), 0)
            at += bool(first) and first == len(option) - 1
    return min(at, len(words))


def wrapped_at(words: Sequence[str], wrapper: Wrapper) -> int | None:
    """The index of the command that the wrapper at `words[0]` runs; None if it runs none."""
    at = past_options(words, 1, wrapper.valued)
    if wrapper.queries.intersection(words[1:at]):
        return None
    if wrapper.runs:
        if at >= len(words) or words[at] not in wrapper.runs:
            return None
        at = past_options(words, at + 1, wrapper.valued)
    at = past_assignments(words, at) + wrapper.operands
    return past_options(words, at, frozenset()) if at < len(words) else None


def program_positions(
    words: Sequence[str], wrappers: Mapping[str, Wrapper] = TRANSPARENT, *, limit: int = 16
) -> list[int]:
    """The indexes of the programs in `words`: the wrappers in order, then the command they run."""
    at = 0
    while at < len(words) and words[at] in RESERVED:
        at += 1
    at = past_assignments(words, at)
    found: list[int] = []
    while at < len(words) and len(found) < limit:
        found.append(at)
        wrapper = wrappers.get(base_name(words[at]))
        inner = wrapped_at(words[at:], wrapper) if wrapper else None
        if inner is None:
            break
        at = past_assignments(words, at + inner)
    return found


def look_through(words: Sequence[str], wrappers: Mapping[str, Wrapper] = TRANSPARENT) -> int:
    """The index of the command after reserved words, assignments and `wrappers`.

    `len(words)` if there is none.
    """
    positions = program_positions(words, wrappers)
    return positions[-1] if positions else len(words)


# A name without path, quotes or assignment, for which no search is needed.
PLAIN = re.compile(r"[\w.+-]++")
LOOKED_THROUGH = RESERVED | TRANSPARENT.keys()


def command_word(words: Sequence[str]) -> str:
    """The base name of the command that `words` run: `grep` for `sudo LC_ALL=C /usr/bin/grep x f`.

    Assignments and wrappers (TRANSPARENT) are skipped; `""` if only assignments are
    left. A pipeline's `!` is skipped too: the segment's own status is meant, not the
    inverted one.
    """
    if words and PLAIN.fullmatch(words[0]) and words[0] not in LOOKED_THROUGH:
        return words[0]
    at = look_through(words)
    return base_name(words[at]) if at < len(words) else ""


_TRANSPARENT = frozenset({SegmentKind.SUBSHELL, SegmentKind.GROUP})
_SIMPLE = frozenset({SegmentKind.SIMPLE, SegmentKind.CONDITION, SegmentKind.ARITHMETIC})


def last_simple(pipelines: Sequence[Pipeline]) -> Segment | None:
    """The last segment of the last pipeline, also within `( … )` and `{ …; }`.

    None if another compound command is last: which of its commands set the exit
    status is known only at run time.
    """
    while pipelines and pipelines[-1].segments:
        segment = pipelines[-1].segments[-1]
        if segment.kind in _SIMPLE:
            return segment
        if segment.kind not in _TRANSPARENT or not segment.bodies:
            return None
        pipelines = segment.bodies[-1].pipelines
    return None

"""Rehearse foreign scripts, and compare each line with a whole run in a throw-away root file system.

    python -m tests.evidence.rehearsals draw MIRRORS LIST.tsv
    python -m tests.evidence.rehearsals compare MIRRORS LIST.tsv FOLDER [NUMBER…]

LIST is `rehearsal-scripts.tsv`, whose first line is the seed, written before anything was drawn. MIRRORS
has a folder `owner+name` for each repository. `draw` lists scripts that install, release, deploy or clean
up, at most two of a repository. `compare` checks each out below FOLDER, which must not lie in a temporary
folder, rehearses it, then runs it whole, as root without capabilities, over a layer that is thrown away,
without network, traced by the shell itself (scripts of sh by bash in its POSIX mode); and fills in the
columns. Nothing is run outside of both.

The two runs are compared up to the place where they part: where a line is reached in one alone. They may
part, and a line's words may differ, only behind a line that the page says is not known: a stand-in, or a
value that one would have given. Other differences are `unmarked`.
"""

from __future__ import annotations

import csv
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from zsh_ls.rehearsal.beginnings import Beginnings
from zsh_ls.rehearsal.recording import masked_words
from zsh_ls.rehearsal.rehearse import rehearse
from zsh_ls.rehearsal.request import NotRehearsed, RehearsalRefused, RehearsalRequest
from zsh_ls.shell.redaction.names import names_a_secret
from zsh_ls.shell.redaction.redact import MARKER, mask_output, redact
from zsh_ls.shell.syntax.dialect import dialect_of, interpreter_of
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar.rehearsing import as_plain

TOTAL, PER_REPOSITORY = 40, 2
NAME = re.compile(
    r"deploy|release|install|clean|publish|setup|bootstrap|upgrade|update|package|dist"
)
NOT_TOLD = re.compile(r"(^|/)(tests?|fixtures|_support|completions)/")
SUFFIXES = frozenset({"", ".sh", ".bash", ".zsh"})
SHELLS = frozenset({"zsh", "bash", "sh", "dash"})
SMALLEST_BYTES, LARGEST_BYTES = 100, 40_000
TIMEOUT_S = 40
COLUMNS = ("number", "repository", "commit", "path")
# What its own usage or its first checks ask for, written in by hand; `{workspace}` is the checkout.
GIVEN = ("folder", "arguments", "environment")
FOUND = ("end", "exit", "whole_exit", "lines", "stand_ins", "differences", "unmarked", "what")
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "USER": "root",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
}
PRIVATE = ("/tmp", "/var/tmp", "/run", "/dev", "/proc")
MARK = "zsh-ls-line"
_TRACED = re.compile(rf"^\++{MARK} (\d+)@(.*?)@ (.*)$")
# What differs between any two runs: names of temporary files, times, process numbers.
_VARIES = re.compile(r"/tmp/[^\s/'\"]+|\d{4,}")

# bash traces the heads of compound commands, for which dash, whose marks a rehearsal uses, has no place.
HEADS = {("case",), ("for",)}

Row = dict[str, str]


def draw(mirrors: Path, listing: Path) -> None:
    """Fill the list with scripts drawn by its seed."""
    seed = listing.read_text().splitlines()[0]
    found = []
    for folder in sorted(mirrors.iterdir()):
        git = _git_of(folder)
        if git is None:
            continue
        commit = _git(git, "rev-parse", "HEAD").decode().strip()
        names = sorted(_candidates(git, commit))
        chosen = random.Random(f"{seed} {folder.name}").sample(
            names, min(len(names), PER_REPOSITORY)
        )
        found += [(folder.name.replace("+", "/", 1), commit, name) for name in chosen]
    drawn = sorted(random.Random(seed).sample(found, TOTAL))
    rows = [
        dict(zip(COLUMNS, (str(number), *it), strict=True)) for number, it in enumerate(drawn, 1)
    ]
    _write(listing, seed, rows)


def _candidates(git: str, commit: str) -> Iterator[str]:
    for line in _git(git, "ls-tree", "-r", "-l", commit).decode().splitlines():
        meta, path = line.split("\t", 1)
        mode, _, blob, size = meta.split()
        name = os.path.basename(path)
        is_named = NAME.search(name) and not NOT_TOLD.search(path)
        if not is_named or os.path.splitext(name)[1] not in SUFFIXES or mode[:3] != "100":
            continue
        if SMALLEST_BYTES <= int(size) <= LARGEST_BYTES:
            text = _git(git, "cat-file", "blob", blob).decode("utf-8", "replace")
            found = interpreter_of(text)
            if found is not None and found.name in SHELLS:
                yield path


def _git_of(folder: Path) -> str | None:
    for place in (folder / "repo" / ".git", folder / "repo"):
        if (place / "HEAD").exists():
            return str(place)
    return None


def _git(git: str, *words: str) -> bytes:
    return subprocess.run(["git", "-C", git, *words], check=True, capture_output=True).stdout


def _write(listing: Path, seed: str, rows: Sequence[Row]) -> None:
    with listing.open("w", newline="") as file:
        file.write(f"{seed}\n")
        writer = csv.DictWriter(
            file, (*COLUMNS, *GIVEN, *FOUND), delimiter="\t", lineterminator="\n"
        )
        writer.writeheader()
        writer.writerows(rows)


def compare(mirrors: Path, listing: Path, folder: Path, numbers: Sequence[str]) -> None:
    """Rehearse and run each, or those of `numbers`, and fill in what was found."""
    seed, *lines = listing.read_text().splitlines()
    rows: list[Row] = list(csv.DictReader(lines, delimiter="\t"))
    for row in rows:
        if numbers and row["number"] not in numbers:
            continue
        git = _git_of(mirrors / row["repository"].replace("/", "+"))
        assert git is not None, row["repository"]
        place = folder / row["repository"].replace("/", "-")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        _git(git, f"--work-tree={place}", "checkout", "-q", "-f", row["commit"], "--", ".")
        _commit(place)
        row.update(_compared(place, row))
        print("\t".join(row[name] for name in ("number", "repository", "path", *FOUND)), flush=True)
        _write(listing, seed, rows)
        shutil.rmtree(place)
    told = [it for it in rows if it.get("end")]
    print(
        f"{len(told)} rehearsed, {sum(it['end'] == 'yes' for it in told)} reached their last line,"
        f" {sum(it['unmarked'] not in {'', '0'} for it in told)} with unmarked differences"
    )


def _commit(place: Path) -> None:
    """A repository of its own, as its users have one; the address of its origin leads nowhere."""
    own = ["-c", "user.name=n", "-c", "user.email=n@example.invalid", "-c", "commit.gpgsign=false"]
    for words in (
        ("init", "-q", "-b", "main"),
        ("add", "-A", "-f"),
        ("commit", "-q", "-m", "all"),
        ("remote", "add", "origin", "https://example.invalid/origin.git"),
    ):
        _git(str(place), *own, *words)


def _compared(workspace: Path, row: Row) -> Row:
    script, cwd = workspace / row["path"], workspace / (row["folder"] or ".")
    arguments = shlex.split((row["arguments"] or "").format(workspace=workspace))
    given = shlex.split((row["environment"] or "").format(workspace=workspace))
    environment = ENVIRONMENT | dict(it.split("=", 1) for it in given)
    request = RehearsalRequest(
        str(script), tuple(arguments), str(cwd), timeout_s=TIMEOUT_S, environment=environment
    )
    try:
        rehearsal = rehearse(request)
    except (RehearsalRefused, NotRehearsed) as refused:
        return {"end": "refused", "what": str(refused)[:120]}
    found = as_plain(rehearsal, first_line=1)
    told = {it["line"]: it for it in found["lines"] if "file" not in it}
    whole = whole_run(request, workspace)
    differences = list(_differences(told, whole))
    unmarked = [what for what, is_marked in differences if not is_marked]
    commands = [it for line in found["lines"] for it in line["commands"]]
    text = script.read_text(errors="replace")
    stopped = found.get("stopped", {}).get("reason")
    return {
        "end": f"stopped: {stopped}"
        if stopped
        else "yes"
        if _ends(text, told, found["exit"])
        else "no",
        "exit": str(found["exit"]),
        "whole_exit": str(whole.exit),
        "lines": str(len(told)),
        "stand_ins": str(sum(it["kind"] == "stub" for it in commands)),
        "differences": str(len(differences)),
        "unmarked": str(len(unmarked)),
        "what": " | ".join(unmarked)[:300].replace("\t", " ").replace("\n", " "),
    }


def _ends(text: str, told: dict[int, Any], status: int) -> bool:
    """Whether the last command of the text was reached, or the script left by an `exit 0` of its own."""
    index = LineIndex(text)
    script = parse(text, dialect_of(text))
    last = max((it.span.start for it in script.pipelines), default=0)
    return (
        index.line_of(last) + 1 in told or max(told, default=0) > index.line_of(last) or status == 0
    )


@attrs.frozen
class Whole:
    """A whole run: each traced command with its line, in order; its exit; the files that it changed."""

    steps: tuple[tuple[int, tuple[str, ...]], ...]
    exit: int
    changed: tuple[str, ...]


def whole_run(request: RehearsalRequest, workspace: Path) -> Whole:
    """Run a script over a layer of the whole file system, traced; the layer is thrown away."""
    with tempfile.TemporaryDirectory(prefix="whole-", dir=workspace.parent) as made:
        top = Path(made)
        script = Path(request.script)
        program = _program(request, top)
        done = subprocess.run(
            ["unshare", "--mount", "--fork", "sh", "-c", program],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            env={
                # As in the rehearsal, for a secret's value is told nowhere.
                name: MARKER if names_a_secret(name) else value
                for name, value in request.environment.items()
            },
            check=False,
        )
        trace = (top / "trace").read_text(errors="replace") if (top / "trace").exists() else ""
        trace += done.stderr.decode(errors="replace")
        changed = tuple(_changed(top / "kept", workspace))
    text = script.read_text(errors="replace")
    beginnings = Beginnings.of(text, dialect_of(text))
    interpreter = interpreter_of(text)
    is_sh = interpreter is not None and interpreter.name in {"sh", "dash"}
    steps = []
    for line in trace.splitlines():
        found = _TRACED.match(line)
        if found is not None and found[2] in {str(script), script.name}:
            try:
                words = tuple(shlex.split(found[3]))
            except ValueError:
                words = ()
            if is_sh and words[:1] in HEADS:
                continue
            number = beginnings.line(int(found[1]), re.sub(r"[^a-zA-Z0-9_.-]", "", found[3]))
            steps.append((number, words))
    return Whole(tuple(steps), done.returncode, changed)


def _program(request: RehearsalRequest, top: Path) -> str:
    script, arguments = Path(request.script), shlex.join(request.arguments)
    text = script.read_text(errors="replace")
    interpreter = interpreter_of(text)
    assert interpreter is not None
    name, given = interpreter.name, " ".join(interpreter.options)
    (top / "trace").touch()
    prompt = f"PS4='+{MARK} ${{LINENO}}@${{BASH_SOURCE[0]}}@ '"
    begin = f"unset BASH_ENV\nexec 9>>{top}/trace\nBASH_XTRACEFD=9\n{prompt}\nset -x\n"
    if name == "bash":
        (top / "env").write_text(begin)
        run = f"env BASH_ENV={top}/env bash {given} {script}"
    elif name == "zsh":
        run = f"env PS4='+{MARK} %I@%x@ ' zsh -x {given} {script}"
    else:
        # Debian's dash knows no line numbers.
        (top / "env").write_text(begin)
        inner = f'. {top}/env; set -o posix; . "$0"'
        run = f"bash {given} -c '{inner}' {script}"
    return f"""
set -e
mkdir {top}/layer
mount -t tmpfs tmpfs {top}/layer
mkdir {top}/layer/up {top}/layer/work {top}/layer/root
mount -t overlay overlay -o lowerdir=/,upperdir={top}/layer/up,workdir={top}/layer/work {top}/layer/root
set +e
bwrap --bind {top}/layer/root / --dev /dev --proc /proc --tmpfs /run --tmpfs /tmp --tmpfs /var/tmp \\
  --bind {top}/trace {top}/trace --unshare-all --die-with-parent --new-session --cap-drop ALL \\
  --chdir {shlex.quote(request.cwd)} -- timeout -k 1 {TIMEOUT_S} {run} {arguments}
status=$?
cp -a {top}/layer/up {top}/kept
exit $status
"""


def _changed(kept: Path, workspace: Path) -> Iterator[str]:
    """The files of a layer, as they are named outside; a device 0/0 is one that was removed."""
    own = f"{workspace.parent}/whole-"
    for place, _, files in os.walk(kept):
        for name in files:
            path = "/" + os.path.relpath(os.path.join(place, name), kept)
            if not path.startswith((own, *PRIVATE, f"{workspace}/.git/")):
                yield path


def _differences(told: dict[int, Any], whole: Whole) -> Iterator[tuple[str, bool]]:
    """Each difference, and whether the page had marked it as not known."""
    reached = {line for line, _ in whole.steps}
    unknown = False
    seen = defaultdict(set)
    for line, words in whole.steps:
        if line not in told:
            yield f"line {line} ran in the whole run alone", unknown
            return
        commands = told[line]["commands"]
        for it in commands:
            seen[line].add(_plain(it["argv"]))
        external = words and "=" not in words[0] and _is_external(words[0])
        depends = any(it.get("depends_on") for it in commands)
        if external and _plain(words) not in seen[line] and told[line]["count"] <= 10:
            names = {os.path.basename(it["argv"][0]) for it in commands if it["argv"]}
            what = f"line {line}: {shlex.join(words)[:80]!r} is not among {sorted(names)}"
            yield what, unknown or depends
            if not unknown and not depends:
                return
        unknown = unknown or depends or any(it["kind"] == "stub" for it in commands)
    alone = sorted(line for line in told if line and line not in reached and told[line]["commands"])
    if alone:
        yield f"line {alone[0]} ran in the rehearsal alone", unknown
        return
    if unknown:
        return
    writes = {it["path"]: it for line in told.values() for it in line["writes"]}
    removed = {
        it["path"] for line in told.values() for it in line["writes"] if it["action"] == "remove"
    }
    trees = [path + "/" for path, it in writes.items() if it.get("count") is not None]
    for path in whole.changed:
        if path not in writes and not path.startswith(tuple(trees)):
            yield f"{path} was written in the whole run alone", False
    for path, it in writes.items():
        is_there = path in whole.changed or any(one.startswith(path + "/") for one in whole.changed)
        is_gone = path in removed
        if (
            not is_there
            and not is_gone
            and not path.startswith(PRIVATE)
            and it.get("count") is None
        ):
            yield f"{path} was written in the rehearsal alone", False


def _plain(words: Sequence[str]) -> str:
    if not words:
        return ""
    words = masked_words(words, lambda text: redact(mask_output(text)))
    return _VARIES.sub("…", json.dumps([os.path.basename(words[0]), *words[1:]]))


def _is_external(name: str) -> bool:
    return shutil.which(name, path=ENVIRONMENT["PATH"]) is not None and name not in BUILTINS


BUILTINS = frozenset(
    [
        "echo",
        "printf",
        "test",
        "[",
        "true",
        "false",
        "pwd",
        "kill",
        "cd",
        "read",
        "wait",
        "umask",
        "type",
        "command",
        "exec",
        "eval",
        "time",
    ]
)


def main(words: Sequence[str]) -> int:
    """Draw or compare."""
    if len(words) == 3 and words[0] == "draw":
        draw(Path(words[1]), Path(words[2]))
    elif len(words) >= 4 and words[0] == "compare":
        compare(Path(words[1]), Path(words[2]), Path(words[3]), words[4:])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Records the cases of `cases.py` by really running them: `python -m tests.verbosity.record [NAME…]`.

The tools must be on PATH, node modules in NODE_MODULES: gcc, g++, make, cmake, ninja, cargo, java, perl,
git, curl, jq, sqlite3, shellcheck, clients of docker, kubectl and psql; from PyPI pytest, pytest-xdist,
pytest-cov, nose2, behave, tox, nox, coverage, invoke, doit, robotframework, meson, mkdocs, ruff, mypy,
flake8, pylint, black, isort, yamllint, bandit, django; from npm mocha, ava, tape, jest, vitest@2, jasmine,
uvu, typescript, eslint@8, prettier, webpack, webpack-cli, rollup.
Later groups name theirs in their commands. A timeout of -N seconds leaves the command running and
records what there was after N (a dev server).
Folders of the machine are replaced by `/home/user/…` in what is recorded.
"""

from __future__ import annotations

import gzip
import json
import os
import pty
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from .cases import CASES, LAST, LATER, Case
from .further_cases import FURTHER_RUNNERS
from .later_cases import LATER_RUNNERS
from .latest_cases import LATEST_RUNNERS
from .newest_cases import NEWEST_RUNNERS
from .runner_cases import RUNNER_CASES, RunnerCase

DATA = Path(__file__).parent.parent / "data" / "verbosity"
# The folder of each group of cases.
GROUPS: Mapping[str, tuple[RunnerCase, ...]] = {
    "runners": RUNNER_CASES,
    "later": LATER_RUNNERS,
    "latest": LATEST_RUNNERS,
    "newest": NEWEST_RUNNERS,
    "further": FURTHER_RUNNERS,
}
GZIP_FROM_BYTES = 8_000
BEFORE = ("exit", "pipestatus", "timed_out", "stdout", "stderr", "combined")


def held_out(name: str) -> bool:
    """Whether a case was not looked at while the rules were written: every second of the first ones."""
    later = {case.name for case in LATER + LAST}
    first = sorted(case.name for case in CASES if case.name not in later)
    return name not in later and first.index(name) % 2 == 1


def load(folder: Path) -> list[dict[str, object]]:
    """All recorded executions of a folder, in order of their file names."""
    texts = (
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for path in sorted(folder.iterdir())
    )
    return [json.loads(text) for text in texts]


def _prepare(case: Case | RunnerCase, folder: Path) -> None:
    for name, text in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if name.endswith(".sh"):
            path.chmod(0o755)
    if modules := os.environ.get("NODE_MODULES"):
        (folder / "node_modules").symlink_to(modules)
        (folder / ".gitignore").write_text("node_modules\n")
    if case.setup:
        subprocess.run(["bash", "-ec", case.setup], cwd=folder, check=True, capture_output=True)


def _trap(shell: str, report: str) -> str:
    """Shell code that writes `$?` and the pipeline's statuses to `report` when the shell exits."""
    if shell == "zsh":
        return f"zshexit() {{ print -- $? $pipestatus > {report}; }}\n"
    return f"trap 'echo $? ${{PIPESTATUS[*]}} > {report}' EXIT\n"


def _drain(sources: dict[int, str], deadline: float) -> tuple[dict[str, bytes], bytes, bool]:
    """Reads all sources to their end or the deadline: each stream, all in order, and "in time"."""
    streams = dict.fromkeys(sources.values(), b"")
    combined = b""
    with selectors.DefaultSelector() as selector:
        for fd, name in sources.items():
            selector.register(fd, selectors.EVENT_READ, name)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                return streams, combined, False
            for key, _ in ready:
                try:
                    piece = os.read(key.fd, 65536)
                except OSError:  # the terminal's other side is closed
                    piece = b""
                if not piece:
                    selector.unregister(key.fd)
                streams[key.data] += piece
                combined += piece
    return streams, combined, True


def _run(
    case: Case | RunnerCase, folder: Path, report: str
) -> tuple[dict[str, bytes], bytes, bool, int]:
    deadline = time.monotonic() + abs(case.timeout_s)
    argv = [
        case.shell,
        *(["-f"] if case.shell == "zsh" else []),
        "-c",
        _trap(case.shell, report) + case.command,
    ]
    env = {
        **os.environ,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "CARGO_TERM_QUIET": "false",
    }
    if case.via == "pty":
        ours, theirs = pty.openpty()
        streams_of = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    else:
        pipe = subprocess.PIPE
        streams_of = {"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe}
    process = subprocess.Popen(argv, cwd=folder, env=env, start_new_session=True, **streams_of)
    if case.via == "pty":
        os.close(theirs)
        sources = {ours: "stdout"}
    else:
        assert process.stdout is not None
        assert process.stderr is not None
        sources = {process.stdout.fileno(): "stdout", process.stderr.fileno(): "stderr"}
    streams, combined, in_time = _drain(sources, deadline)
    if not in_time:
        os.killpg(process.pid, signal.SIGKILL)
    return streams, combined, in_time, process.wait()


def _prefix_of_tools() -> str:
    """The environment whose Python is first on PATH, where that is another than this one's."""
    found = shutil.which("python")
    return str(Path(found).parent.parent) if found else "\0"


def _scrub(text: str, folder: Path) -> str:
    known: Mapping[str, str] = {
        str(folder): "/home/user/project",
        os.environ.get("NODE_MODULES", "\0"): "/home/user/project/node_modules",
        sys.prefix: "/home/user/.venv",
        _prefix_of_tools(): "/home/user/.venv",
        sys.base_prefix: "/usr",
        str(Path.home()): "/home/user",
        os.uname().nodename: "host",
    }
    for ours, theirs in known.items():
        text = text.replace(ours, theirs)
    return re.sub(r"/tmp/[\w.-]{6,}", "/tmp/private", text)


def record(case: Case | RunnerCase) -> dict[str, object]:
    """Runs the case and gives the recording with its labels."""
    with tempfile.TemporaryDirectory(prefix="record-") as name:
        folder = Path(name).resolve()
        _prepare(case, folder)
        if isinstance(case, Case):
            return {**_executed(case, folder), "must_keep": list(case.keep)}
        before = []
        for command in case.before:
            earlier = _executed(case._replace(command=command), folder)
            before.append({field: earlier[field] for field in BEFORE})
        if case.change:
            subprocess.run(["bash", "-ec", case.change], cwd=folder, check=True)
        told = {
            "failures": list(case.failures),
            "places": list(case.places),
            "asked": list(case.asked),
            "must_keep": [*case.failures, *case.places, *case.asked, *case.keep],
        }
        return {**_executed(case, folder), **told, "previous_runs": before}


def _executed(case: Case | RunnerCase, folder: Path) -> dict[str, object]:
    """One execution of the case's command in `folder`."""
    report = Path(tempfile.gettempdir(), f"report-{os.getpid()}")
    report.unlink(missing_ok=True)
    streams, combined, in_time, exit_status = _run(case, folder, str(report))
    seen = report.read_text().split() if report.exists() else [str(exit_status)] * 2
    report.unlink(missing_ok=True)
    statuses = [int(word) for word in seen]

    def text(data: bytes) -> str:
        return _scrub(data.decode("utf-8", "replace"), folder)

    running = not in_time and case.timeout_s < 0
    return {
        "id": case.name,
        "command": _scrub(case.command, folder),
        "shell": case.shell,
        "exit": statuses[0] if in_time else None,
        "pipestatus": (statuses[1:] or statuses[:1]) if in_time else [],
        "stdout": text(streams.get("stdout", b"")),
        "stderr": text(streams.get("stderr", b"")),
        "combined": text(combined),
        "combined_via": case.via,
        "timed_out": not in_time and not running,
        "still_running": running,
        "operation": case.operation,
        "is_test": case.operation == "test",
        "failed": case.failed,
        "ambiguous": False,
    }


def _write(case: Case | RunnerCase) -> None:
    group = next((name for name, cases in GROUPS.items() if case in cases), "recorded")
    folder = DATA / group
    folder.mkdir(parents=True, exist_ok=True)
    recorded = record(case)
    data = json.dumps(recorded, indent=1, ensure_ascii=False).encode()
    for old in (folder / f"{case.name}.json", folder / f"{case.name}.json.gz"):
        old.unlink(missing_ok=True)
    if len(data) >= GZIP_FROM_BYTES:
        (folder / f"{case.name}.json.gz").write_bytes(gzip.compress(data, mtime=0))
    else:
        (folder / f"{case.name}.json").write_bytes(data)
    wanted, printed = recorded["must_keep"], str(recorded["combined"])
    assert isinstance(wanted, list)
    # What a rerun is told is not printed by the tool: `new: …`.
    missing = [words for words in wanted if words not in printed]
    print(case.name, recorded["exit"], recorded["pipestatus"], len(data), missing or "", flush=True)


def main(names: list[str]) -> None:
    """Records the named cases, or all."""
    for case in (*CASES, *chain.from_iterable(GROUPS.values())):
        if not names or case.name in names:
            _write(case)


if __name__ == "__main__":
    main(sys.argv[1:])

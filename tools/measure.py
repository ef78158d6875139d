"""How the program reads, in figures: `python tools/measure.py [--json] [--static] [--at CHECKOUT]`.

Run it before and after a redesign; it needs nothing of the program but its files, `python -m zsh_ls serve`
and the wire, so that it works on any commit's checkout. No figure is a rule for the next engineer: they show
where to look. What each row counts:

- **modules, median lines**: files `*.py` of the package; lines as `wc -l` counts them.
- **private helpers named once**: of all functions and methods whose name begins with one underscore, those
  whose name occurs exactly once more in their module: somebody who reads the caller has to jump for them.
- **longest function**: lines from `def` to its end, docstring included, decorators not.
- **comment lines**: lines that hold nothing but a comment, of all lines that are not blank.
- **class names defined more than once**: names that classes of two or more modules have.
- **import cycles**: within each package of the first level, groups of modules that import each other,
  directly or by way of others of the package, wherever in the file the import stands, for type checkers too.
- **one warm zsh/run**: a server in a home of its own answers twenty `zsh/run` of `true`; of the next one,
  from its request until 0.3 s after its answer, all threads together: the modules that were entered, the
  calls of functions of the program (a coroutine that goes on is no new call, a comprehension is none), and
  how often a call was of another module than the one before it in its thread. The median of nine runs.
- **files a new request touches**: of the commits that added one or two files to the folder of the server's
  features (one file a request): how many files each added, changed or removed. `--commits` names others.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

PACKAGE = "zsh_ls"
FEATURES = f"{PACKAGE}/server/features/"
ADDED_AT_MOST = 2
WARM_RUNS, MEASURED_RUNS, QUIET_S, PATIENCE_S = 20, 9, 0.3, 60.0
Figures = dict[str, Any]

# Written beside the home of the server and found first on its path: tells of each call of the program.
PROFILER = """
import mmap, os, sys, threading
_flag = mmap.mmap(os.open(os.environ["MEASURE_FLAG"], os.O_RDONLY), 1, access=mmap.ACCESS_READ)
_log = os.open(os.environ["MEASURE_LOG"], os.O_WRONLY | os.O_APPEND)
_package = os.environ["MEASURE_PACKAGE"]
_COMPREHENSIONS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}
_RESUMABLE = 0x20 | 0x80 | 0x200
_begun = {}

def _tell(frame, event, _):
    if event != "call" or not _flag[0]:
        return
    code = frame.f_code
    if not code.co_filename.startswith(_package) or code.co_name in _COMPREHENSIONS:
        return
    if code.co_flags & _RESUMABLE:
        if _begun.get(id(frame)) is frame:
            return
        _begun[id(frame)] = frame
    os.write(_log, f"{threading.get_ident()} {code.co_filename[len(_package):]} {code.co_name}\\n".encode())

threading.setprofile(_tell)
sys.setprofile(_tell)
"""


# From the files.


def read(root: Path) -> dict[str, tuple[str, ast.Module]]:
    """Module name → text and tree, of all modules of the package."""
    found = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text()
        found[name] = text, ast.parse(text)
    return found


def of_files(root: Path) -> Figures:
    """The figures that the files alone give."""
    modules = read(root)
    lines = [text.count("\n") for text, _ in modules.values()]
    helpers = [named for text, tree in modules.values() for named in _helpers(text, tree)]
    length, place = max(_functions(modules))
    filled = sum(1 for text, _ in modules.values() for line in text.splitlines() if line.strip())
    comments = sum(_comment_lines(text) for text, _ in modules.values())
    where = _classes(modules)
    more = {name: sorted(them) for name, them in where.items() if len(them) > 1}
    cycles = {
        f"{PACKAGE}.{package}": found
        for package in _packages(modules)
        if (found := _cycles(modules, package))
    }
    return {
        "modules": len(modules),
        "median_lines": statistics.median(lines),
        "private_helpers": len(helpers),
        "private_helpers_named_once": sum(count == 1 for count in helpers) / max(1, len(helpers)),
        "longest_function": {"lines": length, "where": place},
        "comment_lines": comments / filled,
        "class_names_defined_more_than_once": len(more),
        "such_class_names": more,
        "import_cycles": sum(len(found) for found in cycles.values()),
        "such_cycles": cycles,
    }


def _helpers(text: str, tree: ast.Module) -> Iterator[int]:
    """For each private helper how often its module names it, but for its definition."""
    named = Counter(re.findall(r"\w+", text))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and re.match(
            r"_[^_]", node.name
        ):
            yield named[node.name] - 1


def _functions(modules: Mapping[str, tuple[str, ast.Module]]) -> Iterator[tuple[int, str]]:
    for name, (_, tree) in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield (node.end_lineno or 0) - node.lineno + 1, f"{name}.{node.name}"


def _comment_lines(text: str) -> int:
    lines = text.splitlines(keepends=True)
    tokens = tokenize.generate_tokens(iter(lines).__next__)
    return sum(
        token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
        for token in tokens
    )


def _classes(modules: Mapping[str, tuple[str, ast.Module]]) -> dict[str, set[str]]:
    where: dict[str, set[str]] = defaultdict(set)
    for name, (_, tree) in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                where[node.name].add(name)
    return where


def _packages(modules: Iterable[str]) -> list[str]:
    return sorted({name.split(".")[1] for name in modules if name.count(".") > 1})


def _cycles(modules: Mapping[str, tuple[str, ast.Module]], package: str) -> list[list[str]]:
    """The groups of modules of a package that import each other."""
    members = {name for name in modules if name.startswith(f"{PACKAGE}.{package}.")}
    imports = {
        name: set(_imports(name, modules[name][1], members)) & members - {name} for name in members
    }
    return [sorted(group) for group in _components(imports) if len(group) > 1]


def _imports(name: str, tree: ast.Module, members: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = name.split(".")
            start = base[: len(base) - node.level] if node.level else []
            module = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                yield whole if whole in members else module


def _components(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of a graph."""
    reached = {start: _reached(graph, start) for start in graph}
    left, found = set(graph), []
    while left:
        start = min(left)
        group = {start} | {other for other in reached[start] & left if start in reached[other]}
        found.append(group)
        left -= group
    return found


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for other in graph[waiting.pop()] - seen:
            seen.add(other)
            waiting.append(other)
    return seen


# From a running server.


class Server:
    """A server in a home of its own whose calls are told, and a client of it."""

    def __init__(self, root: Path, python: str, folder: Path) -> None:
        (folder / "sitecustomize.py").write_text(PROFILER)
        self._flag, self._log = folder / "flag", folder / "log"
        self._flag.write_bytes(b"\0")
        self._log.touch()
        home = {
            f"XDG_{name}_HOME": str(folder / name) for name in ("DATA", "STATE", "CACHE", "CONFIG")
        }
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        env = {
            **{name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ},
            **home,
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(runtime),
            "TERM": "xterm",
            "PYTHONPATH": os.pathsep.join([str(folder), str(root)]),
            "MEASURE_FLAG": str(self._flag),
            "MEASURE_LOG": str(self._log),
            "MEASURE_PACKAGE": f"{root / PACKAGE}{os.sep}",
        }
        command = [python, "-m", PACKAGE, "serve"]
        self.process = subprocess.Popen(
            command, cwd=root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._number = 0
        self.call("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}})
        self._send({"method": "initialized", "params": {}})

    def call(self, method: str, params: object) -> Any:
        """The result of a request."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        output: BinaryIO = self.process.stdout  # type: ignore[assignment]
        while True:
            length = 0
            if not output.peek(1):  # type: ignore[attr-defined]  # a pipe is buffered
                raise SystemExit(f"the server has ended with {self.process.wait(PATIENCE_S)}")
            while line := output.readline().strip():
                length = (
                    int(line.rpartition(b":")[2])
                    if line.lower().startswith(b"content-length")
                    else length
                )
            message = json.loads(output.read(length))
            if message.get("id") == self._number and "method" not in message:
                return message["result"]

    def calls_of_a_run(self) -> list[tuple[str, str]]:
        """Thread and module of each call while one command is run."""
        begin = self._log.stat().st_size
        self._set_flag(b"\1")
        self.call("zsh/run", {"command": "true"})
        time.sleep(QUIET_S)
        self._set_flag(b"\0")
        told = self._log.read_bytes()[begin:].decode().splitlines()
        return [(thread, module) for thread, module, _ in (line.split(" ", 2) for line in told)]

    def _set_flag(self, value: bytes) -> None:
        # In place: the server has the file mapped, and would get SIGBUS while it was emptied.
        with self._flag.open("r+b") as flag:
            flag.write(value)

    def end(self) -> None:
        """Close its pipe, and wait for its exit."""
        self.process.stdin.close()  # type: ignore[union-attr]
        self.process.wait(PATIENCE_S)

    def _send(self, message: Mapping[str, object]) -> None:
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)  # type: ignore[union-attr]
        self.process.stdin.flush()  # type: ignore[union-attr]


def of_a_run(root: Path, python: str) -> Figures:
    """Modules, calls and module changes of one warm `zsh/run`."""
    with tempfile.TemporaryDirectory(prefix="zsh-ls-measure-") as folder:
        server = Server(root, python, Path(folder))
        try:
            for _ in range(WARM_RUNS):
                server.call("zsh/run", {"command": "true"})
            time.sleep(1)  # what a start leaves for later is done then
            runs = [_summary(server.calls_of_a_run()) for _ in range(MEASURED_RUNS)]
        finally:
            server.end()
    return {name: statistics.median(it[name] for it in runs) for name in runs[0]}


def _summary(calls: Sequence[tuple[str, str]]) -> dict[str, int]:
    last: dict[str, str] = {}
    changes = 0
    for thread, module in calls:
        changes += last.get(thread, module) != module
        last[thread] = module
    return {
        "modules": len({module for _, module in calls}),
        "calls": len(calls),
        "module_changes": changes,
    }


# From the history.


def of_history(root: Path, commits: Sequence[str]) -> Figures:
    """How many files each commit touched that added a request."""
    touched = {commit: _touched(root, commit) for commit in commits or _that_added_a_request(root)}
    subjects = {commit: _git(root, "log", "-1", "--format=%s", commit) for commit in touched}
    return {
        "commits": {f"{commit} {subjects[commit]}": count for commit, count in touched.items()},
        "median": statistics.median(touched.values()) if touched else None,
    }


def _that_added_a_request(root: Path) -> list[str]:
    log = _git(
        root, "log", "--no-merges", "--diff-filter=A", "--format=%h", "--name-only", "--", FEATURES
    )
    added: dict[str, list[str]] = {}
    commit = ""
    for line in filter(None, log.splitlines()):
        if "/" not in line:
            commit = line
        elif not line.endswith("__init__.py"):
            added.setdefault(commit, []).append(line)
    return [commit for commit, files in added.items() if len(files) <= ADDED_AT_MOST]


def _touched(root: Path, commit: str) -> int:
    return len(_git(root, "show", "--format=", "--name-only", commit).splitlines())


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    ).stdout.strip()


# What is printed.


def table(figures: Figures) -> str:
    """The figures as a table of Markdown."""
    files, run, history = figures["files"], figures.get("run"), figures["history"]
    longest = files["longest_function"]
    rows = [
        ("modules, median lines", f"{files['modules']}, {files['median_lines']:g}"),
        (
            "private helpers named once",
            f"{files['private_helpers_named_once']:.0%} of {files['private_helpers']}",
        ),
        (
            "longest function",
            f"{longest['lines']} lines (`{longest['where'].removeprefix('zsh_ls.')}`)",
        ),
        ("comment lines", f"{files['comment_lines']:.1%}"),
        ("class names defined more than once", files["class_names_defined_more_than_once"]),
        ("import cycles inside a package", files["import_cycles"]),
    ]
    if run:
        told = f"{run['modules']:g}, {run['calls']:g}, {run['module_changes']:g}"
        rows.append(("modules, calls, module changes of one warm `zsh/run`", told))
    counts = history["commits"].values()
    told = (
        f"{min(counts)}–{max(counts)}, median {history['median']:g} of {len(counts)}"
        if counts
        else "–"
    )
    rows.append(("files a new request touches (history)", told))
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--at", type=Path, default=Path(__file__).parents[1], help="the checkout (this one)"
    )
    parser.add_argument(
        "--python", default=sys.executable, help="the Python that has the libraries (this one)"
    )
    parser.add_argument("--commits", nargs="*", default=[], help="commits that added a request")
    parser.add_argument("--static", action="store_true", help="start no server")
    parser.add_argument("--json", action="store_true", help="everything, as JSON")
    arguments = parser.parse_args()
    root = arguments.at.resolve()
    figures: Figures = {"files": of_files(root), "history": of_history(root, arguments.commits)}
    if not arguments.static:
        figures["run"] = of_a_run(root, arguments.python)
    print(json.dumps(figures, indent=1, sort_keys=True) if arguments.json else table(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

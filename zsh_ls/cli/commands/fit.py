"""Shows the right amount of an output that some other tool recorded.

  zsh-ls fit --jsonl < executions.jsonl
      One recorded execution a line of JSON in, one line {"output",
      "verbosity"} out. A line that cannot be read answers {"error"}; the
      others go on, the exit is 1.

  zsh-ls fit < execution.json
      The same for one execution, which may stand on many lines.

  pytest > log 2>&1; zsh-ls fit --command pytest --exit $? < log
      As a filter: the output itself on standard input, what is worth showing
      on standard output. Without --exit a failure is only seen where the
      output says so.

Fields of an execution, all of which may be null: command, shell, exit, pipestatus, stdout,
stderr, combined (both in their order), combined_via (pipe or pty), timed_out, still_running,
previous_runs (how many runs of the same text in the same folder failed before, or a list of
them; of a failed test whose last run has its combined, or stdout and stderr, the first line says
which failures are new), full_output (where the whole output was saved), verbosity (auto or debug).
Other fields are passed over. An execution, or an output to filter, may have 256 MiB; what is longer
is not read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, TypeGuard

from zsh_ls.system.bounded_files import MIB, NotRead, in_units, read_standard_input

if TYPE_CHECKING:
    import argparse

    from zsh_ls.verbosity.values import ResolverInput

# What is shown of an output is chosen from all of it, which stands in memory several times over.
MAX_BYTES = 256 * MIB
TEXTS = ("command", "shell", "stdout", "stderr", "combined", "full_output")
FLAGS = ("timed_out", "still_running")
CHOICES = {"combined_via": ("pipe", "pty"), "verbosity": ("auto", "debug")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `fit` takes."""
    parser.add_argument("--jsonl", action="store_true", help="one execution a line")
    parser.add_argument(
        "--command", dest="filtered", metavar="TEXT", help="the command whose output is filtered"
    )
    parser.add_argument("--exit", type=int, metavar="N", help="with --command: its exit status")
    parser.add_argument("--timed-out", action="store_true", help="with --command: it was cut short")
    parser.add_argument("--full", action="store_true", help="with --command: everything")


def run(args: argparse.Namespace) -> int:
    """Answers what standard input holds."""
    try:
        if args.filtered is not None:
            return _filter(args)
        if args.jsonl:
            return _answer(_numbered_lines(sys.stdin.buffer))
        return _answer([("", read_standard_input(MAX_BYTES))])
    except NotRead as problem:
        print(f"zsh-ls fit: {problem}", file=sys.stderr)
        return 1


def _numbered_lines(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    number = 0
    while line := stream.readline(MAX_BYTES + 1):
        number += 1
        if len(line) > MAX_BYTES:
            raise NotRead(f"line {number} is over {in_units(MAX_BYTES)}: it is not read")
        if line.strip():
            yield f"line {number}: ", line


def _filter(args: argparse.Namespace) -> int:
    from zsh_ls.verbosity.resolve import resolve
    from zsh_ls.verbosity.values import ResolverInput

    shown = resolve(
        ResolverInput(
            command=args.filtered,
            exit=args.exit,
            combined=read_standard_input(MAX_BYTES).decode("utf-8", "replace"),
            timed_out=args.timed_out,
            requested_full=args.full,
        )
    )
    sys.stdout.buffer.write(shown.output.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    return 0


def _answer(texts: Iterable[tuple[str, bytes]]) -> int:
    """One line of JSON for each text; 1 where one could not be read."""
    status = 0
    for where, text in texts:
        answer = _answer_one(text)
        if "error" in answer:
            status = 1
            print(f"zsh-ls fit: {where}{answer['error']}", file=sys.stderr)
        print(json.dumps(answer), flush=True)
    return status


def _answer_one(text: bytes) -> dict[str, Any]:
    from zsh_ls.lazy import attrs
    from zsh_ls.verbosity.resolve import resolve

    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {"error": f"not JSON: {error}"}
    problem = _problem(fields)
    if problem:
        return {"error": problem}
    shown = resolve(_recorded(fields))
    return {"output": shown.output, "verbosity": attrs.asdict(shown.verbosity)}


def _problem(fields: object) -> str | None:
    """What is wrong with an execution, None where nothing is."""
    if not isinstance(fields, dict):
        return "expected an object with the fields of an execution"
    exits, before = fields.get("pipestatus"), fields.get("previous_runs")
    checks = (
        *((name, isinstance(fields.get(name), str), "text") for name in TEXTS),
        *((name, isinstance(fields.get(name), bool), "true or false") for name in FLAGS),
        *((name, fields.get(name) in of, " or ".join(of)) for name, of in CHOICES.items()),
        ("exit", _is_int(fields.get("exit")), "a whole number"),
        (
            "pipestatus",
            isinstance(exits, list) and all(map(_is_int, exits)),
            "a list of whole numbers",
        ),
        ("previous_runs", isinstance(before, list) or _is_int(before), "a whole number or a list"),
    )
    for name, fits, expected in checks:
        if fields.get(name) is not None and not fits:
            return f"`{name}`: expected {expected} or null"
    return None


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _recorded(fields: Mapping[str, Any]) -> ResolverInput:
    from zsh_ls.verbosity.values import ResolverInput

    # How many runs before failed, or a list of their exits, or of objects with one.
    before = fields.get("previous_runs")
    failures = sum(map(_failed, before)) if isinstance(before, list) else before or 0
    return ResolverInput(
        command=fields.get("command") or "",
        exit=fields.get("exit"),
        pipestatus=tuple(fields.get("pipestatus") or ()),
        stdout=fields.get("stdout"),
        stderr=fields.get("stderr"),
        combined=fields.get("combined"),
        combined_via=fields.get("combined_via"),
        timed_out=bool(fields.get("timed_out")),
        still_running=bool(fields.get("still_running")),
        previous_failures=failures,
        previous_failed_tests=_failed_tests(before[-1])
        if isinstance(before, list) and before
        else None,
        requested_full=fields.get("verbosity") == "debug",
        full_output=fields.get("full_output"),
    )


def _failed_tests(run_before: object) -> tuple[str, ...] | None:
    """The names of the tests that failed in a run before; None if it does not say what it printed."""
    if not isinstance(run_before, dict):
        return None
    printed = next(
        (text for name in ("combined", "output") if isinstance(text := run_before.get(name), str)),
        "",
    )
    if not printed:
        apart = (run_before.get(name) for name in ("stdout", "stderr"))
        printed = "\n".join(text for text in apart if isinstance(text, str))
    if not printed.strip():
        return None
    from zsh_ls.verbosity.results import names_of_failed_tests

    return names_of_failed_tests(printed)


def _failed(run_before: object) -> bool:
    if not isinstance(run_before, dict):
        return run_before not in (0, None, True)
    if isinstance(run_before.get("failed"), bool):
        return bool(run_before["failed"])
    return bool(run_before.get("timed_out")) or run_before.get("exit") not in (0, None)

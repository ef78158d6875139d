"""Reads an output as it flows and keeps the places and test results that its lines give.

A hint finds the lines that are worth reading; after one that opens a block (a traceback, a failed test)
every line is read until the block has ended. What a block gives, its message and its frames, becomes places
when it ends: the innermost frame of the project's own files is the error, the others are infos.
"""

from __future__ import annotations

import contextlib
import json
import posixpath
from collections.abc import Callable, Sequence
from typing import Any

from zsh_ls.lazy import attrs, re
from zsh_ls.model.places import Place, Severity, TestResult
from zsh_ls.model.terminal_text import render_bytes

from .columns import in_characters
from .file_finder import FileFinder
from .formats import Format, Formats, Rule, formats
from .surroundings import Surroundings

MOST_PLACES = 500
MOST_TESTS = 20_000
# Lines that hints have pointed to, some seconds of work; so many that give nothing are a log.
MOST_LINES = 100_000
MOST_FRAMES = 200
MOST_HELD = 2_000
LONGEST_LINE_CHARS = 2_000
LONGEST_LINE_BYTES = 64 * 1024
LONGEST_MESSAGE_CHARS = 1_000
MOST_LINE = 10_000_000
Groups = dict[str, str]
_BLANKS = re.compile(r"\s{2,}")
_SEVERITIES: dict[str, Severity] = {
    "fatal error": "error",
    "internal compiler error": "error",
    "error": "error",
    "warning": "warning",
    "note": "info",
    "remark": "info",
    "style": "info",
    "performance": "info",
    "portability": "info",
    "information": "info",
    "info": "info",
    "hint": "info",
    "suggestion": "info",
    "message": "info",
}


@attrs.define
class _Printed:
    """A place as it is printed, before its file is looked for."""

    file: str
    line: int
    column: int | None = None
    severity: Severity = "error"
    message: str = ""
    source: str = ""
    test: str | None = None
    package: str | None = None


@attrs.define
class _Block:
    """What a format has said since the line that opened it."""

    format: Format
    severity: Severity | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    message: str | None = None
    test: str | None = None
    runner: Format | None = None
    wants_message: bool = False
    causes: tuple[_Block, ...] = ()
    frames: list[_Printed] = attrs.field(factory=list)
    idle_lines: int = 0


@attrs.frozen
class _Heading:
    """The test that the lines below it are about."""

    test: str
    format: Format
    is_whole: bool = True


class PlaceScanner:
    """Give it the bytes of an output in order with `feed`, and `end` when there are no more.

    `places` are those found so far, each once, at most MOST_PLACES; `tests` how each test went, the
    last word on it. `is_file` says whether an absolute path is a regular file, `lines_of` gives its
    lines, for tools that do not count characters.
    """

    def __init__(
        self,
        around: Surroundings,
        is_file: Callable[[str], bool],
        lines_of: Callable[[str], Sequence[str]] | None = None,
    ) -> None:
        self.places: list[Place] = []
        self.tests: dict[str, bool] = {}
        self._around = around
        self._lines_of = lines_of
        self._files = FileFinder(around, is_file)
        self._formats: Formats = formats()
        self._tools = frozenset(around.tools)
        self._hints = self._formats.hints(self._tools)
        self._unfinished = b""
        self._lines_left = MOST_LINES
        self._previous = ""
        self._seen: set[tuple[object, ...]] = set()
        self._blocks: dict[str, _Block] = {}
        self._heading: _Heading | None = None
        self._suites: list[tuple[int, str]] = []
        self._waiting: _Printed | None = None
        self._held: list[_Printed] = []
        self._compiler: str | None = None
        self._takers: dict[str, Callable[[Rule, Format, Groups], bool]] = {
            "place": self._on_place,
            "frame": self._on_frame,
            "block": self._on_block,
            "message": self._on_message,
            "flush": self._on_flush,
            "end": self._on_end,
            "skip": self._on_skip,
            "test": self._on_test,
            "more": self._on_more,
            "no-test": self._on_test,
            "suite": self._on_suite,
            "result": self._on_result,
            "package": self._on_package,
            "unwrap": self._on_unwrap,
            "enter": self._on_folder,
            "leave": self._on_folder,
            "tool": self._on_tool,
        }

    @property
    def results(self) -> tuple[TestResult, ...]:
        """How each test went."""
        return tuple(TestResult(name, passed) for name, passed in self.tests.items())

    @property
    def is_full(self) -> bool:
        """Whether no more places are kept; test results still are."""
        return len(self.places) >= MOST_PLACES

    def feed(self, data: bytes) -> None:
        """Read the next bytes; an unfinished last line waits for its end."""
        whole = data.rfind(b"\n") + 1
        if not whole:
            # Of a line without an end only the beginning is of use.
            self._unfinished = (self._unfinished + data)[:LONGEST_LINE_BYTES]
            return
        lines, self._unfinished = self._unfinished + data[:whole], data[whole:][:LONGEST_LINE_BYTES]
        self._read(lines)

    def end(self) -> None:
        """No more comes: what is still open is closed."""
        rest, self._unfinished = self._unfinished, b""
        if rest:
            self._read(rest + b"\n")
        if self._waiting is not None:
            self._keep_waiting("")
        for block in list(self._blocks.values()):
            self._flush(block)
        self._blocks.clear()
        for held in self._held:
            self._keep(held)
        self._held.clear()

    def _read(self, data: bytes) -> None:
        if self._lines_left <= 0:
            return
        text = render_bytes(data).encode("utf-8", "replace")
        at = 0
        while at < len(text):
            if not self._blocks and self._waiting is None:
                hinted = self._hints.search(text, at)
                if hinted is None:
                    break
                start = text.rfind(b"\n", 0, hinted.start() + 1) + 1
                # A hint may begin with the line break itself.
                start = max(at, min(start, hinted.start()))
                if start > at:
                    self._previous = _last_line(text, at, start) or self._previous
            else:
                start = at
            end = text.find(b"\n", start)
            end = len(text) if end < 0 else end
            line = text[start : min(end, start + LONGEST_LINE_BYTES)].decode("utf-8", "replace")
            self._line(line[:LONGEST_LINE_CHARS].rstrip("\r"))
            at = end + 1
            self._lines_left -= 1
        else:
            return
        self._previous = _last_line(text, at, len(text)) or self._previous

    def _line(self, line: str) -> None:
        if self._waiting is not None and line.strip():
            self._keep_waiting(line)
        for block in self._blocks.values():
            if block.wants_message and line.strip():
                block.message, block.wants_message = _message_in(line), False
        fits = self._formats.fitting(line)
        # Who has begun to say something goes on, the last one first.
        begun = {name: number for number, name in enumerate(self._blocks, 1)}
        fits.sort(key=lambda rule: -begun.get(rule.format, 0))
        matched: set[str] = set()
        for rule in fits:
            if self._applies(rule):
                matched.add(rule.format)
                if self._apply(rule, line):
                    break
        for name, block in list(self._blocks.items()):
            if name in matched:
                block.idle_lines = 0
                continue
            block.idle_lines += 1
            is_over = block.format.contiguous and block.frames and line.strip()
            if is_over or block.idle_lines > block.format.lasts:
                self._close(name)
        if line.strip():
            self._previous = line

    def _applies(self, rule: Rule) -> bool:
        form = self._formats.formats[rule.format]
        block = self._blocks.get(rule.format)
        if (form.needs_tool or rule.needs_tool) and not form.tools & self._tools:
            return False
        if rule.within and block is None:
            return False
        if rule.without and block is not None:
            return False
        if rule.needs_test and self._heading is None:
            return False
        return not (rule.after_frames and not (block and block.frames))

    def _apply(self, rule: Rule, line: str) -> bool:
        """Take what a line says; whether no other rule is to read it."""
        match = rule.compiled.match(line)
        if match is None:
            return False
        groups = {name: text for name, text in match.groupdict().items() if text is not None}
        return self._takers[rule.gives](rule, self._formats.formats[rule.format], groups)

    def _on_skip(self, rule: Rule, form: Format, groups: Groups) -> bool:
        return True

    def _on_folder(self, rule: Rule, form: Format, groups: Groups) -> bool:
        change = self._files.enter if rule.gives == "enter" else self._files.leave
        change(groups["file"])
        return True

    def _on_tool(self, rule: Rule, form: Format, groups: Groups) -> bool:
        self._compiler = groups["source"]
        return True

    def _on_unwrap(self, rule: Rule, form: Format, groups: Groups) -> bool:
        with contextlib.suppress(ValueError):
            for line in json.loads(f'"{groups["json"]}"').splitlines():
                if not line.startswith('{"Time"'):
                    self._line(line[:LONGEST_LINE_CHARS])
        return True

    def _on_flush(self, rule: Rule, form: Format, groups: Groups) -> bool:
        # The frames of what follows may tell the test's file: what it is called is known at the end.
        block = self._blocks[rule.format]
        self._blocks[rule.format] = _Block(form, test=block.test, causes=(*block.causes, block))
        return True

    def _on_end(self, rule: Rule, form: Format, groups: Groups) -> bool:
        if "message" in groups:
            self._blocks[rule.format].message = groups["message"]
        self._close(rule.format)
        if self._heading is not None and self._heading.format is form:
            self._heading = None
        # The line that ends one block may be the first of another.
        return "message" in groups

    def _on_place(self, rule: Rule, form: Format, groups: Groups) -> bool:
        block = self._blocks.get(rule.format)
        if rule.file_from_previous is not None and block is None:
            heading = re.match(rule.file_from_previous, self._previous)
            if heading is None or self._files.find(heading["file"].strip()) is None:
                return False
            block = self._blocks[rule.format] = _Block(form, file=heading["file"].strip())
        printed = self._printed(rule, form, groups, block)
        if printed is None:
            return False
        if rule.file_from_previous is None and not rule.held and self._path_of(printed) is None:
            return False
        if rule.opens and rule.file_from_previous is None:
            self._close(rule.format)
            self._blocks[rule.format] = _Block(form, printed.severity)
        if rule.held:
            if len(self._held) < MOST_HELD:
                self._held.append(printed)
        elif rule.message == "next":
            self._waiting = printed
        else:
            self._keep(printed)
        return True

    def _on_frame(self, rule: Rule, form: Format, groups: Groups) -> bool:
        block = self._blocks.get(rule.format)
        if block is not None and rule.anew:
            self._close(rule.format)
            block = None
        if block is None:
            if not rule.starts or groups["file"].startswith(("node:", "<")):
                return False
            message = _message_in(self._previous) if rule.message != "next" else None
            block = self._blocks[rule.format] = _Block(form, message=message)
        if rule.message == "next":
            self._flush(block)
            block.message, block.wants_message = None, True
        if "message" in groups:
            block.message = groups["message"]
        if "test" in groups:
            block.test = groups["test"]
        printed = self._printed(rule, form, groups, block)
        if printed is not None and len(block.frames) < MOST_FRAMES:
            block.frames.append(printed)
        return True

    def _on_message(self, rule: Rule, form: Format, groups: Groups) -> bool:
        block = self._blocks.get(rule.format)
        if block is not None and block.frames and form.contiguous:
            # Another exception, as the cause of the first one.
            runner = block.runner
            self._close(rule.format)
            block = self._blocks[rule.format] = _Block(form, runner=runner)
        if block is None:
            block = self._blocks[rule.format] = _Block(form)
        if rule.message == "next":
            block.wants_message = True
        elif block.message is None:
            block.message = groups["message"]
        return True

    def _on_block(self, rule: Rule, form: Format, groups: Groups) -> bool:
        self._close(rule.format)
        if "test" in groups:
            self._begin(_Heading(groups["test"], form, rule.whole_name or not form.test_name))
            if rule.failed:
                self._result(groups["test"], passed=False)
        message = _message_in(self._previous) if rule.message == "previous" else None
        self._blocks[rule.format] = _Block(
            form,
            severity=rule.severity or self._severity(form, groups),
            file=groups.get("file"),
            line=_number(groups.get("line")),
            column=_number(groups.get("column")),
            message=_composed(groups) if "message" in groups else message,
            test=groups.get("test"),
            wants_message=rule.message == "next",
        )
        return True

    def _on_test(self, rule: Rule, form: Format, groups: Groups) -> bool:
        test = _joined_name(groups) if "test" in groups else None
        self._begin(None if test is None else _Heading(test, form))
        if test is not None and rule.failed:
            self._result(test, passed=False)
        if rule.opens_block is not None:
            opened = self._formats.formats[rule.opens_block]
            wants_message = rule.message == "next"
            self._blocks[opened.name] = _Block(opened, runner=form, wants_message=wants_message)
        return True

    def _on_more(self, rule: Rule, form: Format, groups: Groups) -> bool:
        """A name that goes on, until something is said of the test."""
        heading = self._heading
        if heading is None or heading.format is not form:
            return False
        if any(it.runner is form and it.message is None for it in self._blocks.values()):
            more = groups["test"].removesuffix(":")
            self._heading = _Heading(f"{heading.test}{form.joins}{more}", form)
        return True

    def _on_suite(self, rule: Rule, form: Format, groups: Groups) -> bool:
        indent = len(groups.get("indent", ""))
        self._suites = [it for it in self._suites if it[0] < indent]
        self._suites.append((indent, groups["test"]))
        return True

    def _begin(self, heading: _Heading | None) -> None:
        """From here on the lines are about another test; what is open is about the one before."""
        for name in list(self._blocks):
            self._close(name)
        self._heading = heading

    def _on_result(self, rule: Rule, form: Format, groups: Groups) -> bool:
        result = form.results.get(groups["result"])
        name = _joined_name(groups)
        if "indent" in groups and form.joins:
            indent = len(groups["indent"])
            above = [suite for depth, suite in self._suites if depth < indent]
            name = form.joins.join((*above, name))
        if result == "passed":
            self._held = [it for it in self._held if it.test != name]
        if result is not None:
            self._result(name, passed=result == "passed")
        if rule.opens_test:
            self._begin(_Heading(name, form) if result == "failed" else None)
        if rule.opens:
            self._close(rule.format)
            if result == "failed":
                self._blocks[rule.format] = _Block(form)
        return rule.opens or rule.opens_test

    def _result(self, name: str, *, passed: bool) -> None:
        if len(self.tests) < MOST_TESTS or name in self.tests:
            self.tests[name] = passed

    def _on_package(self, rule: Rule, form: Format, groups: Groups) -> bool:
        self._begin(None)
        held, self._held = self._held, []
        if groups["result"] != "ok":
            for printed in held:
                printed.package = groups["package"]
                self._keep(printed)
        return True

    def _printed(
        self, rule: Rule, form: Format, groups: Groups, block: _Block | None
    ) -> _Printed | None:
        """The place that a line names, with what its block says already; None where it is none."""
        file = groups.get("file") or (block.file if block else None)
        line = _number(groups.get("line"))
        if line is None and block is not None:
            line = block.line
        if not file or not line:
            return None
        source = groups.get("source") or rule.source
        if source is None and block is not None and block.runner is not None:
            source = self._source_of(block.runner)
        if source is None:
            source = self._source(form, file, groups)
        column = self._column(form, groups, block, source)
        severity = rule.severity or self._severity(form, groups)
        if severity is None and block is not None:
            severity = block.severity
        if severity is None:
            severity = self._severity_of(form, source, column)
        message = _composed(groups)
        if not message and block is not None and rule.gives == "place":
            message = block.message or ""
        test = groups.get("test")
        if test is None and block is not None:
            test = block.test
        if test is None and self._heading is not None:
            test = self._heading.test
        package = groups.get("package")
        return _Printed(file, line, column or None, severity, message, source, test, package)

    def _column(
        self, form: Format, groups: Groups, block: _Block | None, source: str
    ) -> int | None:
        column = _number(groups.get("column"))
        if column is None and block is not None and "line" not in groups:
            column = block.column
        if "indent" in groups and form.name == "shellcheck":
            column = len(groups["indent"]) + 1
        is_from_zero = source in self._formats.tools.zero_based_columns
        return column + 1 if column is not None and is_from_zero else column

    def _source(self, form: Format, file: str, groups: Groups) -> str:
        if self._heading is not None and form.name in ("python", "javascript"):
            return self._source_of(self._heading.format)
        if form.name != "general":
            return self._source_of(form)
        tools = self._formats.tools
        by_extension = tools.of_extension.get(file.rpartition(".")[2])
        if by_extension == "gcc" and self._compiler is not None:
            return self._compiler
        if "tool" in groups and groups["tool"] in tools.known:
            return groups["tool"]
        named = [it for it in self._around.tools if it in tools.known and it not in tools.drivers]
        if "severity" in groups and by_extension is not None:
            # A filter prints none: what a build runs does, where the line names one.
            drives = any(it in tools.drivers for it in self._around.tools)
            telling = [it for it in named if tools.severity.get(it) != "info"]
            named = telling if drives or telling else named
        if named:
            return named[0]
        if by_extension is not None:
            return by_extension
        return self._around.tools[-1] if self._around.tools else "sh"

    def _source_of(self, form: Format) -> str:
        named = [it for it in self._around.tools if it in form.tools]
        return named[0] if named else form.source or form.name

    def _severity(self, form: Format, groups: Groups) -> Severity | None:
        word = groups.get("severity")
        if word is None:
            return None
        return form.severities.get(word) or _SEVERITIES.get(word.lower(), "warning")

    def _severity_of(self, form: Format, source: str, column: int | None) -> Severity:
        if form.name != "general":
            return form.severity
        known = self._formats.tools.severity.get(source)
        if known is None:
            return "warning" if column is not None else "info"
        # A program that `go run` or `python` ran writes its log that way; these tools give columns.
        return "info" if source in ("go", "node", "python", "python3") and column is None else known

    def _keep_waiting(self, line: str) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.message = _message_in(line)
            self._keep(waiting)

    def _close(self, name: str) -> None:
        block = self._blocks.pop(name, None)
        if block is not None:
            self._flush(block)

    def _flush(self, block: _Block) -> None:
        """Turn what a block has said into places, that of its causes first."""
        parts = (*block.causes, block)
        block.causes = ()
        frames = [frame for part in parts for frame in part.frames]
        test = self._test_of(block, frames)
        for part in parts:
            self._give(part, test)

    def _test_of(self, block: _Block, frames: Sequence[_Printed]) -> str | None:
        """The full name of the test that a block is about."""
        heading = self._heading
        test = block.test or (heading.test if heading else None)
        form = heading.format if heading and test == heading.test else block.format
        if test is None or not form.test_name or heading is None or heading.is_whole:
            return test
        found = [(it, path) for it in frames if (path := self._path_of(it)) is not None]
        own = [it for it in found if self._around.is_own(it[1])] or found
        return self._full_name(form.test_name, test, own) if own else test

    def _give(self, block: _Block, test: str | None) -> None:
        """The places of one traceback: the innermost frame is the error."""
        frames, block.frames = block.frames, []
        form = block.format
        found = [(it, path) for it in frames if (path := self._path_of(it)) is not None]
        own = [(it, path) for it, path in found if self._around.is_own(path)]
        chosen = own or (found[:1] if form.innermost == "first" else found[-1:])
        if form.block_is_place and not own and block.file is not None and block.line is not None:
            printed = self._printed(form.rules[0], form, {}, block)
            path = None if printed is None else self._path_of(printed)
            if printed is not None and path is not None:
                chosen = [(printed, path)]
        if not chosen:
            return
        error = chosen[0] if form.innermost == "first" else chosen[-1]
        message = block.message or ""
        where = (error[1], error[0].line)
        column = error[0].column
        for printed, path in chosen:
            printed.test = test
            if printed is error[0]:
                printed.severity, printed.message = block.severity or form.severity, message
            elif (path, printed.line) == where and printed.column in (None, column):
                continue
            else:
                what = f"leads to {posixpath.basename(error[1])}:{error[0].line}: {message}"
                printed.severity, printed.message = "info", what
            self._keep(printed)

    def _full_name(self, template: str, test: str, frames: list[tuple[_Printed, str]]) -> str:
        """The runner's own name of a test, from the file that its frames begin in."""
        files = [
            posixpath.relpath(it.file, self._around.folders[0])
            if it.file.startswith("/")
            else it.file
            for it, _ in frames
        ]
        in_tests = [it for it in files if _is_test_file(it)]
        head, bracket, parameters = test.partition("[")
        file = (in_tests or files)[0]
        return template.format(file=file, test=head.replace(".", "::") + bracket + parameters)

    def _keep(self, printed: _Printed) -> None:
        if self.is_full:
            return
        path = self._path_of(printed)
        if path is None or printed.line > MOST_LINE:
            return
        message = _BLANKS.sub("  ", printed.message.strip())[:LONGEST_MESSAGE_CHARS]
        key = (path, printed.line, printed.column, printed.severity, message)
        if key in self._seen:
            return
        self._seen.add(key)
        self.places.append(
            Place(
                file=path,
                line=printed.line,
                column=self._column_of(printed, path),
                severity=printed.severity,
                message=message,
                source=printed.source,
                test=printed.test,
            )
        )

    def _column_of(self, printed: _Printed, path: str) -> int | None:
        unit = self._formats.tools.columns.get(printed.source)
        if printed.column is None or unit is None or self._lines_of is None:
            return printed.column
        lines = self._lines_of(path)
        if printed.line > len(lines):
            return printed.column
        return in_characters(printed.column, unit, lines[printed.line - 1])

    def _path_of(self, printed: _Printed) -> str | None:
        return self._files.find(printed.file, printed.package)


def _number(text: str | None) -> int | None:
    return int(text) if text and len(text) <= 9 else None


def _composed(groups: Groups) -> str:
    """The message of a line, with its code before it."""
    message = groups.get("message", "")
    if "context" in groups:
        return f"{groups['context']}: {message}"
    return f"{groups['code']} {message}" if "code" in groups else message


def _message_in(line: str) -> str:
    """A message that stands alone on its line; a TAP comment's sign is none of it."""
    return line.strip().removeprefix("# ").strip()


def _joined_name(groups: Groups) -> str:
    """The name of a test; of unittest's older form the method is told apart."""
    test, name = groups["test"].strip(), groups.get("name")
    return test if name is None or test.rpartition(".")[2] == name else f"{test}.{name}"


def _is_test_file(file: str) -> bool:
    name = posixpath.basename(file)
    return name.startswith("test_") or name.endswith("_test.py")


def _last_line(text: bytes, start: int, end: int) -> str:
    """The last line of `text` between two places that is not blank."""
    piece: Any = text[max(start, end - 4_096) : end]
    for line in reversed(piece.split(b"\n")):
        if line.strip():
            return str(line[-LONGEST_LINE_CHARS:], "utf-8", "replace")
    return ""

"""Explains a command, one of its flags (MAN-4), or a function of the script.

A command's answer says what it does, its history, the meanings of its exit
statuses, and what to watch.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime

from zsh_ls.lazy import attrs, re
from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.insight import Insight
from zsh_ls.model.reports import CommandStats
from zsh_ls.model.syntax import Script
from zsh_ls.model.words import Level, Outcome, Scope
from zsh_ls.shell.manpages.option_table import find_options
from zsh_ls.shell.manpages.options import OptionEntry
from zsh_ls.shell.manpages.page import UNDASHED_OPTIONS, ManualPage
from zsh_ls.shell.status.exit_codes import general_meaning, is_over_ssh, normal_meaning
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.zsh_manual.lookup import ManualEntry

from .basis import basis_of
from .build import build, fallback
from .form import Sections
from .formatting import count, duration, ended, moment, share
from .markup import as_text, code_span
from .outline import MAX_PARTS, Described, Outline

# Rules about hidden failures in pipes, whose messages replace the general sentence.
_MASKED = "masked-"
# Statuses that are a program's own: from 126 on the shell and signals speak.
_OWN_STATUSES = range(1, 125)
_FAILED = (Outcome.FAILURE.value, Outcome.TIMEOUT.value)
MAX_COMMENT_LINES = 12
_EXPANSION = re.compile(r"\"?\$[^\s;&|]+\"?")


@attrs.frozen
class CommandFacts:
    """The input: a command's outline with manual pages, figures of memory, findings of static rules.

    `estimate` is the one that hints, polls and lenses tell (ALAN-14).
    """

    outline: Outline
    described: tuple[Described, ...]
    now: datetime
    stats: CommandStats | None = None
    estimate: Estimate | None = None
    findings: tuple[Insight, ...] = ()
    manual: tuple[ManualEntry, ...] = ()


def explain(facts: CommandFacts) -> Answer:
    """The explanation; a fallback if neither a manual page nor memory knows the command."""
    is_described = any(part.purpose or part.page for part in facts.described)
    is_remembered = facts.stats is not None and facts.stats.known
    if not is_described and not is_remembered and not facts.findings and not facts.manual:
        return _unknown(facts.outline)
    # An expansion alone runs nothing that has a name: `${(@f)x}`.
    if facts.manual and _EXPANSION.fullmatch(facts.outline.command.strip()):
        return explain_entries(facts.manual)
    blocks = (
        ("What it does", _descriptions(facts.described)),
        ("What zsh's manual says", map(_entry_line, facts.manual)),
        ("What is known of it", _history(facts)),
        ("What its exit means", _exits(facts)),
        ("What to watch", _warnings(facts)),
    )
    listed = ((title, "\n".join(lines)) for title, lines in blocks)
    details = "\n\n".join(f"**{title}**\n{lines}" for title, lines in listed if lines)
    return build("deterministic", Sections(_summary(facts), details or None))


def _unknown(outline: Outline) -> Answer:
    programs = [part.program for part in outline.parts if part.program and part.pages]
    name = programs[0] if programs else ""
    unnamed = "only the shell knows what it runs" if outline.parts else "it runs no program"
    return fallback(
        f"what {code_span(outline.command)} does",
        reason=f"no manual page of {as_text(name)} and no run of it" if name else unnamed,
        missing="a manual page, or a run that ALAN remembers",
        collect=(ProposedCommand(f"type {shlex.quote(as_text(name))}" if name else "zsh-ls ask"),),
    )


def _summary(facts: CommandFacts) -> str:
    """What the command is, and on a second line what memory knows in short."""
    described, stats = _own_parts(facts), facts.stats
    programs = list(dict.fromkeys(one.part.program for one in described if one.part.program))
    names = ", ".join(map(code_span, programs[:MAX_PARTS]))
    if len(described) == 1 and described[0].purpose:
        name = described[0].page or described[0].part.program
        what = f"{code_span(name)}: {as_text(described[0].purpose)}."
    elif len(facts.outline.pipes) == 1 and len(described) == len(facts.outline.pipes[0]):
        what = f"A pipeline of {len(described)} commands: {names}."
    else:
        what = f"Runs {names}." if names else f"Shell text: {code_span(facts.outline.command)}."
    estimate = facts.estimate
    if stats is None or not stats.known:
        # What is not known here may be known to a team (TEAM-4).
        told = ""
        if estimate is not None:
            told = f"; it usually takes {duration(estimate.median_s)} ({basis_of(estimate)})"
        return f"{what}\nNo run of it is remembered{told}."
    usual = "" if estimate is None else f", it usually takes {duration(estimate.median_s)}"
    if estimate is not None and estimate.scope is Scope.TEAM:
        usual += f" ({basis_of(estimate)})"
    runs = f"{count(stats.runs, 'run')} remembered, {share(stats.success_rate)} succeeded"
    return f"{what}\n{runs}{usual}."


def _own_parts(facts: CommandFacts) -> list[Described]:
    """Without the commands that a program is given to run, whose exits are its own affair."""
    return [one for one in facts.described if not one.part.is_run_by_another]


def _descriptions(described: Sequence[Described]) -> Iterator[str]:
    """A line for each command and, below it, for each of its flags that the manual page describes."""
    for one in described[:MAX_PARTS]:
        purpose = as_text(one.purpose) if one.purpose else "no manual page tells of it"
        yield f"- {code_span(one.part.text)}: {purpose}"
        for option in one.options:
            yield f"  - {code_span(option.heading)}: {_description(option)}"
    if len(described) > MAX_PARTS:
        yield f"- and {count(len(described) - MAX_PARTS, 'command')} more"


def _description(entry: OptionEntry) -> str:
    """The page's description of an option, without the final stop."""
    return as_text(entry.description) if entry.description else "not described"


def _history(facts: CommandFacts) -> Iterator[str]:
    stats = facts.stats
    if stats is None or not stats.known:
        return
    yield f"- Its pattern: {code_span(stats.command_template)}"
    if facts.estimate is not None:
        at_most = duration(facts.estimate.p90_s)
        yield f"- Nine times of ten it takes at most {at_most} ({basis_of(facts.estimate)})"
    if stats.timeout_rate or stats.kill_rate:
        yield f"- Timed out: {share(stats.timeout_rate)}, killed: {share(stats.kill_rate)}"
    if abs(stats.streak) > 1:
        yield f"- {'Succeeded' if stats.streak > 0 else 'Failed'} {abs(stats.streak)} times in a row"
    failure = next((run for run in stats.recent if run.outcome in _FAILED), None)
    if failure is not None:
        how = ended(Outcome(failure.outcome), failure.exit)
        yield f"- It last {how} {moment(failure.at, facts.now)}"
    if stats.ssh is not None:
        connections = count(stats.ssh.connections, "connection")
        yield f"- Host {code_span(stats.ssh.host)}: {stats.ssh.failed} of {connections} failed"


def _exits(facts: CommandFacts) -> Iterator[str]:
    """Meanings of exit statuses: normal ones of the last command, ssh's 255, that of the last failure."""
    described = _own_parts(facts)
    if not described:
        return
    part = described[-1].part
    program = part.program
    for status in _OWN_STATUSES:
        if meaning := normal_meaning(program, status):
            yield f"- {status}: {meaning}, no failure"
    if is_over_ssh(program, part.words):
        yield "- 255: the connection failed"
    runs = facts.stats.recent if facts.stats else ()
    last = next((run.exit for run in runs if run.outcome in _FAILED and run.exit), None)
    if last is not None and (meaning := general_meaning(last)):
        yield f"- {last}, as it last failed: {meaning}"


def _warnings(facts: CommandFacts) -> Iterator[str]:
    already_reported = any(finding.rule.startswith(_MASKED) for finding in facts.findings)
    for programs in () if already_reported else facts.outline.pipes:
        hidden = ", ".join(map(code_span, programs[:-1]))
        last = code_span(programs[-1])
        yield f"- The exit is that of {last}; without `pipefail` a failure of {hidden} does not show"
    for finding in facts.findings:
        lead = "Warning: " if finding.level is Level.WARNING else ""
        mend = f" (fix: {as_text(finding.fix.title)})" if finding.fix else ""
        yield f"- {lead}{as_text(finding.message)}{mend}"


def explain_entries(entries: Sequence[ManualEntry]) -> Answer:
    """What zsh's manual says of one thing, or of several that stand together as flags do."""
    first, pages = entries[0], ", ".join(dict.fromkeys(f"{it.page}(1)" for it in entries))
    if len(entries) == 1:
        text = as_text(first.text.rstrip("."))
        kind = f"{_article(first.kind)} {first.kind}"
        return build(
            "deterministic",
            Sections(f"{code_span(first.heading)}: {text}.\n{kind} of zsh, {pages}."),
        )
    names = ", ".join(code_span(it.name) for it in entries)
    kinds = " and ".join(dict.fromkeys(f"{it.kind}s" for it in entries))
    summary = f"{names}: {kinds} of zsh, {pages}."
    return build("deterministic", Sections(summary, "\n".join(map(_entry_line, entries))))


def _article(noun: str) -> str:
    return "An" if noun[:1] in "aeiou" else "A"


def _entry_line(one: ManualEntry) -> str:
    return f"- {code_span(one.heading)}: {as_text(one.text)}"


def explain_flag(word: str, page: ManualPage) -> Answer | None:
    """The answer about the options that a word of a command means; None if the page has none."""
    found = find_options(page.options, word, undashed=page.name in UNDASHED_OPTIONS)
    if not found:
        return None
    of_program = f"of {code_span(page.name)}"
    if page.purpose:
        of_program += f", {as_text(page.purpose)}"
    entries = [f"{code_span(entry.heading)}: {_description(entry)}" for entry in found]
    if len(found) == 1:
        return build("deterministic", Sections(f"{entries[0]}.\nAn option {of_program}."))
    # A cluster such as `-la` stands for several.
    summary = f"{code_span(word)} stands for {count(len(found), 'option')}.\nOptions {of_program}."
    return build("deterministic", Sections(summary, "\n".join(f"- {entry}" for entry in entries)))


def explain_function(script: Script, name: str) -> Answer | None:
    """The answer about the script's last definition of the function; None if there is none.

    Its details are the comment lines right above, as plain text rather than Markdown.
    """
    definitions = [one for one in script.functions if name in map(script.source, one.words)]
    if not definitions:
        return None
    lines = LineIndex(script.text)
    first = lines.line_of(definitions[-1].span.start)
    comments = {lines.line_of(span.start): script.source(span) for span in script.comments}
    above: list[str] = []
    for line in range(first - 1, max(-1, first - 1 - MAX_COMMENT_LINES), -1):
        text = script.text[lines.starts[line] : lines.line_end(line)].lstrip()
        # A comment behind a command is not the function's, nor is a shebang.
        if line not in comments or not text.startswith("#") or text.startswith("#!"):
            break
        above.insert(0, as_text(comments[line].lstrip("#!").strip()))
    summary = f"{code_span(name)} is a function of this script, defined on line {first + 1}."
    details = "\n".join(words for words in above if words)
    return build("deterministic", Sections(summary, details or None))

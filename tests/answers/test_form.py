"""Tests of the form of answers: round trips, each violation with line and rule, the four sample cases."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from zsh_ls.answers.build import build, error_answer, fallback, plan_failed, telemetry_unavailable
from zsh_ls.answers.form import Sections, format_text, parse, validate
from zsh_ls.answers.markup import as_text, code_span
from zsh_ls.model.answer import Answer, ProposedCommand

LINE = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "Zs", "Sm")), min_size=1, max_size=30
)
BODY = st.lists(LINE | st.sampled_from(["- item", "## Title", "```", "", "[DETAILS]"]), max_size=6)
COMMAND = st.builds(ProposedCommand, LINE, st.sampled_from(["user", "root"]))
SECTIONS = st.builds(
    Sections,
    st.lists(LINE, min_size=1, max_size=2).map("\n".join),
    st.none() | BODY.map("\n".join),
    st.none() | st.lists(COMMAND, min_size=1, max_size=3).map(tuple),
)


# ANS-2
@given(SECTIONS)
def test_what_was_formatted_is_parsed_to_the_same_sections(sections: Sections) -> None:
    text = format_text(sections)
    assume(not validate(text))
    assert parse(text).sections == sections


@given(st.lists(LINE | st.sampled_from(["[SUMMARY]", "[DETAILS]", "[COMMANDS]", "", "$ ls"])))
def test_what_was_parsed_is_formatted_to_the_same_text(lines: list[str]) -> None:
    text = "\n".join(["[SUMMARY]", "Said.", *lines])
    parsed = parse(text)
    assert (parsed.sections is None) == bool(parsed.breaches)
    if parsed.sections is not None:
        assert format_text(parsed.sections) == text


@given(st.text())
def test_no_text_is_too_strange_to_be_judged(text: str) -> None:
    assert parse(text).sections is None or format_text(parse(text).sections or Sections("")) == text


FOUR_CASES = {
    "deterministic": "[SUMMARY]\nYour system has 16 GB RAM with 8.2 GB currently in use (51%).",
    "template": """[SUMMARY]
Running swapon to check swap configuration.

[COMMANDS]
$ swapon --show""",
    "recipe": """[SUMMARY]
Installing Docker and Docker Compose with proper user permissions.

[DETAILS]
This will install Docker CE and add your user to the docker group.
You will need to log out and back in for group changes to take effect.

[COMMANDS]
$ sudo pacman -S docker docker-compose
# systemctl enable docker.service
$ sudo usermod -aG docker $USER""",
    "fallback": """[SUMMARY]
Unable to determine GPU VRAM usage.

[DETAILS]
Reason: nvidia-smi command not found
Missing: NVIDIA driver tools

To collect this information:

[COMMANDS]
$ sudo pacman -S nvidia-utils
$ nvidia-smi --query-gpu=memory.used,memory.total --format=csv""",
}


# ANS-1
@pytest.mark.parametrize("kind", FOUR_CASES)
def test_the_formats_own_cases_are_parsed_and_come_back(kind: str) -> None:
    text = FOUR_CASES[kind]
    assert validate(text, kind) == ()  # type: ignore[arg-type]
    sections = parse(text).sections
    assert sections is not None
    assert format_text(sections) == text


def test_the_prompt_of_a_command_says_whose_it_is() -> None:
    sections = parse(FOUR_CASES["recipe"]).sections
    assert sections is not None
    assert sections.commands == (
        ProposedCommand("sudo pacman -S docker docker-compose"),
        ProposedCommand("systemctl enable docker.service", "root"),
        ProposedCommand("sudo usermod -aG docker $USER"),
    )


# text, the line of the breach, its rule
REFUSED = {
    "h1": ("[SUMMARY]\nYes.\n\n[DETAILS]\n# Title", 5, "heading"),
    "h1 alone": ("[SUMMARY]\nYes.\n\n[DETAILS]\nText\n#\nText", 6, "heading"),
    "h1 underlined": ("[SUMMARY]\nYes.\n\n[DETAILS]\nTitle\n===", 6, "heading"),
    "h3": ("[SUMMARY]\nYes.\n\n[DETAILS]\n### Title", 5, "heading"),
    "h1 in a list": ("[SUMMARY]\nYes.\n\n[DETAILS]\n- # Title", 5, "heading"),
    "rule": ("[SUMMARY]\nYes.\n\n[DETAILS]\na\n\n---\n\nb", 7, "horizontal-rule"),
    "rule of stars": ("[SUMMARY]\nYes.\n\n[DETAILS]\n* * *", 5, "horizontal-rule"),
    "quote": ("[SUMMARY]\nYes.\n\n[DETAILS]\n> said", 5, "block-quote"),
    "quote in a list": ("[SUMMARY]\nYes.\n\n[DETAILS]\n1. > said", 5, "block-quote"),
    "table": ("[SUMMARY]\nYes.\n\n[DETAILS]\n| a | b |", 5, "table"),
    "bare table": ("[SUMMARY]\nYes.\n\n[DETAILS]\na | b\n--|--\n1 | 2", 6, "table"),
    "emoji": ("[SUMMARY]\nDone ✅", 2, "emoji"),
    "emoji by selector": ("[SUMMARY]\nBeware ©\ufe0f", 2, "emoji"),
    "emoji in code": ("[SUMMARY]\nYes.\n\n[DETAILS]\n```\n🚀\n```", 6, "emoji"),
    "emoji in a command": ("[SUMMARY]\nYes.\n\n[COMMANDS]\n$ echo 🚀", 5, "emoji"),
    "escape": ("[SUMMARY]\nYes.\x1b[31m", 2, "control-character"),
    "nothing": ("", 1, "summary-first"),
    "no summary": ("[DETAILS]\nText", 1, "summary-first"),
    "words before": ("Hello\n\n[SUMMARY]\nYes.", 1, "summary-first"),
    "empty summary": ("[SUMMARY]\n\n[DETAILS]\nText", 1, "section-body"),
    "three lines": ("[SUMMARY]\na\nb\nc", 4, "summary-length"),
    "blank within": ("[SUMMARY]\na\n\nb", 3, "summary-blank"),
    "no gap": ("[SUMMARY]\na\n[DETAILS]\nb", 3, "section-gap"),
    "two blanks": ("[SUMMARY]\na\n\n\n[DETAILS]\nb", 5, "section-gap"),
    "blank after marker": ("[SUMMARY]\na\n\n[DETAILS]\n\nb", 4, "section-body"),
    "blank at the end": ("[SUMMARY]\na\n", 1, "section-body"),
    "twice": ("[SUMMARY]\na\n\n[DETAILS]\nb\n\n[DETAILS]\nc", 7, "section-order"),
    "order": ("[SUMMARY]\na\n\n[COMMANDS]\n$ b\n\n[DETAILS]\nc", 7, "section-order"),
    "unknown": ("[SUMMARY]\na\n\n[NOTES]\nb", 4, "unknown-section"),
    "trailing space": ("[SUMMARY]\na ", 2, "trailing-space"),
    "carriage return": ("[SUMMARY]\r\na", 1, "trailing-space"),
    "no prompt": ("[SUMMARY]\na\n\n[COMMANDS]\nls", 5, "command-prompt"),
    "empty command": ("[SUMMARY]\na\n\n[COMMANDS]\n$ ls\n#", 6, "command-prompt"),
    "blank between commands": ("[SUMMARY]\na\n\n[COMMANDS]\n$ ls\n\n$ ps", 6, "command-prompt"),
    "open fence": ("[SUMMARY]\na\n\n[DETAILS]\n```\n[COMMANDS]\n$ b", 5, "open-fence"),
    "nothing but a fence": ("```\n[SUMMARY]\na", 1, "open-fence"),
    "loose list": ("[SUMMARY]\na\n\n[DETAILS]\n- b\n\n- c", 6, "loose-list"),
    "loose numbers": ("[SUMMARY]\na\n\n[DETAILS]\n1. b\n2. c\n\n3. d\n\nEnd.", 7, "loose-list"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_names_line_and_rule(case: str) -> None:
    text, line, rule = REFUSED[case]
    assert (line, rule) in [(breach.line, breach.rule) for breach in validate(text)]


FINE = {
    "allowed markdown": "[SUMMARY]\n**Bold**, *italic*, `code`.\n\n[DETAILS]\n## Title\n- a\n- b\n1. c",
    "anything in a fence": "[SUMMARY]\na\n\n[DETAILS]\n```sh\n# comment\n---\n> x\n| y |\n\n[NOTES]\n```",
    "marker in a fence": "[SUMMARY]\na\n\n[DETAILS]\n~~~\n[COMMANDS]\n~~~\n\n[COMMANDS]\n$ b",
    "long items apart": "[SUMMARY]\na\n\n[DETAILS]\n- b\n  more\n\n- c",
    "text after a list": "[SUMMARY]\na\n\n[DETAILS]\n- b\n- c\n\nText.",
    "root's prompt": "[SUMMARY]\na\n\n[COMMANDS]\n# apt install jq\n$ sudo apt install jq",
    "a hash tag": "[SUMMARY]\na\n\n[DETAILS]\n#5 is an issue",
    "a pipe in prose": "[SUMMARY]\nuse a | b\n\n[DETAILS]\na || b",
    "signs that are text": "[SUMMARY]\n✓ 3 → 4 © 2026 — 5 × “6”",
}


@pytest.mark.parametrize("case", FINE)
def test_what_is_allowed_is_not_refused(case: str) -> None:
    assert validate(FINE[case]) == ()


KINDS = {
    "deterministic with commands": ("deterministic", "[SUMMARY]\na\n\n[COMMANDS]\n$ b", 4),
    "template without commands": ("template", "[SUMMARY]\na", 2),
    "recipe without details": ("recipe", "[SUMMARY]\na\n\n[COMMANDS]\n$ b", 5),
    "llm without details": ("llm", "[SUMMARY]\na", 2),
    "fallback of other words": ("fallback", "[SUMMARY]\nNo.\n\n[DETAILS]\nx\n\n[COMMANDS]\n$ b", 2),
    "error of other words": ("error", "[SUMMARY]\nOops.\n\n[DETAILS]\nReason: x", 2),
}


# ANS-3
@pytest.mark.parametrize("case", KINDS)
def test_a_kind_has_its_sections_and_words(case: str) -> None:
    kind, text, line = KINDS[case]
    assert validate(text) == ()
    assert line in [breach.line for breach in validate(text, kind)]  # type: ignore[arg-type]


def fine(answer: Answer) -> bool:
    return validate(answer.text, answer.kind) == ()


@given(st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_an_error_keeps_the_form_whatever_it_quotes(
    message: str, reason: str, may_do: list[str]
) -> None:
    assert fine(error_answer(message or "?", reason or None, [step or "?" for step in may_do]))


def test_an_error_says_what_failed_why_and_what_may_be_done() -> None:
    answer = error_answer("Unknown task: 3f9a01bc", may_do=["List the tasks that are known."])
    assert answer.kind == "error"
    assert answer.summary == "Failed to execute: Unknown task: 3f9a01bc"
    assert answer.details == (
        "Reason: Unknown task: 3f9a01bc\nWhat may be done:\n- List the tasks that are known."
    )
    assert fine(
        telemetry_unavailable("/proc/meminfo: Permission denied", missing="the right to read it")
    )
    broken = plan_failed("The reply broke rule heading on line 3.")
    assert fine(broken)
    assert "\nMissing: a reply in the form of an answer\n" in (broken.details or "")


def test_a_fallback_has_all_three_sections_and_their_words() -> None:
    answer = fallback(
        "GPU VRAM usage",
        reason="nvidia-smi command not found",
        missing="NVIDIA driver tools",
        collect=[
            ProposedCommand("sudo pacman -S nvidia-utils"),
            ProposedCommand("nvidia-smi --query-gpu=memory.used,memory.total --format=csv"),
        ],
    )
    assert answer.text == FOUR_CASES["fallback"]
    assert fine(answer)


@given(st.text())
def test_quoted_text_is_one_harmless_line(text: str) -> None:
    answer = build("deterministic", Sections(f"It was {code_span(text)}, {as_text(text)}."))
    assert fine(answer)

"""Tests that the three renderings of an answer have the same words."""

from __future__ import annotations

import re

from hypothesis import assume, given
from hypothesis import strategies as st

from zsh_ls.answers.build import build, error_answer
from zsh_ls.answers.form import Sections, format_text, validate
from zsh_ls.answers.render import to_ansi, to_markdown, to_screen
from zsh_ls.model.answer import Answer, ProposedCommand

from .phrasings import phrasings, reply

_SGR = re.compile(r"\x1b\[[0-9;]*m")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\S*$", re.MULTILINE)
_WORD = re.compile(r"[^\W_]+")


RICH = build(
    "recipe",
    Sections(
        "Installing **jq** with `apt`.",
        "## Notes\n- *Slow* on [the mirror](https://example.org).\n- Warning: `<name>` is needed"
        "\n\n```sh\nif true; then\n\n  echo **raw**\nfi\n```\n\nUse <name> here.",
        (ProposedCommand("apt-get install jq", "root"), ProposedCommand("jq --version")),
    ),
)


def words(rendered: str) -> list[str]:
    """The text that a reader sees, without markup."""
    text = _FENCE.sub("", _SGR.sub("", rendered))
    return _WORD.findall(text)


def same_words(answer: Answer) -> bool:
    renderings = (answer.text, to_ansi(answer), to_screen(answer), answer.markdown)
    first, *others = map(words, renderings)
    return all(other == first for other in others)


# ANS-5
def test_every_answer_has_the_same_words_in_all_renderings() -> None:
    for phrasing in phrasings("phrasings.txt"):
        assert same_words(reply(phrasing.question)[1]), phrasing.question


def test_markdown_of_every_kind_has_the_same_words_in_all_renderings() -> None:
    assert same_words(RICH)
    assert same_words(error_answer("Unknown task: 3f9a"))


@given(st.text(st.characters(codec="ascii", categories=("L", "P", "Zs", "Sm"))))
def test_whatever_a_summary_says_is_said_in_all_renderings(summary: str) -> None:
    sections = Sections(summary)
    assume(not validate(format_text(sections)))
    assert same_words(build("deterministic", sections))


def test_the_command_line_has_cyan_markers_green_commands_red_errors_yellow_warnings() -> None:
    shown = to_ansi(RICH)
    assert "\x1b[1;36m[SUMMARY]\x1b[0m" in shown
    assert "\x1b[32m# apt-get install jq\x1b[0m" in shown
    assert "- \x1b[33mWarning: <name> is needed\x1b[0m" in shown
    assert "\x1b[1mjq\x1b[0m" in shown
    failed = to_ansi(error_answer("Unknown task: 3f9a"))
    assert "\x1b[1;31mFailed to execute: Unknown task: 3f9a\x1b[0m" in failed


def test_the_screen_has_bold_markers_commands_on_a_background_italics_and_underlines() -> None:
    shown = to_screen(RICH)
    assert "\x1b[1m[SUMMARY]\x1b[0m" in shown
    assert "\x1b[48;5;236m$ jq --version\x1b[0m" in shown
    assert "\x1b[3mSlow\x1b[0m" in shown
    assert "\x1b[4mthe mirror (https://example.org)\x1b[0m" in shown


def test_hovers_have_the_markers_as_code_spans_and_commands_in_a_fence() -> None:
    assert RICH.markdown.startswith(
        "`[SUMMARY]`\n\nInstalling **jq** with `apt`.\n\n`[DETAILS]`\n\n"
    )
    assert RICH.markdown.endswith("`[COMMANDS]`\n\n```\n# apt-get install jq\n$ jq --version\n```")
    assert r"Use \<name> here." in RICH.markdown


def test_a_fence_is_longer_than_any_run_of_backquotes_in_the_commands() -> None:
    sections = Sections("x", None, (ProposedCommand("echo '````'"),))
    assert build("template", sections).markdown.endswith("`````\n$ echo '````'\n`````")


def test_no_trailing_white_space_in_any_rendering() -> None:
    for shown in (RICH.text, RICH.markdown, _SGR.sub("", to_ansi(RICH))):
        assert all(line == line.rstrip() for line in shown.split("\n"))


def test_markdown_is_made_of_the_text_alone() -> None:
    assert to_markdown(RICH.text) == RICH.markdown

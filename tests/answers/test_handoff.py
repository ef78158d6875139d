"""Tests of questions to a language model: the prompt, the check of its reply, the second attempt."""

from __future__ import annotations

from zsh_ls.answers.form import parse, validate
from zsh_ls.answers.handoff import (
    FORM,
    broken_rules,
    is_for_model,
    prompt,
    prompt_again,
    reply_answer,
)

from .phrasings import reply

GOOD = """[SUMMARY]
Your GPU drivers need to be reinstalled after kernel update.

[DETAILS]
Kernel updates can break NVIDIA drivers.

[COMMANDS]
$ sudo pacman -S nvidia nvidia-utils
"""


def test_a_model_is_asked_what_no_family_read_and_nothing_else() -> None:
    assert is_for_model("why is grep called grep", reply("why is grep called grep")[1])
    for question in ("check swap", "how long does terraform apply take"):
        assert not is_for_model(question, reply(question)[1])


def test_a_reply_that_keeps_the_form_is_an_answer_marked_llm() -> None:
    assert broken_rules(GOOD) == ()
    answer = reply_answer(GOOD)
    assert answer.kind == "llm"
    assert answer.text == GOOD.strip()


def test_the_second_asking_names_the_rule_and_the_line() -> None:
    bad = GOOD.replace("Kernel updates", "# Kernel updates")
    again = prompt_again("why is my GPU gone?", bad, broken_rules(bad))
    assert "Line 5 of your last reply breaks the rule heading" in again
    assert "why is my GPU gone?" in again
    assert "# Kernel updates can break" in again


def test_a_reply_without_details_is_no_answer_of_a_model() -> None:
    assert [breach.rule for breach in broken_rules("[SUMMARY]\nYes.")] == ["kind-sections"]


def test_a_reply_that_stays_broken_is_an_error_that_says_so() -> None:
    answer = reply_answer("Sure! Here is what I think.")
    assert answer.kind == "error"
    assert answer.summary == "Action plan generation failed."
    assert "summary-first" in (answer.details or "")
    assert validate(answer.text, "error") == ()


def test_the_form_shown_to_the_model_is_the_form() -> None:
    shown = FORM.partition("\n\n")[2].partition("\n\nRules:")[0]
    assert parse(shown).sections is not None
    assert validate(shown, "llm") == ()
    assert "what hides?" in prompt("what hides?\n")

"""Tests that each question is answered by its family, and that replies have the required form."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zsh_ls.answers.ask import answer, known_questions, understand
from zsh_ls.answers.families import FAMILIES
from zsh_ls.answers.form import validate
from zsh_ls.answers.vocabulary import CONCEPTS
from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.history import HostHistory
from zsh_ls.model.machine import Unavailable
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.words import Outcome

from .phrasings import DATA, NOBODY, misses, phrasings, reply
from .world import HOSTS, NO_GPU, OUTPUT, RUNNING, RUNS, MemoryRecall, StillMachine, facts, ran

SETS = sorted(path.name for path in DATA.glob("*.txt"))


def ask(question: str, **world: object) -> Answer:
    return answer(understand(question), facts(**world))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SETS)
def test_a_question_is_answered_by_its_family_or_not_at_all(name: str) -> None:
    assert list(misses(name)) == []


@pytest.mark.parametrize("name", SETS)
def test_every_answer_keeps_the_form_of_its_kind(name: str) -> None:
    for phrasing in phrasings(name):
        given = reply(phrasing.question)[1]
        assert validate(given.text, given.kind) == (), phrasing.question


def test_there_are_enough_phrasings_to_judge_by() -> None:
    everything = [phrasing for name in SETS for phrasing in phrasings(name)]
    assert len(everything) >= 150
    assert sum(phrasing.family == NOBODY for phrasing in everything) >= 60


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_familys_examples_are_its_own(family: object) -> None:
    for name, examples in known_questions():
        if name == family.name:  # type: ignore[attr-defined]
            assert [reply(example)[0] for example in examples] == [name] * len(examples)


def test_every_concept_a_pattern_names_is_in_the_vocabulary_and_none_is_idle() -> None:
    named = {
        concept
        for family in FAMILIES
        for pattern in family.patterns
        for concept in pattern.explains - {"window", "digit"}
    }
    assert named == set(CONCEPTS)


@given(st.text())
def test_no_question_is_too_strange(question: str) -> None:
    given_answer = answer(understand(question), facts())
    assert validate(given_answer.text, given_answer.kind) == ()


@settings(max_examples=40)
@given(
    st.lists(
        st.sampled_from(["who", "president", "while", "grep", "not", "zebra"]),
        min_size=1,
        max_size=6,
    )
)
def test_words_nobody_knows_are_answered_by_nobody(words: list[str]) -> None:
    assert ask(" ".join(words)).kind == "fallback"


@pytest.mark.parametrize("word", ["zebra", "without"])
def test_one_word_that_cannot_be_explained_makes_it_another_question(word: str) -> None:
    for _, examples in known_questions():
        for example in examples:
            words = example.split()
            middle = len(words) // 2
            question = " ".join([*words[:middle], word, *words[middle:]])
            assert ask(question).kind == "fallback", question


def test_a_long_story_is_no_question() -> None:
    assert ask("check swap " + "please " * 100).kind == "fallback"


def test_the_templates_have_the_words_of_the_contract() -> None:
    assert ask("check swap").text == (
        "[SUMMARY]\nRunning swapon to check swap configuration.\n\n[COMMANDS]\n$ swapon --show"
    )
    assert ask("check failed services").text == (
        "[SUMMARY]\nRunning systemctl to check failed services.\n\n"
        "[COMMANDS]\n$ systemctl --failed --no-pager"
    )


# ALAN-14
def test_no_duration_is_expected_of_runs_that_differ_too_much() -> None:
    runs = tuple(ran("pytest -q", hours_ago=1.0, duration_s=took) for took in (1.0, 1.0, 1.0, 66.0))
    told = ask("how long does pytest take", recall=MemoryRecall(runs)).summary
    assert (
        "takes at most 1 min 6 s nine times of ten, and differs too much to expect a duration"
        in told
    )


def test_failures_that_took_from_long_to_short_are_told_from_short_to_long() -> None:
    """It took `3.0 s to 1.0 s` in a command that never passed."""
    runs = tuple(
        ran("make", hours_ago=ago, outcome=Outcome.FAILURE, duration_s=took)
        for ago, took in ((0.1, 3.0), (0.2, 2.0), (0.3, 1.0))
    )
    text = ask("how long does make usually take here", recall=MemoryRecall(runs)).text
    assert "3.0 s to 1.0 s" not in text


def test_an_answer_says_which_family_gave_it() -> None:
    answer_ = ask("how long does npm test take")
    assert answer_.details is not None
    assert answer_.details.endswith("Source: ALAN, the memory of executions (family duration).")


def test_a_near_miss_is_told_what_could_be_asked() -> None:
    given_answer = ask("how much memory does chrome use")
    assert given_answer.kind == "fallback"
    assert "how much memory is free" in (given_answer.details or "")
    assert ProposedCommand("zsh-ls ask 'how much memory is free'") in (given_answer.commands or ())


def test_what_is_nowhere_near_is_offered_nothing() -> None:
    given_answer = ask("who is the president")
    assert given_answer.commands == (ProposedCommand("zsh-ls ask"),)
    assert "Nearest" not in (given_answer.details or "")


def test_a_command_never_seen_is_not_known() -> None:
    given_answer = ask("how long does terraform apply take")
    assert given_answer.kind == "fallback"
    assert given_answer.summary == "Unable to determine how long terraform apply takes."


def test_a_fact_that_cannot_be_read_is_a_fallback_with_its_reason() -> None:
    given_answer = ask("how much VRAM is free", machine=StillMachine(graphics=NO_GPU))
    assert given_answer.kind == "fallback"
    assert "Reason: nvidia-smi command not found" in (given_answer.details or "")


@pytest.mark.parametrize(
    "question",
    ["show more", "show full output", "debug this", "what was the full output"],
)
def test_the_phrases_for_output_give_all_of_it(question: str) -> None:
    given_answer = ask(question)
    assert given_answer.output == "ok\n" * 200
    assert understand(question).needs_output


def test_output_that_is_gone_is_offered_to_be_made_again_and_not_made() -> None:
    given_answer = ask("show full output", last_output=None)
    assert given_answer.kind == "fallback"
    assert given_answer.commands == (ProposedCommand("npm test"),)


def test_a_remembered_command_that_fits_on_no_line_is_not_proposed() -> None:
    newest: RunEntry = attrs.evolve(
        ran("x", hours_ago=0.1), command="for f in *; do\n  echo 🚀\ndone"
    )
    given_answer = ask("show more", last_output=None, recall=MemoryRecall((*RUNS, newest), HOSTS))
    assert validate(given_answer.text, "fallback") == ()
    assert given_answer.commands == (ProposedCommand("zsh-ls tasks"),)


MEMORY_QUESTIONS = [
    example for family in FAMILIES if family.needs_memory for example in family.examples
]


@settings(max_examples=15)
@given(st.text(min_size=1), st.sampled_from(Outcome), st.text())
def test_whatever_ran_the_answers_keep_their_form(
    command: str, outcome: Outcome, error: str
) -> None:
    strange = ran(command, hours_ago=0.1, outcome=outcome, template=f"make {error}")
    world = facts(
        recall=MemoryRecall((strange,), (HostHistory(command, 3, 2, 0.5),)),
        running=(attrs.evolve(RUNNING[0], command=command),),
        last_output=attrs.evolve(OUTPUT, command=command),
    )
    for question in MEMORY_QUESTIONS:
        given_answer = answer(understand(question), world)
        assert validate(given_answer.text, given_answer.kind) == ()


def test_an_empty_memory_says_so_in_every_family_of_memory() -> None:
    empty = MemoryRecall(())
    for question in ("what failed today", "what did I run last", "slowest commands", "flaky hosts"):
        given_answer = ask(question, recall=empty)
        assert given_answer.kind == "deterministic"
        assert validate(given_answer.text, "deterministic") == ()


def test_a_machine_that_tells_nothing_is_a_fallback() -> None:
    class Mute(StillMachine):
        def memory(self) -> Unavailable:
            return Unavailable("/proc/meminfo: Permission denied", "/proc/meminfo", ())

    given_answer = ask("how much memory is free", machine=Mute())
    assert given_answer.kind == "fallback"
    assert validate(given_answer.text, "fallback") == ()


FAILED_RUN = Outcome.FAILURE
OF_MAKE = (
    ran("make test", hours_ago=0.05, outcome=FAILED_RUN, duration_s=0.06),
    ran("make", hours_ago=0.06, duration_s=37.7),
    ran("make clean", hours_ago=0.07, duration_s=0.14),
    ran("make check", hours_ago=0.09, outcome=FAILED_RUN, duration_s=0.2),
    ran("make check", hours_ago=0.2, outcome=FAILED_RUN, duration_s=0.7),
    ran("npm tset", hours_ago=0.4, outcome=FAILED_RUN, duration_s=1.6),
    ran("npm test", hours_ago=0.5, outcome=FAILED_RUN, duration_s=127.0),
)


# ANS-4, ANS-6
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("did make check ever pass here", "`make check` never passed: all 2 runs failed."),
        ("has make check passed", "`make check` ran 5 minutes ago"),
        ("when did make check last pass", "`make check` never succeeded, as far as memory goes"),
        ("how often did make check fail", "`make check` failed 2 of 2 times"),
        ("why did npm test fail", "`npm test` failed with exit 2 30 minutes ago"),
        ("how long does make take", "`make` took 37.7 s (1 run)."),
    ],
)
def test_a_command_that_is_named_word_for_word_is_told_of(question: str, told: str) -> None:
    """It was `make` or `make test` where `make check` was asked of, and `npm tset` for `npm test`."""
    assert told in ask(question, recall=MemoryRecall(OF_MAKE)).summary


# ALAN-14
def test_of_a_line_its_own_template_is_told_of_before_others_that_begin_so() -> None:
    runs = tuple(
        ran(line, hours_ago=ago, duration_s=took, template=template)
        for line, ago, took, template in (
            ("pytest -q test_a.py | tail -1", 0.1, 0.7, "pytest -q * | tail -*"),
            ("pytest -q test_a.py", 0.2, 1.4, "pytest -q *"),
        )
    )
    told = ask("how long does pytest -q test_a.py take", recall=MemoryRecall(runs)).summary
    assert told == "`pytest -q *` took 1.4 s (1 run)."


# ALAN-13, ANS-4
def test_a_command_that_ran_elsewhere_alone_is_not_told_by_another_of_here() -> None:
    """`since when does make check fail` was answered of the `make` of this project."""
    ran_here = attrs.evolve(OF_MAKE[1], outcome=FAILED_RUN, project="/here")
    runs = (ran_here, *(it for it in OF_MAKE if it.command == "make check"))
    known = attrs.evolve(facts(recall=MemoryRecall(runs)), here="/here")
    told = answer(understand("since when does make check fail"), known).summary
    assert told.startswith("`make check` fails since")

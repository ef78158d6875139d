"""Questions as people put them, in a real memory (ANS-6, ANS-7), from tests/data/answers/asked."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from zsh_ls.answers.plain import plain
from zsh_ls.answers.spelling import near
from zsh_ls.answers.spoken import written

from .real_world import real_world
from .score import ADVERSARIAL, adversarial, answers_to, asked, in_the_worlds_zone

# What was right of each style when this was written; fewer is a step back.
LEAST_RIGHT = {
    "terse": 50,
    "polite": 48,
    "misspelt": 49,
    "nonnative": 41,
    "dictated": 41,
    "fresh": 100,
    "dev2": 118,
    "fresh2": 93,
    "fresh3": 84,
}


@pytest.fixture(autouse=True)
def _zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Etc/GMT-2")
    in_the_worlds_zone()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("style", LEAST_RIGHT)
async def test_no_answer_is_wrong_and_most_are_right(style: str) -> None:
    questions = asked(style)
    given = await answers_to(questions)
    verdicts = [it.verdict(answer) for it, answer in zip(questions, given, strict=True)]
    wrong = [it.question for it, said in zip(questions, verdicts, strict=True) if said == "wrong"]
    assert wrong == []
    assert verdicts.count("right") >= LEAST_RIGHT[style]


@pytest.mark.parametrize("name", ADVERSARIAL)
async def test_a_question_with_a_condition_that_nobody_understands_is_not_known(name: str) -> None:
    questions = adversarial(name)
    assert len(questions) >= 200
    given = await answers_to(questions)
    answered = [
        it.question
        for it, answer in zip(questions, given, strict=True)
        if it.verdict(answer) == "wrong"
    ]
    assert answered == []


# ANS-7: question, and what its answer holds.
PROMISED = {
    "why did the last command fail": (
        "`npm test` failed with exit 1",
        "adds tax",
        "last passed here",
    ),
    "what went wrong": ("`npm test` failed with exit 1",),
    "which tests failed": ("2 tests failed: `tax › adds tax`, `tax › rounds totals`.",),
    "what does exit 127 mean": ("Exit 127: command not found.",),
    "show me the output of the last failed run": ("The output of `npm test`",),
    "has make deploy ever worked": ("`make deploy` in `api` never passed: all 4 runs failed.",),
    "what uses port 5173": ("Port 5173: `node` (pid 4711).",),
    "is port 3000 free": ("Nothing listens on port 3000.",),
    "is dokcer isntalled": ("Nothing called `dokcer` is here; `docker` is installed.",),
    "how do i isntall dokcer": ("docker",),
    "is kotlinc installed": ("`kotlinc` is not installed.",),
    "which test is flaky": ("`go test ./...` in `api` is flaky", "TestLogin"),
    "what changed since the tests last passed": ("src/tax.js", "No commit since then."),
    "last time make deploy passed": ("`make deploy` in `api` never passed",),
    "did curl succeed": ("succeeded", "hid that `curl` (exit 22) failed"),
    "wat is runing": ("2 tasks are running",),
    "what is running": ("2 tasks are running: `npm run dev`, `go run ./cmd/server`.",),
    "what did I run here": ("33 runs here: `npm test`, `git status`",),
    "what did i run": ("33 runs here",),
    "which things did i start that are still running": ("Unable to determine",),
    "what did I run before npm test": ("Right before the last `npm test`", "first: `git status`"),
    "what did I run before that": ("Right before the last `npm test`",),
    "what did the agent run": ("Nothing was run here.",),
    "what did I run in the terminal": ("runs in the terminal alone",),
    "what did I run after git status": ("first: `npm test`.",),
    "what is signal 11": ("Signal 11 is SIGSEGV",),
    "whats the error": ("`npm test` failed with exit 1",),
    "did anything fail while I was away": ("Unable to determine",),
    "what changed today": ("Changed today: 1 commit", "src/tax.js"),
    "does ssh prod work": ("last passed 2 hours ago (09:20), and failed with exit 255",),
    "why does make deploy always fail": ("`make deploy` failed with exit 2",),
    "what was I doing yesterday afternoon": ("Nothing was run here", "5 runs in `api`"),
    "how often does npm test fail": ("`npm test` failed 9 of 40 times",),
    "what was killed": ("`npm run e2e`",),
    "waht failed in 1929": ("Unable to determine",),
    "how often did npm test fail this month": ("failed 9 of 40 times this month",),
    "how often did I run npm test since november": ("ran 40 times since November",),
    "how often did npm test run in the last 14 days": ("Unable to determine", "only the newest 20"),
    "how far back does your memory go": ("Memory goes back to Monday 2026-11-02.",),
    "how much memory was free at 10:58": ("Unable to determine",),
    "which ports are open right now": ("5173: `node` (pid 4711)", "8080: `server` (pid 5120)"),
    "when did make deploy last succeed": ("`make deploy` never succeeded",),
    "what is the task id of the dev server": ("`npm run dev` is task `3f9a01bc`",),
}


async def test_what_is_asked_first_is_answered_by_the_thing_itself(tmp_path: Path) -> None:
    async with real_world(tmp_path) as world:
        for question, texts in PROMISED.items():
            given = await world.ask(question)
            for text in texts:
                assert text in given.text, question


async def test_the_output_that_is_asked_for_is_whole(tmp_path: Path) -> None:
    async with real_world(tmp_path) as world:
        given = await world.ask("show me the output of the docker build")
    assert given.output is not None
    assert given.output.startswith("#8 [4/6] RUN npm ci")
    assert "failed to solve" in given.output


def test_one_near_word_is_understood_and_two_are_none() -> None:
    words = frozenset({"memory", "command", "flaky", "install", "port", "part"})
    assert near("memroy", words) == "memory"
    assert near("comand", words) == "command"
    assert near("isntall", words) == "install"
    assert near("flakey", words) == "flaky"
    assert near("pxrt", words) == ""
    assert near("uninstall", words) == ""
    assert near("memories", frozenset({"memory"})) == ""


def test_what_is_not_asked_is_left_out_unless_it_may_be_a_condition() -> None:
    assert plain("Hi, could you please tell me why the tests failed?") == "why the tests failed"
    assert plain("Lovely weather. What is running?") == "What is running"
    assert "Anna" in plain("On Anna's laptop, could you tell me why the tests failed?")
    assert "if" in plain("What fails if I run make?")


def test_spoken_letters_and_numbers_are_written() -> None:
    assert written("n p m test") == "npm test"
    assert written("port fifty one seventy three") == "port 5173"
    assert written("exit code one hundred twenty seven") == "exit code 127"
    assert written("why couldn't i s s h into prod") == "why couldn't i ssh into prod"

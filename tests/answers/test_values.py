"""Tests of the figures in answers, from a memory and a machine with known values."""

from __future__ import annotations

import re

import pytest

from zsh_ls.answers.ask import answer, understand

from .world import facts


def without_clocks(text: str) -> str:
    """The text without the times of day behind ages."""
    return re.sub(r" \((?:[A-Z][a-z]+ )?\d\d:\d\d\)", "", text)


SUMMARIES = {
    "how long does npm test take": (
        "`npm test` takes 42 s (median of 8 runs, 2 done by hand or imported),"
        " nine times of ten at most 45 s."
    ),
    "how long does docker build take": ("`docker build *` took 2 min 0 s (1 run)."),
    "how long did npm test take last time": "`npm test` took 11 s and failed with exit 2 30 minutes ago.",
    "how often did I run git push": "`git push` ran 4 times, the last time 3 hours ago.",
    "how many times did git push run today": "`git push` ran 1 time today, the last time 3 hours ago.",
    "how reliable is npm test": "`npm test` succeeded 6 of 8 times (75%).",
    "how often does the build fail": "`make` never failed in 4 runs.",
    "what failed last": "`npm test` failed with exit 2 30 minutes ago.",
    "what failed today": "3 runs failed today: `npm test` 30 minutes ago, `npm test` 1 hour ago,"
    " `ssh prod uptime` 8 hours ago.",
    "what failed yesterday": "1 run failed yesterday: `pytest -q` yesterday at 09:30.",
    "what failed last week": "Nothing failed last week; 0 runs remembered.",
    "what timed out last": "`ssh prod uptime` timed out 8 hours ago.",
    "which commands timed out today": "1 run timed out today: `ssh prod uptime` 8 hours ago.",
    "what timed out yesterday": "Nothing timed out yesterday; 4 runs remembered.",
    "since when does npm test fail": "`npm test` fails since 1 hour ago, 2 times in a row.",
    "since when does git push fail": "`git push` does not fail now: it last succeeded 3 hours ago.",
    "what is running": "1 task is running: `npm run dev`.",
    "what was killed": "2 runs were killed: `make` 4 hours ago, `docker build .` yesterday at 06:30.",
    "why was make killed": "1 run of `make` was killed: `make` 4 hours ago.",
    "which host is flaky": "`prod` is the flakiest host: 4 of 10 connections failed (41% weighted by age).",
    "what are my slowest commands": "`make` takes longest: 5 min 0 s (median).",
    "what do I run most": "`npm test` runs most: 8 times.",
    "which commands fail most": "`npm test` failed most: 2 of 8 runs.",
    "when did I last run make": "`make` ran 4 hours ago: it was killed after 15 min 0 s.",
    "how much memory is free": (
        "4.0 GiB of 16.0 GiB memory are available; 12.0 GiB are in use (75%)."
    ),
    "how busy is the cpu": "Intel(R) Core(TM) i7-9700K: 8 CPUs on 4 cores, 25% busy just now.",
    "what is the load average": "Load over 1, 5 and 15 minutes: 2.45, 1.50, 0.75; within the 8 CPUs.",
    "is my disk full": "55.0 GiB of 100 GiB are free on `/` (42% used).",
    "how much VRAM is free": "NVIDIA A10, 6.0 GiB of 24.0 GiB memory in use (25%), 18.0 GiB free, 40% busy.",
    "what is my ip address": "1 network interface is up: 192.0.2.7.",
    "what is eating my memory": "`firefox` (process 7) takes the most: 3.0 GiB memory.",
    "which process uses the most cpu": "`cc1plus` (process 8) takes the most: 99% of a CPU.",
    "show full output": "The full output of `npm test`: 200 lines.",
}


@pytest.mark.parametrize("question", SUMMARIES)
def test_a_question_gets_the_figures(question: str) -> None:
    assert without_clocks(answer(understand(question), facts()).summary) == SUMMARIES[question]


LINES = {
    "what was killed and why": [
        "- `make`, killed 4 hours ago after 15 min 0 s: late, it usually takes 5 min 0 s",
        "- `docker build .`, killed yesterday at 06:30 after 5 s: early, it usually takes 2 min 0 s",
    ],
    "since when does npm test fail": ["- It last succeeded 2 hours ago."],
    "what is running": ["- `npm run dev` for 1 min 5 s, task `3f9a01bc`"],
    "is my disk full": [
        "- Warning: nearly full: `/data` (xfs): 5.0 GiB of 100 GiB free, 95% used",
        "- `/` (ext4): 55.0 GiB of 100 GiB free, 42% used",
    ],
    "what failed today": [
        "- `npm test` failed with exit 2 30 minutes ago after 11 s",
        "- `ssh prod uptime` timed out 8 hours ago after 2 min 0 s",
    ],
    "how much memory is free": ["- There is no swap."],
    "which process uses the most cpu": ["- `firefox` (process 7): 3.0 GiB memory, 20% of a CPU"],
}


@pytest.mark.parametrize("question", LINES)
def test_the_details_list_what_the_summary_rests_on(question: str) -> None:
    lines = without_clocks(answer(understand(question), facts()).details or "").split("\n")
    assert set(LINES[question]) <= set(lines)


def test_a_number_in_the_question_is_how_many_are_listed() -> None:
    details = answer(understand("top 2 slowest commands"), facts()).details or ""
    assert sum(line.startswith("- ") for line in details.split("\n")) == 2

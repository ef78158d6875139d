"""Tests that reports in JSON are read whatever runner wrote them, and folded without a loss (VERB-9)."""

import json

import pytest

from zsh_ls.verbosity.fold import folded
from zsh_ls.verbosity.json_report import json_results
from zsh_ls.verbosity.results import names_of_failed_tests

from . import executions


def report(
    field: str = "status",
    good: object = "passed",
    bad: object = "failed",
    totals: dict[str, int] | None = None,
) -> str:
    count, broken = 200, (7, 150)
    tests = [
        {"title": f"hinge {n}", "took": {"ms": n}, field: bad if n in broken else good}
        for n in range(count)
    ]
    sums = {"good": count - len(broken), "bad": len(broken)} if totals is None else totals
    return json.dumps({"sums": sums, "groups": [{"title": "login", "tests": tests}]}, indent=2)


# VERB-9
@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("status", "passed", "failed"),
        ("outcome", "ok", "error"),
        ("result", "PASS", "FAIL"),
        ("ok", True, False),
        ("err", {}, {"message": "it is bent", "stack": "at hinge.js:3:4"}),
        ("failureMessages", [], ["it is bent"]),
    ],
)
def test_a_report_that_nobody_has_heard_of_is_read(field: str, good: object, bad: object) -> None:
    text = "> hinges\n" + report(field=field, good=good, bad=bad) + "\nnpm error code 2\n"
    found = json_results(text.split("\n"))
    assert [it.name for it in found if not it.good] == ["hinge 7", "hinge 150"]
    assert sum(it.good for it in found) == 198
    assert names_of_failed_tests(text) == ("hinge 7", "hinge 150")
    shown = folded(text * 2)
    assert shown is not None
    rows = [row for _, row in shown.rows]
    assert '          "title": "hinge 7",'.strip() in [it.strip() for it in rows]
    assert "hinge 8" not in "\n".join(rows)


@pytest.mark.parametrize(
    "text",
    [
        report(totals={}),
        report(totals={"good": 3, "bad": 4}),
        report(field="colour"),
        report()[:-1],
        report().replace("\n", " "),
        "{\n}\n",
        "[\n" * 50_000,
    ],
    ids=["no sum", "another sum", "no verdict", "cut off", "one line", "empty", "deep"],
)
def test_nothing_else_is_taken_for_a_report(text: str) -> None:
    assert json_results(text.split("\n")) == ()


def test_a_test_that_passed_with_something_wrong_inside_stays() -> None:
    text = report().replace('"ms": 42', '"ms": 42,\n            "errors": ["late"]', 1)
    found = json_results(text.split("\n"))
    assert "hinge 42" not in [it.name for it in found if it.good]


@pytest.mark.parametrize("name", ["mocha-json-fail", "playwright-json-fail"])
def test_recorded_reports_fit_a_few_pages_with_every_failure(name: str) -> None:
    cases = {it["id"]: it for it in executions.runners() + executions.later()}
    shown = executions.for_agents(cases[name]).output
    assert len(shown) < len(cases[name]["combined"]) / 8
    assert [it for it in cases[name]["failures"] if it not in shown] == []

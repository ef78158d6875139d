"""Tests that a runner nobody has heard of is recognised by its shape, and that nothing else is."""

import pytest

from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import ResolvedOutput, ResolverInput


def listed(
    good: str, bad: str, total: str, *, count: int = 20, broken: tuple[int, ...] = (7,)
) -> str:
    rows = [
        (bad if n in broken else good).replace("{}", f"hinge {n}") + "\n"
        for n in range(1, count + 1)
    ]
    return "".join(rows) + total + "\n"


def resolved(output: str, exit_status: int | None = 1, command: str = "./hinges") -> ResolvedOutput:
    return resolve(ResolverInput(command, exit=exit_status, combined=output))


@pytest.mark.parametrize(
    ("good", "bad", "total"),
    [
        ("✓ {}", "✗ {}", "19 held, 1 bent"),
        ("  ok    {}", "  FAIL  {}", "20 checks: 1 bad"),
        ("ok: {}", "not ok: {}", "19/20"),
        ("[ OK ] {}", "[FAIL] {}", "20 in all, 1 wrong"),
        ("[ok] {}", "[KAPUTT] {}", "19 gut, 1 kaputt"),
        ("{} ... passed", "{} ... FAILED (gap 3 mm)", "1 of 20 failed"),
        ("{}: PASS", "{}: FAIL", "Total: 20"),
        ("{} [ok]", "{} [error]", "Done: 19 and 1 error"),
        ("PASS  0.01s  {}", "FAIL  0.02s  {}", "19 passed, 1 failed"),
        ("3. PASS {}", "3. FAIL {}", "Total 20, failed 1"),
        ("[3/20] {} PASSED", "[3/20] {} FAILED", "19 of 20 ok"),
        ("| {} | ok |", "| {} | FAILED |", "| total | 20 |"),
        ("* {}: OK", "* {}: ERROR", "20 done, 1 error"),
        ("Test '{}' succeeded", "Test '{}' failed", "19 succeeded, 1 failed"),
        ("{} OK", "{} KO", "OK=19 KO=1"),
        ("ok 3 {}", "nok 3 {}", "# 19/20"),
        ("✔ {} (3 ms)", "✖ {} (4 ms)", "20 specs (1 broken)"),
        ("pass - {}", "fail - {}", "\nPassed: 19\nFailed: 1"),
    ],
)
def test_a_list_of_named_results_and_a_sum_is_a_test(good: str, bad: str, total: str) -> None:
    output = listed(good, bad, total)
    failed = resolved(output)
    assert (failed.verbosity.operation, failed.verbosity.state) == ("test", "failed")
    assert failed.output == output
    assert failed.failed_tests
    assert all("hinge 7" in name for name in failed.failed_tests)
    hidden = resolved(output, 0, "./hinges | cat")
    assert hidden.verbosity.state == "failed"


def test_of_one_that_passes_the_sum_is_shown() -> None:
    output = listed("✓ {}", "✗ {}", "all 60 hinges held", count=60, broken=())
    assert resolved(output, 0).output.splitlines()[1:] == ["all 60 hinges held"]


@pytest.mark.parametrize(
    "output",
    [
        "".join(f"copied part {n}\n" for n in range(100)) + "100 parts\n",
        "".join(f"[INFO] part {n}\n[ERROR] part {n} lost\n" for n in range(50)) + "100 lines\n",
        "".join(f"ok: [host-{n % 3}]\n" for n in range(60)) + "60 tasks\n",
        "".join(f"ok step {n}\n" for n in range(60)) + "took 4 s\n",
        "".join(f"✓ {n}\n" for n in range(60)) + "60\n",
        "ok a\nok b\nok c\n3 files\n",
        "".join(f"[node-{n}] boot ok\n" for n in range(60)) + "[node-60] heartbeat 0 missed\n",
    ],
    ids=["no-verdict", "levels", "same-name", "no-sum", "no-name", "too-few", "number-in-name"],
)
def test_what_lacks_a_verdict_a_name_or_a_sum_is_no_test(output: str) -> None:
    assert resolved(output).verbosity.operation == "command"


def test_a_few_results_need_a_sum_that_speaks_of_tests() -> None:
    assert resolved("ok a\nok b\nFAIL c\n2 passed, 1 failed\n").verbosity.operation == "test"


def test_what_only_shows_text_is_no_runner() -> None:
    output = listed("✓ {}", "✗ {}", "19 held, 1 bent")
    assert resolved(output, 1, "cat log").verbosity.operation == "file_read"


def test_a_heading_in_words_is_no_result_of_a_list_by_signs() -> None:
    text = listed("✔ {}", "✖ {}", "\nFailed tests:\n\n  7) hinge 7:\n\n1 of 20 tests failed")
    assert resolved(text).verbosity.operation == "test"


@pytest.mark.parametrize("head", ["<testsuites>", '<testsuite name="login">'])
def test_a_report_in_xml_needs_no_sums(head: str) -> None:
    bent = (
        '<testcase classname="d" name="{}">\n<failure message="bent">d.c:3</failure>\n</testcase>'
    )
    text = f"{head}\n" + listed('<testcase classname="d" name="{}"/>', bent, "</testsuites>")
    assert resolved(text).verbosity.operation == "test"


def test_the_sum_may_stand_above_failures_that_are_told_again_at_length() -> None:
    again = "".join(f"    drawer {n} of the till was open\n" for n in range(40))
    output = listed("✓ {}", "✗ {}", f"\n1 example failed of 20\n\nFailures:\n\n{again}")
    shown = resolved(output, 3)
    assert shown.verbosity.operation == "test"
    assert shown.output.rstrip("\n") == output.rstrip("\n")

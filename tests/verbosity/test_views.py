"""Tests of every row of the decision table, and of its details."""

import json

import pytest

from zsh_ls.verbosity.middle import TellingSearch
from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import Elision, ResolvedOutput, ResolverInput

DISTINCT = ("north", "east", "south", "west", "up", "down", "left", "right", "in", "out")


def numbered(count: int, word: str = "row") -> str:
    return "".join(f"{word} {n}\n" for n in range(1, count + 1))


def resolved(
    command: str, output: str, exit_status: int | None = 0, **more: object
) -> ResolvedOutput:
    return resolve(ResolverInput(command, exit=exit_status, combined=output, **more))


def kept(shown: ResolvedOutput) -> list[str]:
    """The printed lines that are shown."""
    ours = ("[", "... ")
    return [line for line in shown.output.splitlines() if not line.startswith(ours)]


def test_row_1_what_is_asked_for_in_full_is_whole() -> None:
    shown = resolved("seq 900", numbered(900), requested_full=True)
    assert shown.output == numbered(900)
    assert (shown.verbosity.level, shown.verbosity.escalated_by) == ("debug", ("request",))


# VERB-3
@pytest.mark.parametrize("how", [{"exit_status": 1}, {"exit_status": None, "timed_out": True}])
def test_row_2_a_failed_or_timed_out_test_is_never_cut(how: dict[str, object]) -> None:
    output = numbered(9_000) + "x" * 50_000 + "\n"
    shown = resolved("pytest", output, **how)
    assert shown.output == output
    assert shown.whole
    assert "test" in shown.verbosity.escalated_by


def test_row_2_comes_before_repetition_and_every_clip() -> None:
    output = numbered(9_000)
    assert resolved("make check", output, 2, previous_failures=5).output == output


def test_row_3_a_timeout_shows_everything_captured() -> None:
    shown = resolved("./deploy.sh", numbered(3_000), None, timed_out=True)
    assert shown.output == numbered(3_000)
    assert (shown.verbosity.state, shown.verbosity.escalated_by) == ("timed out", ("timeout",))


def test_row_4_a_server_that_runs_is_one_line() -> None:
    output = "VITE ready\n  Local: http://localhost:5173/\n"
    shown = resolved("npm run dev", output, None, still_running=True)
    assert shown.output == "running http://localhost:5173/\n"
    assert shown.verbosity.state == "running"


def test_row_4_a_server_that_did_not_start_says_so() -> None:
    shown = resolved("npm run dev", "port 5173 is in use\n", 1)
    assert shown.output == "[startup failed, exit 1]\nport 5173 is in use\n"
    assert "startup failed" in resolved("npm run dev", numbered(500), 1).output.splitlines()[0]


def test_row_5_the_second_failure_is_whole_and_the_third_is_not() -> None:
    output = numbered(400)
    assert resolved("./deploy.sh", output, 1).verbosity.omitted_lines > 0
    second = resolved("./deploy.sh", output, 1, previous_failures=1)
    assert second.output == output
    assert "repeat" in second.verbosity.escalated_by
    assert resolved("./deploy.sh", output, 1, previous_failures=2).verbosity.omitted_lines > 0


def test_row_6_a_failed_lint_is_whole() -> None:
    output = numbered(700, "a.py:1: E501") + "y" * 5_000 + "\n"
    assert resolved("ruff check .", output, 1).output == output


@pytest.mark.parametrize(("count", "omitted"), [(60, False), (120, True)])
def test_row_7_a_failure_of_sixty_lines_is_shown(count: int, omitted: bool) -> None:
    shown = resolved("./deploy.sh", numbered(count), 1, stderr="", stdout=numbered(count))
    assert bool(shown.verbosity.omitted_lines) is omitted


def test_row_8_a_failed_build_shows_every_distinct_error_with_twenty_lines_around() -> None:
    rows = [f"cc -c m{n}.c" for n in range(1, 401)]
    for at, word in ((100, "alpha"), (200, "beta"), (250, "gamma"), (300, "delta")):
        rows[at] = f"{word}.c:3: error: ‘{word}’ undeclared"
    lines = kept(resolved("make", "\n".join(rows) + "\n", 2))
    assert {rows[at] for at in (100, 200, 250, 300)} <= set(lines)
    assert set(rows[90:111]) <= set(lines)
    assert rows[89] not in lines
    assert set(rows[297:304]) <= set(lines)
    assert set(rows[:5]) | set(rows[-50:]) <= set(lines)


def test_row_8_errors_that_differ_in_a_number_are_distinct() -> None:
    rows = [f"cc -c m{n}.c" for n in range(900)]
    errors = [f"m{n}.c:3: error: ‘lost_{n}’ undeclared" for n in range(100, 700, 100)]
    for at, error in zip(range(100, 700, 100), errors, strict=True):
        rows[at] = error
    assert set(errors) <= set(kept(resolved("make -k", "\n".join(rows), 2)))


def test_row_8_names_the_build_among_its_reasons() -> None:
    assert resolved("make", numbered(300), 2).verbosity.escalated_by == ("exit", "build")
    assert resolved("./x.sh", numbered(300), 2).verbosity.escalated_by == ("exit",)


# VERB-2
def test_row_9_all_of_stderr_and_the_last_fifty_of_stdout_are_there() -> None:
    stdout = numbered(500)
    stderr = "".join(f"{word} way is shut\n" for word in DISTINCT)
    shown = resolved("./deploy.sh", stderr + stdout, 1, stdout=stdout, stderr=stderr)
    lines = kept(shown)
    assert set(stderr.splitlines()) | set(stdout.splitlines()[-50:]) <= set(lines)
    assert shown.verbosity.level == "balanced"


def test_row_9_finds_an_error_in_no_language_it_knows() -> None:
    rows = [f"töö {n} tehtud" for n in range(900)]
    rows[450] = "ladu on tühi"
    assert "ladu on tühi" in kept(resolved("./sync.sh", "\n".join(rows), 4))


def test_row_9_finds_the_number_that_alone_differs() -> None:
    rows = [f"shard {n} rows 1000" for n in range(600)]
    rows[300] = "shard 300 rows 17"
    assert "shard 300 rows 17" in kept(resolved("./verify.sh", "\n".join(rows), 1))


def test_row_9_keeps_a_traceback_whole() -> None:
    trace = ["Traceback (most recent call last):"]
    for depth in range(12):
        trace += [f'  File "m{depth}.py", line {depth}, in f{depth}', f"    f{depth + 1}()"]
    trace.append("ValueError: bad leaf")
    rows = [f"tick {n}" for n in range(300)]
    output = "\n".join([*rows[:150], *trace, *rows[150:]])
    assert set(trace) <= set(kept(resolved("python app.py", output, 1)))


def test_row_9_shows_two_windows_of_look_alike_errors() -> None:
    rows = [f"ERROR retry {n}" if n % 50 == 0 else f"tick {n}" for n in range(1, 1001)]
    errors = [line for line in kept(resolved("./x.sh", "\n".join(rows), 1)) if "ERROR" in line]
    assert len(errors) == 3  # two windows, and the one among the last lines


# VERB-8
def test_row_8_one_message_at_many_places_keeps_each_place() -> None:
    error = "error[E0308]: mismatched types\n --> src/{n}.rs:{n}:5\n  |\n5 |     text\n  | ^^^^\n\n"
    output = "".join(error.format(n=n) for n in range(250))
    shown = resolved("cargo build", output + numbered(80), 101).output
    assert [n for n in range(250) if f"--> src/{n}.rs:{n}:5" not in shown] == []


def test_row_9_an_error_with_a_place_is_shown_wherever_it_stands() -> None:
    rows = [f"checked {n}" for n in range(2_000)]
    places = [f"conf/{n}.ini:{n}: error: unknown key" for n in range(100, 1_900, 20)]
    for at, place in zip(range(100, 1_900, 20), places, strict=True):
        rows[at] = place
    assert set(places) <= set(kept(resolved("./validate.sh", "\n".join(rows), 1)))


def test_row_9b_look_alike_lines_with_places_of_their_own_are_no_repetition() -> None:
    stderr = "".join(f"conf/{n}.ini:{n}: error: unknown key\n" for n in range(600))
    shown = resolved("./validate.sh", stderr, 1, stdout="", stderr=stderr)
    assert kept(shown) == stderr.splitlines()


def test_row_9b_a_long_stderr_collapses_look_alikes_with_their_count() -> None:
    stderr = "".join(f"retrying chunk {n}\n" for n in range(900)) + "disk quota exceeded\n"
    shown = resolved(
        "bash noisy.sh", stderr, 1, stdout="", stderr=stderr, full_output=".tmp/last.txt"
    )
    assert shown.output.splitlines()[0].endswith("full output saved to .tmp/last.txt]")
    assert "... 894 lines omitted (look-alike)" in shown.output.splitlines()
    assert "disk quota exceeded" in shown.output
    assert shown.verbosity.full_output == ".tmp/last.txt"


def test_row_10_a_passed_test_is_its_summary() -> None:
    dots = "".join(f"tests/test_{n}.py ...\n" for n in range(50))
    shown = resolved("pytest", f"{dots}===== 150 passed in 0.62s =====\n")
    assert kept(shown) == ["===== 150 passed in 0.62s ====="]
    assert shown.verbosity.level == "lean"


def test_row_10_without_a_known_summary_shows_the_last_ten_lines() -> None:
    assert kept(resolved("./run_tests.sh", numbered(80))) == numbered(80).splitlines()[-10:]


# VERB-7
@pytest.mark.parametrize(
    "command",
    ["pytest -v", "pytest -xvs", "python -m unittest -v", "go test -v ./...", "cargo test -- --nocapture",
     "npx jest --verbose", "pytest --durations=20", "go test -bench=. ./...", "prove -v t",
     "ruby test_a.rb -v"],
)  # fmt: skip
def test_row_10_what_an_option_asks_for_is_shown_up_to_two_hundred_lines(command: str) -> None:
    output = numbered(190, "tests/test_a.py::test_") + "=== 190 passed in 1.2s ===\n"
    assert resolved(command, output).output == output
    long = numbered(900, "tests/test_a.py::test_") + "=== 900 passed in 1.2s ===\n"
    assert len(kept(resolved(command, long))) == 200


@pytest.mark.parametrize("option", ["--benchmark-disable", "--benchmark-skip", "-x", "--lf"])
def test_row_10_an_option_that_asks_to_print_nothing_shows_the_summary_alone(option: str) -> None:
    output = numbered(90, "tests/test_a.py ....") + "=== 900 passed in 1.2s ===\n"
    assert kept(resolved(f"pytest {option}", output)) == ["=== 900 passed in 1.2s ==="]


def test_row_10_tests_that_are_asked_for_by_name_are_shown() -> None:
    output = numbered(90, "  ✓ other") + "  ✓ ledger sorts rows\n" + numbered(90, "  ✓ more")
    shown = resolved("npx mocha --grep 'ledger sorts'", output + "\n  181 passing (2s)\n")
    assert kept(shown) == ["  ✓ ledger sorts rows", "  181 passing (2s)"]


def test_row_10_a_runner_that_exits_0_has_its_failures_shown() -> None:
    passed = "".join(f"++++ shop-{n} PASSED\n" for n in range(60))
    failed = "==== shop-61 rounding FAILED\n"
    total = "all.tcl:\tTotal\t61\tPassed\t60\tSkipped\t0\tFailed\t1\n"
    assert kept(resolved("tclsh all.tcl", passed + failed + total)) == [failed[:-1], total[:-1]]


def test_row_11_a_clean_lint_is_nothing_but_the_state() -> None:
    shown = resolved("mypy .", "Success: no issues found in 40 source files\n")
    assert kept(shown) == []
    assert shown.output.startswith("[success")
    assert resolved("eslint .", "").output == ""
    assert (
        kept(resolved("cppcheck a.c b.c", "Checking a.c ...\n1/2 files checked 50% done\n")) == []
    )


@pytest.mark.parametrize(("count", "shown_lines"), [(400, 400), (401, 320)])
def test_row_12_findings_of_a_lint_that_passes_are_shown(count: int, shown_lines: int) -> None:
    output = numbered(count, "a.py: W0611 unused import")
    assert len(kept(resolved("pylint --exit-zero a.py", output))) == shown_lines


# VERB-7
@pytest.mark.parametrize("command", ["cppcheck a.c", "make", "./generate.sh"])
def test_row_12_findings_at_places_are_shown_and_counted_by_severity(command: str) -> None:
    few = "".join(f"a.c:{n}:1: warning: unused\n" for n in range(200)) + numbered(200)
    assert resolved(command, few).output == few
    many = "".join(f"a.c:{n}:1: warning: unused\n" for n in range(500)) + "b.c:1:1: note: here\n"
    shown = resolved(command, many)
    assert shown.output.splitlines()[-1] == "[findings by severity: 500 warning, 1 note]"
    assert shown.verbosity.omitted_lines == 181


def test_row_12_what_only_shows_text_finds_nothing() -> None:
    text = "".join(f"+a.c:{n}:1: warning: unused\n" for n in range(450))
    assert resolved("git diff", text).output == text
    assert len(kept(resolved("curl -s x", text))) < 60


def test_row_13_a_build_shows_its_last_ten_lines_and_exit() -> None:
    shown = resolved("make", numbered(45, "cc -c m.c"))
    assert kept(shown) == numbered(45, "cc -c m.c").splitlines()[-10:]
    assert shown.output.startswith("[success, exit 0: 35 of 45 lines omitted;")


def test_row_14_a_log_of_commits_shows_twenty_lines_and_the_count() -> None:
    shown = resolved("git log --oneline", numbered(61, "abc"))
    assert kept(shown) == numbered(20, "abc").splitlines()
    assert shown.output.startswith("[success, exit 0: 41 of 61 lines omitted;")


@pytest.mark.parametrize(("count", "shown_lines"), [(500, 500), (501, 70)])
def test_row_15_a_listing_is_shown_up_to_five_hundred_lines(count: int, shown_lines: int) -> None:
    assert len(kept(resolved("ls -R", numbered(count)))) == shown_lines


# VERB-7
@pytest.mark.parametrize(
    "command",
    ["git log -50", "git log -n 50", "git log --max-count=50", "git log | head -50", "seq 99 | tail -50",
     "awk 'NR>=3 && NR<=53' a", "make 2>&1 | tail -50", "journalctl -n 50", "docker logs --tail 50 web"],
)  # fmt: skip
def test_row_17_an_amount_that_is_named_is_shown(command: str) -> None:
    output = numbered(50, "a line of some length")
    assert resolved(command, output).output == output


# VERB-7
@pytest.mark.parametrize(
    "command",
    ["npm ci 2>&1 | tail -5 && npm test", "git log -3; npm test 2>&1", "head -3 x; npm test"],
)
def test_row_10_an_amount_of_what_runs_before_tests_is_none_of_theirs(command: str) -> None:
    output = (
        numbered(300, "added") + numbered(8_000, "ok") + "# tests 8000\n# pass 8000\n# fail 0\n"
    )
    lines = kept(resolved(command, output, 0))
    assert "# fail 0" in lines
    assert len(lines) < 30


def test_row_13_an_amount_of_what_runs_before_a_build_is_not_the_builds() -> None:
    rows = numbered(300, "cc -c part")
    assert len(kept(resolved("cmake .. | tail -5 && make", rows, 0))) < 20
    assert resolved("cmake .. && make | tail -300", rows, 0).output == rows


# VERB-7
@pytest.mark.parametrize(("count", "shown_lines"), [(200, 200), (201, 150), (500, 150), (501, 50)])
@pytest.mark.parametrize(
    "command", ["grep -rn x .", "find . -name '*.c'", "git grep x", "git ls-files", "pip list", "env | sort"]
)  # fmt: skip
def test_row_15b_a_search_is_shown_up_to_two_hundred_lines(
    command: str, count: int, shown_lines: int
) -> None:
    output = numbered(count, "src/some/file.c")
    lines = [line for line in kept(resolved(command, output)) if line.startswith("src")]
    assert len(lines) == shown_lines


def test_row_15b_a_search_of_long_lines_is_cut_at_sixteen_thousand_bytes() -> None:
    output = "".join(f"src/{n}.js:{'x' * 400}\n" for n in range(150))
    shown = resolved("grep -rn x src", output)
    assert 14_000 < len("\n".join(kept(shown))) <= 16_000


@pytest.mark.parametrize(
    ("file", "row", "number"),
    [
        ("shop.py", "class Ledger:", 70),
        ("GUIDE.md", "## Chapter about ledgers", 70),
        ("compose.yaml", "ledger:", 70),
        ("main.go", "func Ledger() int {", 70),
        ("lib.rs", "pub fn ledger() -> u32 {", 70),
        ("run.sh", "ledger() {", 70),
        ("app.ts", "export class Ledger {", 70),
    ],
)
def test_row_16_a_long_file_gets_an_outline(file: str, row: str, number: int) -> None:
    rows = [f"  some words {n}" for n in range(600)]
    rows[number - 1] = row
    shown = resolved(f"cat {file}", "\n".join(rows) + "\n").output.splitlines()
    assert shown[-1] == f"{number}: {row}"
    assert "600 lines" in shown[-2]


def test_row_16_an_outline_goes_as_deep_as_there_is_room() -> None:
    few = "".join(
        f"class Shelf{n}:\n" + "    def get(self):\n        return 1\n\n" * 2 for n in range(9)
    )
    shown = resolved("cat shop.py", few + "# end\n" * 500).output.splitlines()
    assert len([line for line in shown if line.endswith("    def get(self):")]) >= 18
    many = "".join(
        f"class Shelf{n}:\n" + "    def get(self):\n        return 1\n\n" * 9 for n in range(30)
    )
    outlined = resolved("cat shop.py", many).output.splitlines()[-30:]
    assert all(": class Shelf" in line for line in outlined)


def test_row_16_of_json_the_keys_of_the_first_level_are_the_outline() -> None:
    document = json.dumps({f"key{n}": {"inner": list(range(90))} for n in range(9)}, indent=2)
    shown = resolved("cat data.json", document + "\n").output.splitlines()
    assert [line.split(": ", 1)[1] for line in shown[-9:]] == [f'  "key{n}": {{' for n in range(9)]


def test_row_16_an_outline_has_thirty_lines_from_the_whole_file() -> None:
    output = "".join(f"def deed_{n}():\n    return {n}\n\n" for n in range(400))
    shown = resolved("cat shop.py", output).output.splitlines()
    assert shown[-31] == "1200 lines; use offset to read more"
    assert (shown[-30], shown[-1]) == ("1: def deed_0():", "1198: def deed_399():")


# VERB-1
@pytest.mark.parametrize(
    ("count", "shown_lines", "gap"),
    [
        (199, 199, None),
        (200, 150, "... 50 lines omitted"),
        (500, 150, "... 350 lines omitted"),
        (501, 50, "... 451 lines omitted"),
    ],
)
def test_row_16_a_file_is_shown_by_its_length(
    count: int, shown_lines: int, gap: str | None
) -> None:
    shown = resolved("cat app.py", numbered(count))
    assert len([line for line in kept(shown) if line.startswith("row")]) == shown_lines
    assert gap is None or gap in shown.output.splitlines()
    assert ("use offset to read more" in shown.output) is (count > 500)


@pytest.mark.parametrize(
    "command",
    [
        "head -n 400 a.py",
        "tail -n 400 a.py",
        "sed -n 1,400p a.py",
        "git diff",
        "git show",
        "diff a b",
    ],
)
def test_row_17_a_range_that_was_asked_for_is_shown(command: str) -> None:
    assert resolved(command, numbered(400)).output == numbered(400)
    assert len(kept(resolved(command, numbered(600)))) == 51


# VERB-1
@pytest.mark.parametrize(
    ("count", "first", "last"), [(29, 29, 0), (30, 20, 10), (100, 20, 10), (101, 5, 20)]
)
def test_row_18_any_other_success_shows_its_two_ends(count: int, first: int, last: int) -> None:
    words = [f"line about {DISTINCT[n % 10]} {n}" for n in range(count)]
    shown = resolved("./report.sh", "\n".join(words) + "\n")
    hidden = count - first - last
    assert kept(shown) == words[:first] + (words[-last:] if last else [])
    assert (f"... {hidden} lines truncated" in shown.output.splitlines()) is (hidden > 0)


def test_salient_lines_of_a_success_are_added_but_never_much_of_the_log() -> None:
    rows = [f"tick {n}" for n in range(900)]
    rows[400] = "WARNING: certificate expires in 2 days"
    assert rows[400] in kept(resolved("./deploy.sh", "\n".join(rows)))
    noisy = [f"WARNING: slow tick {n}" if n % 5 == 0 else f"tick {n}" for n in range(900)]
    assert len(kept(resolved("./deploy.sh", "\n".join(noisy)))) == 25


def test_a_long_line_keeps_its_head_and_tail_with_a_count() -> None:
    row = "a" * 3_000 + "z" * 3_000
    [line] = kept(resolved("./x.sh", row + "\n", 1))
    assert line.startswith("aaa")
    assert line.endswith("zzz")
    assert "4000 characters omitted" in line
    assert resolved("cat x", "a" * 3_999 + "\n").output == "a" * 3_999 + "\n"


def test_a_text_of_which_only_a_long_line_is_cut_says_so_and_where_the_rest_is() -> None:
    shown = resolved("./x.sh", "a" * 6_000 + "\nb\n", full_output="saved.txt")
    first, _, last = shown.output.splitlines()
    assert first == (
        "[success, exit 0: 4000 characters of long lines omitted; full output saved to saved.txt]"
    )
    assert last == "b"
    assert (shown.verbosity.full_output, shown.verbosity.omitted_lines) == ("saved.txt", 0)
    assert resolved("./x.sh", "a" * 2_001 + "\n").output == "a" * 2_001 + "\n"


def test_settled_2_nothing_of_a_terminal_claims_to_be_stderr() -> None:
    rows = numbered(300)
    on_terminal = resolved("./x.sh", rows, 1, stdout="", stderr=rows, combined_via="pty")
    assert len(kept(on_terminal)) == 55


def test_settled_5_a_failed_test_behind_a_filter_says_what_hides_it() -> None:
    shown = resolved("pytest 2>&1 | tail -1", "1 failed, 3 passed in 0.1s\n", pipestatus=(1, 0))
    first, second = shown.output.splitlines()
    assert first == "[failed: exit 0 hides the failure, and `tail` cut the rest of the output]"
    assert second == "1 failed, 3 passed in 0.1s"
    assert shown.verbosity.escalated_by == ("masked", "test")


@pytest.mark.parametrize(
    ("command", "cut"),
    [
        ("pytest 2>&1 | tail -1", True),
        ("pytest 2>&1 | tail -2", False),
        ("pytest 2>&1 | tail -n 20", False),
        ("pytest 2>&1 | head --lines=20", False),
        ("pytest 2>&1 | tail", False),
        ("pytest 2>&1 | tail -n +5", True),
        ("pytest 2>&1 | tail -c 200", True),
        ("pytest 2>&1 | grep failed", True),
        ("pytest 2>&1 | grep failed | tail -20", True),
    ],
)
def test_settled_5_a_filter_that_had_room_for_more_cut_nothing(command: str, cut: bool) -> None:
    statuses = (1, *(0,) * command.count(" | "))
    shown = resolved(command, "1 failed, 3 passed in 0.1s\n", pipestatus=statuses)
    first = shown.output.splitlines()[0]
    assert first.startswith("[failed: exit 0 hides the failure")
    assert ("cut the rest" in first) == cut


@pytest.mark.parametrize("command", ["cat conf.toml", "cat conf.yaml", "kubectl get pod -o yaml"])
def test_settled_9_a_document_is_not_cut_inside(command: str) -> None:
    document = "".join(f"key_{n}: {n}\n" for n in range(400))
    assert resolved(command, document).output == document


def test_settled_9_a_huge_document_is_its_head_its_size_and_how_to_query_it() -> None:
    document = "{\n" + ' "a": 1,\n' * 700 + ' "b": 2\n}\n'
    shown = resolved("jq . a.json", document)
    assert shown.output.splitlines()[-1].startswith(
        f"703 lines, {len(document)} bytes; query it with jq"
    )
    assert resolved("curl -s x", '{"a": "' + "x" * 9_000 + '"}\n').verbosity.omitted_lines == 0


def test_a_cut_that_saves_less_than_two_hundred_bytes_is_not_made() -> None:
    rows = numbered(35, "a line about")
    assert resolved("./x.sh", rows).output == rows
    assert resolved("pytest -q", "..\n2 passed in 0.01s\n").output == "..\n2 passed in 0.01s\n"


def test_two_windows_of_a_huge_output_count_what_lies_between() -> None:
    shown = resolved("./x.sh", numbered(600), elision=Elision(before=300, lines=1_000_000))
    assert shown.verbosity.total_lines == 1_000_600
    assert shown.verbosity.omitted_lines == 1_000_575
    assert "... 1000575 lines truncated" in shown.output.splitlines()


def test_a_failed_test_in_two_windows_asks_for_what_lies_between() -> None:
    shown = resolved("pytest", numbered(600), 1, elision=Elision(before=300, lines=40))
    assert shown.whole
    assert shown.verbosity.omitted_lines == 40


def test_what_was_delivered_before_tells_what_ran_and_is_not_shown_again() -> None:
    shown = resolved("./ci.sh", numbered(300), 1, delivered="3 failed, 2 passed in 1.0s\n")
    assert shown.verbosity.operation == "test"
    assert shown.output == numbered(300)


@pytest.mark.timeout(30)
@pytest.mark.parametrize("command", ["./x.sh", "make || true", "eslint ."])
@pytest.mark.parametrize(
    "hostile",
    [
        "-" * 1_000_000,
        "error" + " " * 1_000_000,
        ("error" + " " * 1_990 + "\n") * 300,
        "PASS x\n" + "\n" * 200_000,
        (" " * 1_900 + " failed (1)\n") * 500,
        ("XTest a" + " > b" * 400 + " PASSED.\n") * 400,
        "1:" * 400_000,
        "passed failed ok 1 - " * 40_000,
        "\n".join(f"{n:x}{n * 7:x} went {n * 31:x}" for n in range(30_000)),
        "Traceback (most recent call last):\n" * 20_000,
        "\tat a\n" * 50_000,
    ],
    ids=range(11),
)  # fmt: skip
def test_hostile_output_is_resolved_in_bounded_time(command: str, hostile: str) -> None:
    for exit_status in (0, 1):
        resolved(command, hostile, exit_status)


# VERB-8
def test_a_telling_line_between_two_windows_is_shown_in_its_place() -> None:
    elision = Elision(before=300, lines=1_000, telling=((400, "the lock hangs"), (401, "for good")))
    shown = resolved("./x.sh", numbered(600), elision=elision)
    lines = shown.output.splitlines()
    assert lines[-24:-19] == [
        "... 695 lines truncated",
        "the lock hangs",
        "for good",
        "... 878 lines truncated",
        "row 581",
    ]
    assert shown.verbosity.omitted_lines == 695 + 878


@pytest.mark.parametrize("noise", ["moved parcel {n}", "job {hash:x} took {n} ms"])
def test_the_middle_of_a_huge_output_is_read_piece_by_piece(noise: str) -> None:
    rows = [noise.format(n=n, hash=n * 0x9E3779B97F4A7C15 % 2**64) for n in range(30_000)]
    rows[11_111] = "the lock of vault 7 hangs"
    rows[22_222] = "ERROR: no key"
    rows[29_999] = "the end"
    search = TellingSearch()
    for at in range(0, 30_000, 1_000):
        piece = "\n".join(rows[at : at + 1_000]) + "\n"
        assert search.feed(piece.encode() + b"a begun line") == len(piece.encode())
    found = search.found().within(range(500, 29_500))
    assert [(line.at, line.text) for line in found] == [
        (11_111, "the lock of vault 7 hangs"),
        (22_222, "ERROR: no key"),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "common", ["{n}", "ok {n}.{n} (a+b)*", "\x1b[32mpassed\x1b[0m {n}", "straße {n} [x]", "\t{n}0"]
)
def test_what_is_like_most_lines_is_passed_over_and_nothing_else(common: str, end: str) -> None:
    rows = [common.format(n=n) for n in range(60_000)]
    rows[30_000] = common.format(n="none")
    rows[40_000] = common.format(n=7) + " ERROR: no key"
    for at in (50_000, 50_001, 50_002, 50_003):
        rows[at] = "twice or more, so nothing of its own"
    data = "".join(f"{row}{end}" for row in rows).encode()
    search, at = TellingSearch(), 0
    while at < len(data):
        at += search.feed(data[at : at + 100_000])
    found = search.found().within(range(500, 59_500))
    shown = [common.format(n="none"), common.format(n=7) + " ERROR: no key"]
    plain = [row.replace("\x1b[32m", "").replace("\x1b[0m", "") for row in shown]
    assert [(line.at, line.text) for line in found] == list(
        zip((30_000, 40_000), plain, strict=True)
    )


@pytest.mark.parametrize("piece_bytes", [999, 65_536, 100_000])
def test_among_lines_that_are_all_the_same_another_one_is_found(piece_bytes: int) -> None:
    rows = ["no connection to host 7"] * 80_000
    rows[20_000], rows[60_001] = "the only one", "no connection to the host"
    data = "".join(f"{row}\n" for row in rows).encode()
    search, at = TellingSearch(), 0
    while at < len(data):
        at += search.feed(data[at : at + piece_bytes])
    found = search.found().within(range(500, 79_500))
    assert [(line.at, line.text) for line in found] == [
        (20_000, "the only one"),
        (60_001, "no connection to the host"),
    ]


def test_of_a_line_that_goes_on_for_ever_the_beginning_is_looked_at() -> None:
    search = TellingSearch()
    long = b"ERROR: no key " + b"x" * (5 << 20)
    data, at = b"a\n" * 1_000 + long + b"\nthe only one\n" + b"a\n" * 1_000, 0
    while at < len(data):
        at += search.feed(data[at : at + (1 << 20)])
    (error, alone) = search.found().within(range(2_002))
    assert (error.at, error.text[:14], len(error.text)) == (1_000, "ERROR: no key ", 2_000)
    assert (alone.at, alone.text) == (1_001, "the only one")

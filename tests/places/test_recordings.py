"""The recorded outputs: which of their places are found, whatever pieces they come in (PLACE-1)."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest

from zsh_ls.places import PlaceScanner, Surroundings

from .recorded import FOLDER, Recording, recordings
from .score import found, scanned, scored, total

RECORDINGS = recordings()


def of_name(name: str) -> Recording:
    return next(it for it in RECORDINGS if it.name == name)


def test_the_formats_obey_their_schema() -> None:
    package = resources.files("zsh_ls.places")
    formats = json.loads(package.joinpath("formats.json").read_text("utf-8"))
    schema = json.loads(package.joinpath("formats.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(formats, schema)


def test_the_recordings_are_of_twenty_tools_and_more() -> None:
    """PLACE-1: recorded outputs of 20 tools, at least 97% of places found, at most 1% wrong."""
    assert len({it["source"] for one in RECORDINGS for it in one.places}) >= 20
    for aside in (True, False):
        names = [it.name for it in RECORDINGS if it.round == 1 and it.kept_aside is aside]
        score = total(scored(found, names).values())
        assert score.found >= 0.97 * score.expected
        assert score.exact >= 0.93 * score.expected
        assert score.wrong <= 0.01 * score.expected


def test_outputs_recorded_later_of_other_files_and_tools_are_read_as_well() -> None:
    """PLACE-1: 45 tools, 15 of them without a format when these were recorded."""
    names = [it.name for it in RECORDINGS if it.round == 2]
    assert len({place["source"] for it in RECORDINGS if it.round == 2 for place in it.places}) == 45
    score = total(scored(found, names).values())
    assert score.found >= 0.97 * score.expected
    assert score.exact >= 0.97 * score.expected
    assert score.wrong <= 0.01 * score.expected


def test_each_expectation_of_a_failed_shellspec_example_is_a_place() -> None:
    """Of the real shellspec in its own project; its paths are from the project's folder."""
    score = scored(found, ["shellspec"])["shellspec"]
    assert (score.exact, score.wrong) == (score.expected, 0)


@pytest.mark.parametrize("piece_bytes", [1, 7, 4096])
@pytest.mark.parametrize(
    "name",
    ["pytest-auto", "jest-pty", "go-test", "gcc-make-C", "rg", "heat-gfortran", "orders-pytest-q"],
)
def test_pieces_of_any_size_give_the_same(name: str, piece_bytes: int) -> None:
    recording = of_name(name)
    whole, in_pieces = scanned(recording), scanned(recording, piece_bytes)
    assert in_pieces.places == whole.places
    assert in_pieces.tests == whole.tests


@pytest.mark.parametrize(
    ("name", "passed", "failed"),
    [
        ("pytest-auto", set(), {"test_zero", "TestMore::test_half", "test_uses"}),
        ("orders-pytest-q", set(), {"tests/test_orders.py::TestUnit::test_sub"}),
        ("pytest-pty", {"test_divide", "TestMore::test_param[1]"}, {"test_zero"}),
        ("go-test", set(), {"TestSum", "TestTable/one", "TestTable"}),
        ("go-test-v", {"TestGood", "TestTable/empty"}, {"TestSum"}),
        ("cargo-test", {"tests::subtracts_nothing"}, {"tests::adds", "tests::short_list"}),
        ("node-test", {"adds", "strings > splits"}, {"subtracts", "strings > joins"}),
        ("bats", {"adds numbers"}, {"fails: always"}),
        ("unittest-v", {"tests.test_login.LoginTest.test_good"}, {"tests.test_login.LoginTest.test_login"}),
        ("jest", set(), {"cart › adds prices", "cart › crashes"}),
        ("vitest", set(), {"src/cart.test.js > cart > adds prices"}),
    ],
)  # fmt: skip
def test_how_tests_went_is_known_by_their_names(
    name: str, passed: set[str], failed: set[str]
) -> None:
    """PLACE-3: which tests ran red and green, by the runner's own names."""
    tests = scanned(of_name(name)).tests
    prefix = "tests/test_calc.py::" if name.startswith("pytest") else ""
    assert {f"{prefix}{it}" for it in passed} <= {it for it, well in tests.items() if well}
    assert {f"{prefix}{it}" for it in failed} <= {it for it, well in tests.items() if not well}


def scan(command: str, text: str, *files: str) -> PlaceScanner:
    scanner = PlaceScanner(Surroundings.of(command, FOLDER, (FOLDER,)), set(files).__contains__)
    scanner.feed(text.encode())
    scanner.end()
    return scanner


def test_a_file_that_is_not_there_makes_no_place() -> None:
    text = "gone.c:3:1: error: no such thing\nhere.c:4:1: error: such a thing\n"
    assert [it.file for it in scan("make", text, "/w/here.c").places] == ["/w/here.c"]


def test_at_most_five_hundred_places_are_kept_and_each_once() -> None:
    text = "".join(f"a.c:{line}:1: warning: unused\n" for line in range(1, 800)) * 2
    places = scan("gcc a.c", text, "/w/a.c").places
    assert [it.line for it in places] == list(range(1, 501))


def test_a_log_without_places_costs_one_pass() -> None:
    text = "2026-11-23T12:34:56 INFO worker[12]: handled http://host:8080/x in 3:20\n" * 20_000
    assert scan("./server", text, "/w/a.c").places == []


@pytest.mark.parametrize(
    ("command", "file"),
    [
        ("cd sub && make", "/w/sub/a.c"),
        ("make -C sub", "/w/sub/a.c"),
        ("(cd sub; sudo make)", "/w/sub/a.c"),
        ("env -C sub make", "/w/sub/a.c"),
        ("cmake --build sub", "/w/sub/a.c"),
        ("ninja -Csub", "/w/sub/a.c"),
        ("make", "/w/a.c"),
    ],
)
def test_a_relative_path_is_from_where_the_command_works(command: str, file: str) -> None:
    [place] = scan(command, "a.c:1:2: error: x\n", "/w/a.c", "/w/sub/a.c").places
    assert place.file == file


@pytest.mark.parametrize(
    ("command", "source"),
    [
        ("sed -i s/a/b/ a.c; git diff --stat; cmake --build sub", "gcc"),
        ("sed -n 1,9p a.c; clang-tidy a.c", "clang-tidy"),
        ("cat build.log", "cat"),
        ("grep -n error a.c; make", "gcc"),
    ],
)
def test_a_compilers_error_is_not_a_filters(command: str, source: str) -> None:
    [place] = scan(command, "a.c:1:2: error: x\n", "/w/a.c").places
    assert place.source == source


@pytest.mark.parametrize(
    ("shell", "said"),
    [
        ("/bin/sh", "/bin/sh: 1: f: not found"),
        ("/bin/bash", "/bin/bash: line 1: f: command not found"),
        ("/usr/bin/zsh", "/usr/bin/zsh:1: command not found: f"),
    ],
)
def test_what_a_shell_says_of_a_recipe_is_no_place_in_the_shell(shell: str, said: str) -> None:
    """make gives it the text by `-c`: the file that it names is its own."""
    assert scan("make", f"{said}\nmake: *** [Makefile:2: all] Error 127\n", shell).places == []


def test_what_xargs_runs_is_the_tool() -> None:
    command = "find . -name '*.c' | xargs grep -n x"
    assert [it.source for it in scan(command, "./a.c:3:x\n", "/w/a.c").places] == ["grep"]


@pytest.mark.parametrize(
    ("command", "line", "printed", "column"),
    [
        ("gcc a.c", "\tint é = x;", 17, 10),
        ("gcc a.c", "漢 x", 4, 3),
        ("clang a.c", "\té x", 5, 4),
        ("go build", "\tx", 2, 2),
        ("tsc", "\tx", 9, 9),
    ],
)
def test_columns_are_in_characters(command: str, line: str, printed: int, column: int) -> None:
    around = Surroundings.of(command, FOLDER, (FOLDER,))
    scanner = PlaceScanner(around, {"/w/a.c"}.__contains__, lambda _: [line])
    scanner.feed(f"a.c:1:{printed}: error: bad\n".encode())
    scanner.end()
    assert [it.column for it in scanner.places] == [column]


def test_folders_that_are_entered_and_left_count_in_turn() -> None:
    text = (
        "make[1]: Entering directory '/w/one'\n"
        "make[2]: Entering directory '/w/one/two'\n"
        "a.c:1:1: error: deep\n"
        "make[2]: Leaving directory '/w/one/two'\n"
        "a.c:2:1: error: above\n"
        "make[1]: Leaving directory '/w/one'\n"
        "a.c:3:1: error: here\n"
    )
    places = scan("make", text, "/w/a.c", "/w/one/a.c", "/w/one/two/a.c").places
    assert [it.file for it in places] == ["/w/one/two/a.c", "/w/one/a.c", "/w/a.c"]


def test_a_path_from_a_folder_above_is_found_below_the_project() -> None:
    around = Surroundings.of("cargo build", "/w/crates/one", ("/w",))
    scanner = PlaceScanner(around, {"/w/crates/one/src/a.rs"}.__contains__)
    scanner.feed(b"error: bad\n --> crates/one/src/a.rs:1:2\n")
    scanner.end()
    assert [it.file for it in scanner.places] == ["/w/crates/one/src/a.rs"]

"""Why real commands failed: what the machine says of the names that their outputs hold (ANS-7)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from zsh_ls.answers.form import validate
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar

# A command, and what the answer says and does not say.
CASES = {
    "cat readme.md": ["`readme.md` is not in", "`README.md` is near."],
    "cd nodir && ls": ["`nodir` is not in"],
    "sh -c 'exit 4'": ["It printed nothing."],
    "make tset": ["The Makefile has no target `tset`; `test` is near."],
    "make test": [
        "env: ",
        "`nosuchprogram-zl` is not installed, or not on PATH.",
        "Error 127",
    ],
}


@pytest.mark.parametrize("command", CASES)
async def test_the_answer_says_what_is_not_there_and_what_is_near(
    sidecar: Sidecar, command: str, tmp_path: Path
) -> None:
    if command.startswith("make") and not shutil.which("make"):
        pytest.skip("no make")
    (tmp_path / "README.md").write_text("hello\n")
    (tmp_path / "Makefile").write_text("test:\n\t@/usr/bin/env nosuchprogram-zl\n")
    ended = await sidecar.run(RunRequest(command, cwd=str(tmp_path)))
    given = await sidecar.why_failed(ended.task_id)
    assert validate(given.text, given.kind) == ()
    for text in CASES[command]:
        assert text in given.text
    assert "nosuchprogram-zl` is not in `" not in given.text


# What a terminal's shell told of, whose output nobody kept: the words themselves say what is missing.
TOLD_BY_A_TERMINAL = {
    "cat readme.md | head -1": (
        1,
        [1, 0],
        ["`README.md` is near.", "Exits of the pipeline: `cat` 1"],
    ),
    "python -m pytest -q test_it.py": (4, [4], ["`test_it.py` is not in", "Exit 4: wrong usage."]),
    "uv run pytest": (5, [5], ["Exit 5: no tests were found."]),
    "curl -s localhost:1 | jq .a": (7, [7, 0], ["Exit 7: no connection to the host."]),
}


@pytest.mark.parametrize("command", TOLD_BY_A_TERMINAL)
async def test_of_a_run_of_a_terminal_the_words_are_looked_at(
    sidecar: Sidecar, command: str, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text("hello\n")
    exit_status, statuses, texts = TOLD_BY_A_TERMINAL[command]
    pipestatus = " ".join(map(str, statuses))
    session = f"1.2\n{tmp_path}"
    given = await sidecar.why([session, "5.0", "6.0", str(exit_status), pipestatus, command, ""])
    for text in texts:
        assert text in given.text


# A line that a terminal told of, and what is said of the names in it: their folder may be another by then.
ELSEWHERE = {
    "cd sub && make tset": "The Makefile has no target `tset`; `test` is near.",
    "cd sub; cat readme.md | head": "`README.md` is near.",
    "(cd sub && make tset)": "The Makefile has no target `tset`; `test` is near.",
    "cd {folder}/sub; cat readme.md": "`README.md` is near.",
    "(cd sub); make test": "There is no Makefile in",
    'cd "$PROJECT" && make tset': "",
    "cd - && make tset": "",
    "cd && cat readme.md": "",
    "cd nodir; make": "",
    "cd nodir && cat readme.md": "`nodir` is not in",
    "cd sub && cat readme.md": "`README.md` is near.",
    "cd sub && cd .. && cat sub/readme.md": "`README.md` is near.",
}


@pytest.mark.parametrize("line", ELSEWHERE)
async def test_names_are_of_the_folder_that_the_line_went_to(
    sidecar: Sidecar, line: str, tmp_path: Path
) -> None:
    """Of `cd sub && make tset` it said that there is no Makefile in the folder above."""
    sub = tmp_path / "sub"
    sub.mkdir()
    (sub / "README.md").write_text("hello\n")
    (sub / "Makefile").write_text("test:\n\tfalse\n")
    statuses = "1 0" if "|" in line else "2" if "make t" in line else "1"
    command = line.format(folder=tmp_path)
    given = await sidecar.why(
        [f"1.2\n{tmp_path}", "5.0", "6.0", statuses.rsplit(maxsplit=1)[-1], statuses, command, ""]
    )
    told = ELSEWHERE[line]
    assert told in given.text
    assert told.startswith("There") or "There is no Makefile" not in given.text
    assert told or "is not in" not in given.text


MOCHA = """

  store
    .get()
      ✔ should catch the thrown error (40ms)
      1) is refused


  1 passing (2s)
  1 failing

  1) store
       .get()
         is refused:
     Error: expected 403, got 200
      at Context.<anonymous> (test/store.js:4:12)

"""


# ANS-7
@pytest.mark.parametrize("behind", ["", " | tail -30"])
async def test_failed_tests_of_mocha_are_named_also_where_a_pipe_hides_them(
    sidecar: Sidecar, behind: str, tmp_path: Path
) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "store.js").write_text("\n" * 6)
    (tmp_path / "out.txt").write_text(MOCHA)
    (tmp_path / "mocha").write_text("#!/bin/sh\ncat out.txt; exit 1\n")
    (tmp_path / "mocha").chmod(0o755)
    command = f"./mocha{behind}"
    ended = await sidecar.run(RunRequest(command, cwd=str(tmp_path)))
    given = await sidecar.why_failed(ended.task_id)
    assert "- 1 test failed: `store .get() is refused`.\n" in given.text
    assert "- It printed: `Error: expected 403, got 200 (test/store.js:4)`\n" in given.text
    assert "catch" not in given.text


# ANS-7
async def test_the_runners_own_list_of_failed_tests_is_not_told_twice(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    (tmp_path / "test_a.py").write_text("")
    (tmp_path / "out.txt").write_text(
        "E       AssertionError: assert 1 == 2\n\ntest_a.py:3: AssertionError\n"
        "FAILED test_a.py::test_one - assert 1 == 2\n1 failed in 0.01s\n"
    )
    (tmp_path / "pytest").write_text("#!/bin/sh\ncat out.txt; exit 1\n")
    (tmp_path / "pytest").chmod(0o755)
    ended = await sidecar.run(RunRequest("./pytest", cwd=str(tmp_path)))
    given = await sidecar.why_failed(ended.task_id)
    assert "1 test failed: `test_a.py::test_one`" in given.text
    assert "It printed: `E AssertionError: assert 1 == 2`" in given.text
    assert "FAILED" not in given.text


# ANS-7
async def test_an_error_whose_place_is_printed_apart_is_told_with_it(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    (tmp_path / "lib.rs").write_text("fn main() {}\n" * 9)
    script = tmp_path / "rustc"
    script.write_text(
        "#!/bin/sh\nprintf 'error: prefix is unknown\\n   --> lib.rs:7:26\\n    |\\n'; exit 1\n"
    )
    script.chmod(0o755)
    ended = await sidecar.run(RunRequest("./rustc lib.rs", cwd=str(tmp_path), yield_after=30))
    told = (await sidecar.why_failed(ended.task_id)).text
    assert "It printed: `error: prefix is unknown (lib.rs:7)`" in told


# ANS-7
async def test_an_error_that_says_its_place_gets_no_other(sidecar: Sidecar, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("\n" * 9)
    lines = "".join(f"a.c:{line}:1: error: x undeclared\n" for line in (2, 5))
    (tmp_path / "out.txt").write_text(lines)
    (tmp_path / "gcc").write_text("#!/bin/sh\ncat out.txt; exit 1\n")
    (tmp_path / "gcc").chmod(0o755)
    ended = await sidecar.run(RunRequest("./gcc a.c", cwd=str(tmp_path)))
    told = (await sidecar.why_failed(ended.task_id)).text
    assert "`a.c:2:1: error: x undeclared`" in told
    assert "`a.c:5:1: error: x undeclared`" in told


# ANS-7
async def test_a_line_of_a_file_that_has_a_tests_name_is_told(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    """cJSON's test `parse_number` stands in parse_number.c: all that was told of it was `FAIL`."""
    (tmp_path / "parse_number.c").write_text("\n" * 60)
    (tmp_path / "out.txt").write_text(
        "      Start  3: parse_number\n 3/19 Test  #3: parse_number ....***Failed    0.00 sec\n"
        f"{tmp_path}/parse_number.c:55:parse_number_should_parse_zero:FAIL: Expected 0 Was 1\n"
        "-----------------------\n1 Tests 1 Failures 0 Ignored\nFAIL\n\n"
        "95% tests passed, 1 tests failed out of 19\n\nThe following tests FAILED:\n"
        "\t  3 - parse_number (Failed)\nErrors while running CTest\n"
    )
    (tmp_path / "ctest").write_text("#!/bin/sh\ncat out.txt; exit 8\n")
    (tmp_path / "ctest").chmod(0o755)
    ended = await sidecar.run(RunRequest("./ctest", cwd=str(tmp_path)))
    told = (await sidecar.why_failed(ended.task_id)).text
    assert "parse_number_should_parse_zero:FAIL: Expected 0 Was 1`" in told
    assert "It printed: `FAIL`" not in told

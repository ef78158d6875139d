"""The lines of an output that say why it failed (ANS-7)."""

from __future__ import annotations

from zsh_ls.verbosity.telling import telling_lines

COLLECTING = """==================================== ERRORS ====================================
______________________ ERROR collecting tests/test_cli.py ______________________
ImportError while importing test module '/shop/tests/test_cli.py'.
Traceback:
tests/test_cli.py:14: in <module>
    from _pytest.monkeypatch import notset
E   ImportError: cannot import name 'notset' from '_pytest.monkeypatch'
1 error in 1.65s
"""


# ANS-7
def test_headings_and_the_rules_around_titles_are_left_out() -> None:
    told = telling_lines(COLLECTING, 5)
    assert "E   ImportError: cannot import name 'notset' from '_pytest.monkeypatch'" in told
    assert "ERROR collecting tests/test_cli.py" in told
    assert not {"Traceback:", ""} & set(told)
    assert not any("____" in line or "====" in line for line in told)


def test_a_line_of_nothing_but_a_heading_is_better_than_none() -> None:
    assert telling_lines("Error:\n", 5) == ("Error:",)


# ANS-7
def test_tests_that_passed_and_frames_say_nothing_of_the_failure() -> None:
    """Of `npm test` it was told: `error handling`, and that it caught an error."""
    output = (
        "  store\n    error handling\n      ✔ should catch the thrown error (40ms)\n"
        "    .get()\n      1) is refused\n\n\n  1 passing (2s)\n  1 failing\n\n"
        "  1) store\n       .get()\n         is refused:\n     Error: expected 403, got 200\n"
        "      at error (lib/test.js:335:15)\n"
    )
    told = telling_lines(output, 5)
    assert "Error: expected 403, got 200" in told
    assert not any("error handling" in it or "catch" in it or "at error" in it for it in told)


NODE = """\
node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/work/nonexist.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
"""


# ANS-7
def test_of_what_node_throws_the_message_is_told_and_not_what_stands_below_the_frames() -> None:
    assert telling_lines(NODE, 3) == ("Error: Cannot find module '/work/nonexist.js'",)
    thrown = "/p/a.js:3\nthrow bad;\n^\n\nTypeError: x is bad\n    at a (/p/a.js:3:7)\n\nNode.js v20.20.2\n"
    assert "TypeError: x is bad" in telling_lines(thrown, 3)


# ANS-7
def test_where_only_marked_lines_are_asked_for_the_last_ones_are_not_told() -> None:
    assert telling_lines("one\ntwo\n", 5, only_marked=True) == ()
    assert telling_lines("one\nError: two\n", 5, only_marked=True) == ("Error: two",)


# ANS-7
def test_of_what_pytest_compares_the_sentence_is_told_and_not_the_difference() -> None:
    output = (
        '>           raise JSONDecodeError("Expecting value", s, err.value) from None\n'
        ">       assert result.output == expect\nE       AssertionError: assert 'False' == 'True'\n"
        "E         \nE         - True\nE         + False\nE         ?  ^\n"
    )
    assert telling_lines(output, 5) == ("E       AssertionError: assert 'False' == 'True'",)


# ANS-7
def test_what_a_line_announces_is_told_with_it_and_the_kind_of_an_error_is_not() -> None:
    """Of 15 failed tests of `node --test` it was told: `error: |`, `name: 'AssertionError'`."""
    tap = (
        "not ok 3 - adds headers\n  ---\n  failureType: 'testCodeFailure'\n  error: |-\n"
        "    Expected values to be strictly equal:\n    \n    205 !== 204\n    \n"
        "  code: 'ERR_ASSERTION'\n  name: 'AssertionError'\n  ...\n"
    )
    assert telling_lines(tap, 5) == ("Expected values to be strictly equal: 205 !== 204",)
    spec = (
        "  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n  205 !== 204\n"
    )
    [told] = telling_lines(spec, 5)
    assert told.endswith("Expected values to be strictly equal: 205 !== 204")


def test_above_what_make_says_of_a_step_stands_why() -> None:
    """As GNU Make 4.3 printed it for zsh-autosuggestions' `make test`, and for a step of a step."""
    output = "bundle exec rspec\nmake: bundle: No such file or directory\n"
    end = "make: *** [Makefile:35: test] Error 127"
    assert telling_lines(f"{output}{end}\n", 3) == ("make: bundle: No such file or directory", end)
    nested = f"cp a b\ncp: cannot stat 'a'\nmake[1]: *** [Makefile:2: b] Error 1\n{end}\n"
    assert telling_lines(nested, 3)[0] == "cp: cannot stat 'a'"
    assert telling_lines(f"{end}\n", 3) == (end,)


# ANS-7
def test_of_what_rust_compares_both_values_are_told() -> None:
    output = (
        "thread 'test_max' (73) panicked at tests/test.rs:16:1:\n"
        'assertion `left == right` failed\n  left: "18"\n right: "1"\nnote: run with it\n'
    )
    assert 'assertion `left == right` failed left: "18" right: "1"' in telling_lines(output, 5)

"""Tests of `zsh-ls fit`, which reads recorded executions and prints what to show of them."""

import json
import subprocess
import sys

RECORDED_FIELDS = ("command", "shell", "exit", "pipestatus", "stdout", "stderr", "combined")
BAD_LINES = {
    "garbage": "not JSON",
    "[" * 100_000: "not JSON",
    "[1]": "expected an object with the fields of an execution",
    '{"command": 3}': "`command`: expected text or null",
    '{"exit": true}': "`exit`: expected a whole number or null",
    '{"exit": "1"}': "`exit`: expected a whole number or null",
    '{"pipestatus": [0, null]}': "`pipestatus`: expected a list of whole numbers or null",
    '{"timed_out": 1}': "`timed_out`: expected true or false or null",
    '{"combined_via": "tty"}': "`combined_via`: expected pipe or pty or null",
    '{"combined_via": []}': "`combined_via`: expected pipe or pty or null",
    '{"previous_runs": "2"}': "`previous_runs`: expected a whole number or a list or null",
}


def fit(text: str | bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    data = text.encode() if isinstance(text, str) else text
    command = [sys.executable, "-m", "zsh_ls", "fit", *arguments]
    return subprocess.run(command, input=data, capture_output=True, check=False)


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


# CLI-4
def test_one_answer_a_line_in_order() -> None:
    lines = [{"command": f"echo {n}", "exit": 0, "combined": f"{n}\n"} for n in range(3)]
    done = fit("\n".join(map(json.dumps, lines)), "--jsonl")
    assert done.returncode == 0
    assert [answer["output"] for answer in answers(done)] == ["0\n", "1\n", "2\n"]
    assert set(answers(done)[0]) == {"output", "verbosity"}


def test_every_field_may_be_null_or_absent_and_others_are_passed_over() -> None:
    nulls = dict.fromkeys((*RECORDED_FIELDS, "full_output", "verbosity", "previous_runs"))
    [null, absent] = answers(fit(json.dumps(nulls) + '\n{"id": "x"}\n', "--jsonl"))
    assert null == absent
    assert null["output"] == ""


def test_a_bad_line_says_what_is_wrong_and_the_others_go_on() -> None:
    good = '{"command": "echo x", "exit": 0, "combined": "x\\n"}'
    done = fit("\n\n".join([good, *BAD_LINES, good]), "--jsonl")
    first, *bad, last = answers(done)
    assert done.returncode == 1
    assert first == last
    for answer, error in zip(bad, BAD_LINES.values(), strict=True):
        assert error in str(answer["error"])
        assert f": {answer['error']}" in done.stderr.decode()
    assert "line 3: not JSON" in done.stderr.decode()


def test_bytes_that_are_no_text_lose_only_their_line() -> None:
    done = fit(b'\xff\xfe{"command": "x"}\n{"combined": "\\ud800 x"}\n', "--jsonl")
    bad, good = answers(done)
    assert "error" in bad
    assert good["output"] == "\ud800 x"


def test_runs_before_make_a_second_failure() -> None:
    output = "".join(f"row {n}\n" for n in range(300))
    before = (None, 1, 2, [{"exit": 1, "timed_out": False}], [{"exit": 0}], [1, 1])
    before += ([{"exit": 0}, {"exit": None, "timed_out": True}],)
    fields = {"command": "./x.sh", "exit": 1, "combined": output}
    lines = (json.dumps({**fields, "previous_runs": runs}) for runs in before)
    whole = [answer["output"] == output for answer in answers(fit("\n".join(lines), "--jsonl"))]
    assert whole == [False, True, False, True, False, False, True]


def test_one_execution_may_stand_on_many_lines() -> None:
    done = fit(json.dumps({"command": "echo x", "exit": 0, "combined": "x\n"}, indent=2))
    assert answers(done)[0]["output"] == "x\n"


def test_beside_a_pipe_it_is_a_filter() -> None:
    log = "".join(f"tests/test_{n}.py .\n" for n in range(90)) + "=== 90 passed in 1.2s ===\n"
    done = fit(log, "--command", "pytest", "--exit", "0")
    assert done.stdout.decode().splitlines()[1:] == ["=== 90 passed in 1.2s ==="]
    failed = fit(log, "--command", "pytest", "--exit", "1")
    assert failed.stdout.decode() == log


def test_a_filter_without_an_exit_goes_by_what_a_runner_says() -> None:
    log = "".join(f"tests/test_{n}.py .\n" for n in range(90)) + "1 failed, 89 passed in 1.2s\n"
    assert log in fit(log, "--command", "pytest").stdout.decode()

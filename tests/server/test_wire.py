"""Params are strict and errors name the field; results have null only where the protocol says so."""

from __future__ import annotations

import contextlib
import sys
import traceback
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.results import Annotations, Progress, Resized, Verbosity
from zsh_ls.model.words import Origin, Status
from zsh_ls.server.features import (
    zsh_explain,
    zsh_health,
    zsh_output,
    zsh_poll,
    zsh_resize,
    zsh_run,
    zsh_send,
    zsh_stats,
    zsh_tasks,
)
from zsh_ls.sidecar import params as sidecar_params
from zsh_ls.sidecar.params import MISFITS, StrictConverter
from zsh_ls.sidecar.to_json import to_json


def refusal(module: Any, given: object) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011  what is raised is worded by `problems`
        sidecar_params.params_of(module.Params, given)
    return sidecar_params.problems(caught.value, is_ours=True)


def run_of(**fields: object) -> dict[str, object]:
    return {"command": "true", **fields}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (run_of(timeout="7"), 'params.timeout: expected a number, got "7"'),
        (run_of(timeout=True), "params.timeout: expected a number, got true"),
        (run_of(timeout=10**400), "params.timeout: expected a finite number, got 1000"),
        (run_of(pty="false"), 'params.pty: expected true or false, got "false"'),
        (run_of(pty=0), "params.pty: expected true or false, got 0"),
        (run_of(cols=80.0), "params.cols: expected an integer, got 80.0"),
        (run_of(rows=None), "params.rows: expected an integer, got null"),
        (run_of(yield_after=None), "params.yield_after: expected a number, got null"),
        (run_of(cwd=["/"]), 'params.cwd: expected a string, got ["/"]'),
        (run_of(env=[]), "params.env: expected an object, got []"),
        (run_of(env={"A": 5}), "params.env.A: expected a string, got 5"),
        (run_of(verbosity="full"), 'params.verbosity: expected "auto" or "debug", got "full"'),
        (run_of(origin="moon"), 'params.origin: expected "editor" or "lens"'),
        (run_of(stdin="\ud800"), "params.stdin: expected Unicode text without lone surrogates"),
        (run_of(document="file:///a"), "params.document: expected an object"),
        (run_of(document={"uri": "a"}), "params.document.range: a required field is missing"),
        (
            run_of(document={"uri": "a", "range": {"start": {"line": 0}, "end": 5}}),
            "params.document.range.start.character: a required field is missing; params.document.range.end",
        ),
        (
            run_of(workDoneToken=1.5),
            "params.workDoneToken: expected an integer or a string, got 1.5",
        ),
        (
            run_of(workdonetoken=1),
            "params.workdonetoken: unknown field; known are command, args, cwd,",
        ),
        (
            {"comand": "x"},
            "params.command: a required field is missing; params.comand: unknown field",
        ),
        ({"command": 5}, "params.command: expected a string, got 5"),
        ({"command": None}, "params.command: expected a string, got null"),
        ({}, "params.command: a required field is missing"),
        (None, "params.command: a required field is missing"),
        ([], "params: expected an object, got []"),
        ("true", 'params: expected an object, got "true"'),
    ],
)
def test_params_of_run_that_do_not_fit_are_refused_by_name(given: object, said: str) -> None:
    assert refusal(zsh_run, given).startswith(said)


@pytest.mark.parametrize(
    ("module", "given", "said"),
    [
        (zsh_poll, {}, "params.task_id: a required field is missing"),
        (zsh_poll, {"task_id": "x", "until": "now"}, 'params.until: expected "output" or "end"'),
        (zsh_poll, {"task_id": "x", "listen": "2"}, 'params.listen: expected a number, got "2"'),
        (zsh_send, {"task_id": "x", "input": 5}, "params.input: expected a string, got 5"),
        (zsh_resize, {"task_id": "x"}, "params.cols: a required field is missing"),
        (zsh_tasks, {"all": 1}, "params.all: expected true or false, got 1"),
        (zsh_output, {"from_line": "1"}, 'params.from_line: expected an integer, got "1"'),
        (zsh_stats, {"command": 5}, "params.command: expected a string, got 5"),
        (zsh_explain, {"position": {"line": 0}}, "params.position.character: a required field"),
        (zsh_health, {"verbose": True}, "params.verbose: unknown field; none is known here"),
    ],
)
def test_params_of_the_other_requests_are_refused_alike(
    module: Any, given: object, said: str
) -> None:
    assert refusal(module, given).startswith(said)


@pytest.mark.parametrize("frames_left", range(1, 120))
def test_a_first_request_that_used_up_the_stack_makes_no_later_one_lenient(
    frames_left: int,
) -> None:
    converter = StrictConverter()

    def structure_below(frames: int) -> None:
        if frames:
            structure_below(frames - 1)
        else:
            converter.structure(run_of(env={}), zsh_run.Params)

    frames_here = sum(1 for _ in traceback.walk_stack(None))
    with contextlib.suppress(RecursionError, *MISFITS):
        structure_below(sys.getrecursionlimit() - frames_here - frames_left)
    with pytest.raises(MISFITS) as caught:
        converter.structure(run_of(env=[]), zsh_run.Params)
    assert (
        sidecar_params.problems(caught.value, is_ours=True)
        == "params.env: expected an object, got []"
    )


def test_numbers_may_be_written_as_integers_and_optional_fields_as_null() -> None:
    given = run_of(timeout=5, cwd=None, shell=None, timeout_=None)
    del given["timeout_"]
    params = sidecar_params.params_of(zsh_run.Params, given)
    assert params.timeout == 5.0
    assert params.cwd is None


def test_a_variable_may_be_unset() -> None:
    params = sidecar_params.params_of(zsh_run.Params, run_of(env={"A": None, "B": ""}))
    assert params.env == {"A": None, "B": ""}


def test_the_tokens_of_lsp_are_known_on_every_request() -> None:
    params = sidecar_params.params_of(
        zsh_health.Params, {"workDoneToken": "t", "partialResultToken": 3}
    )
    assert (params.workDoneToken, params.partialResultToken) == ("t", 3)


def test_the_problems_named_are_few_and_short() -> None:
    said = refusal(zsh_run, run_of(**{f"unknown{n}": "x" * 10_000 for n in range(500)}))
    assert len(said) < 2_000


PROGRESS = Progress("3f9a01bc", "true", Origin.CLI, Status.RUNNING, "", None, None, 0, 0.5, tag="1")


def test_what_has_nothing_to_say_is_left_out_but_for_what_the_protocol_shows() -> None:
    assert to_json(PROGRESS) == {
        "task_id": "3f9a01bc",
        "command": "true",
        "origin": "cli",
        "status": "running",
        "output": "",
        "from_line": None,
        "to_line": None,
        "new_bytes": 0,
        "elapsed_seconds": 0.5,
    }
    verbosity = Verbosity("command", "full", "success", 0, 0, (), None)
    assert to_json(verbosity)["full_output"] is None
    assert to_json(Annotations(0.3)) == {"priority": 0.3, "audience": ["user", "assistant"]}
    assert to_json(Resized(True)) == {"success": True}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
names = st.sampled_from([field.name for field in attrs.fields(zsh_run.Params)]) | st.text(
    max_size=4
)


@given(st.dictionaries(names, json_values, max_size=5) | json_values)
def test_any_json_is_params_or_a_refusal_that_says_where(given: object) -> None:
    try:
        params = sidecar_params.params_of(zsh_run.Params, given)
    except Exception as wrong:
        said = sidecar_params.problems(wrong, is_ours=True)
    else:
        said = f"params {params.command}"
    assert said.startswith("params")

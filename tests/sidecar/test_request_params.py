"""Params of frontends take their fields from the request they become, in the order of their docstring."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.mcp.tools import zsh
from zsh_ls.model.requests import RunRequest, ScriptRequest
from zsh_ls.server.features import zsh_run, zsh_run_script
from zsh_ls.sidecar.request_params import request_from, takes_fields_of

FRONTENDS_OWN = {"caller", "progress", "tag"}


@pytest.mark.parametrize("params", [zsh.Arguments, zsh_run.Params, zsh_run_script.Params])
def test_defaults_are_those_of_the_request(params: type[attrs.AttrsInstance]) -> None:
    request = ScriptRequest if params is zsh_run_script.Params else RunRequest
    defaults = {field.name: field.default for field in attrs.fields(request)}
    given = {field.name: field.default for field in attrs.fields(params)}
    shared = defaults.keys() & given.keys()
    assert {name: given[name] for name in shared} == {name: defaults[name] for name in shared}
    assert not given.keys() & FRONTENDS_OWN


def test_fields_stand_in_the_order_of_the_docstring() -> None:
    @takes_fields_of(RunRequest)
    class Params:
        """A few fields.

        command: a text
        extra: what the request does not have
        cols: a width
        cwd: a folder
        """

        extra: int

    assert [field.name for field in attrs.fields(Params)] == ["command", "extra", "cols", "cwd"]  # type: ignore[misc]


def test_a_field_without_a_line_or_a_line_without_a_field_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="undescribed fields: {'extra'}"):

        @takes_fields_of(RunRequest)
        class Undescribed:
            """Nothing."""

            extra: int

    with pytest.raises(TypeError, match="comand is no field of the request"):

        @takes_fields_of(RunRequest)
        class Misspelt:
            """One field.

            comand: a text
            """


def test_what_is_not_shared_is_given() -> None:
    script = ScriptRequest("file:///x", cwd="/tmp", cols=100)
    run = request_from(script, RunRequest, command="zsh x", shell="zsh")
    assert run == RunRequest("zsh x", cwd="/tmp", cols=100, shell="zsh")

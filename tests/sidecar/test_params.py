"""Params of frontends take the types and defaults of their fields from the request they become."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.mcp.schema import fields_described
from zsh_ls.mcp.tools import zsh
from zsh_ls.model.requests import RunRequest, ScriptRequest
from zsh_ls.server.features import zsh_run, zsh_run_script
from zsh_ls.sidecar.params import OfRequest, request_from, takes_fields_of

FRONTENDS_OWN = {"caller", "progress", "tag"}


@pytest.mark.parametrize("params", [zsh.Arguments, zsh_run.Params, zsh_run_script.Params])
def test_defaults_are_those_of_the_request(params: type[attrs.AttrsInstance]) -> None:
    request = ScriptRequest if params is zsh_run_script.Params else RunRequest
    defaults = {field.name: field.default for field in attrs.fields(request)}
    given = {field.name: field.default for field in attrs.fields(params)}
    shared = defaults.keys() & given.keys()
    assert {name: given[name] for name in shared} == {name: defaults[name] for name in shared}
    assert not given.keys() & FRONTENDS_OWN


@pytest.mark.parametrize("params", [zsh.Arguments, zsh_run.Params, zsh_run_script.Params])
def test_the_docstring_describes_each_field_in_its_order(
    params: type[attrs.AttrsInstance],
) -> None:
    fields = [field.name for field in attrs.fields(params) if not field.name.endswith("Token")]
    assert list(fields_described(params.__doc__ or "")) == fields


def test_a_field_is_as_the_request_declares_it_or_as_the_class_does() -> None:
    @takes_fields_of(RunRequest)
    class Params:
        command: OfRequest
        extra: int
        cols: OfRequest
        cwd: OfRequest

    fields = attrs.fields_dict(Params)  # type: ignore[type-var]
    assert list(fields) == ["command", "extra", "cols", "cwd"]
    assert (fields["cols"].type, fields["cols"].default) == (int, RunRequest("").cols)
    assert fields["command"].default is attrs.NOTHING


def test_what_the_request_does_not_have_is_a_mistake() -> None:
    with pytest.raises(TypeError, match="comand is no field of the request"):

        @takes_fields_of(RunRequest)
        class Misspelt:
            comand: OfRequest


def test_what_is_not_shared_is_given() -> None:
    script = ScriptRequest("file:///x", cwd="/tmp", cols=100)
    run = request_from(script, RunRequest, command="zsh x", shell="zsh")
    assert run == RunRequest("zsh x", cwd="/tmp", cols=100, shell="zsh")

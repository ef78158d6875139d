"""The generated types of the editors' plugins fit the messages."""

from __future__ import annotations

import re

import attrs
import pytest

from tools.docgen import lua, typescript
from tools.docgen.structures import named_types, structures
from tools.docs import stale_pages
from zsh_ls.model.results import Progress, TaskResult
from zsh_ls.server import messages
from zsh_ls.server.capabilities import initialize_result, zsh_methods
from zsh_ls.server.client import Client


@pytest.mark.parametrize(
    "path", ["editors/nvim/lua/zsh_ls/protocol.lua", "editors/vscode/src/protocol.ts"]
)
def test_the_types_are_what_the_message_classes_give(path: str) -> None:
    assert path not in stale_pages()


def test_no_two_structures_have_one_name() -> None:
    names = [structure.name for structure in structures()]
    assert sorted(set(names)) == sorted(names)


def test_every_type_that_lua_names_is_declared_once() -> None:
    text = lua.document()
    declared = re.findall(r"^---@(?:class|alias) (zsh_ls\.\w+)", text, re.MULTILINE)
    assert sorted(set(declared)) == sorted(declared)
    assert set(re.findall(r"zsh_ls\.[A-Z]\w+", text)) == set(declared)


@pytest.mark.parametrize("method", [*zsh_methods(), "zsh/progress", "zsh/answer"])
def test_every_method_is_known_in_both(method: str) -> None:
    assert f'"{method}"' in lua.document()
    assert f'"{method}"' in typescript.document()


def _interface(name: str) -> str:
    pattern = rf"interface {name}[^{{]*{{\n(.*?)^}}"
    (body,) = re.findall(pattern, typescript.document(), re.MULTILINE | re.DOTALL)
    return str(body)


def test_what_may_be_left_out_has_a_question_mark() -> None:
    task = _interface("TaskResult")
    assert "  exit?: number;\n" in task
    assert "  from_line: number | null;\n" in task
    assert "  insights?: Record<string, string[]>;\n" in task
    assert "  status: Status;\n" in task


def test_a_sender_may_leave_out_what_has_a_default_and_say_null_where_that_means_something() -> (
    None
):
    run = _interface("RunParams")
    assert "  command: string;\n" in run
    assert "  yield_after?: number;\n" in run
    assert "  env?: Record<string, string | null>;\n" in run
    assert '  verbosity?: "auto" | "debug";\n' in run


def test_lua_has_nil_where_the_wire_has_null() -> None:
    text = lua.document()
    assert "---@field from_line? integer\n" in text
    assert "---@field env? table<string, string|vim.NIL> name to text" in text


def test_what_is_for_the_frontends_is_no_part_of_the_types() -> None:
    assert "tag" in attrs.fields_dict(Progress)
    assert "tag" not in _interface("Progress")


def test_all_that_a_result_holds_is_described() -> None:
    assert TaskResult in named_types()
    fields = {field.name for structure in structures() for field in structure.fields}
    assert {"median_duration_s", "pipestatus", "retry_in_s", "escalated_by"} <= fields


def test_the_server_says_of_itself_what_its_declaration_has() -> None:
    said = initialize_result(Client(), {"zsh": "5.9"})["capabilities"]["experimental"]["zshLs"]
    assert list(said) == [field.name for field in attrs.fields(messages.ServerDeclaration)]


def test_the_server_reads_what_a_client_may_declare() -> None:
    declared = attrs.asdict(messages.ClientDeclaration(1, colour=True, only_news=True, answer=True))
    client = Client.of({"capabilities": {"experimental": {"zshLs": declared}}})
    assert (client.speaks_zsh, client.wants_colour, client.answers_questions) == (True, True, True)

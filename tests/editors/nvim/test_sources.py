"""The plugin's Lua, its help and its page, without a server."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.environment import EDITORS
from tests.editors.test_snippets import blocks

from .neovim import HERE, INIT, VERSIONS, Neovim, neovim

PLUGIN = EDITORS / "nvim"
SOURCES = sorted(PLUGIN.rglob("*.lua"))
HELP = (PLUGIN / "doc/zsh-ls.txt").read_text()


def text_of_all() -> str:
    return "\n".join(path.read_text() for path in SOURCES)


def test_the_init_file_of_the_page_is_the_one_the_tests_run_with() -> None:
    assert blocks("nvim", "lua")[0] == INIT.read_text()


def test_the_pictures_of_the_page_are_there() -> None:
    found = re.findall(r"!\[.*?\]\((.*?)\)", (PLUGIN / "README.md").read_text())
    assert found
    for picture in found:
        assert (PLUGIN / picture).is_file(), picture


def test_the_linter_finds_nothing() -> None:
    command = [
        "luacheck",
        "--std",
        "luajit",
        "--globals",
        "vim",
        "--max-line-length",
        "110",
        "--no-color",
    ]
    # The generated file is as long as the words it was made of.
    folders = [str(PLUGIN), str(HERE), "--exclude-files", "**/protocol.lua"]
    done = subprocess.run([*command, *folders], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_type_that_is_named_is_declared() -> None:
    text = text_of_all()
    declared = set(re.findall(r"---@(?:class|alias) (zsh_ls\.\w+)", text))
    named = set(re.findall(r"---@(?:param|return|type|field|class|alias)[^\n]*", text))
    used = {name for line in named for name in re.findall(r"\bzsh_ls\.[A-Z]\w+", line)}
    assert used <= declared
    assert {"zsh_ls.RunParams", "zsh_ls.Progress", "zsh_ls.TaskResult"} <= used


def test_every_function_that_others_call_says_what_it_takes() -> None:
    """Each parameter of an exported function has its type."""
    for path in SOURCES:
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            found = re.match(r"function [\w.]+[.:](\w+)\((.*)\)", line)
            if found is None:
                continue
            above = _comment_above(lines, number)
            for name in filter(None, re.split(r",\s*", found[2])):
                assert re.search(rf"---@param {name}\??\s", above), f"{path.name}: {found[1]}"


def _comment_above(lines: list[str], number: int) -> str:
    start = number
    while start and lines[start - 1].startswith("---"):
        start -= 1
    return "\n".join(lines[start:number])


def commands() -> list[str]:
    return re.findall(
        r"^  (Zsh\w+) = \{", (PLUGIN / "lua/zsh_ls/commands.lua").read_text(), re.MULTILINE
    )


def test_help_and_page_know_every_command() -> None:
    page = (PLUGIN / "README.md").read_text()
    assert len(commands()) == 17
    for name in commands():
        assert f"*:{name}*" in HELP
        assert f":{name}" in page


def test_help_knows_every_mapping_and_setting() -> None:
    mappings = (PLUGIN / "lua/zsh_ls/mappings.lua").read_text()
    names = re.findall(r"^  \{ '[nx]', '([\w-]+)'", mappings, re.MULTILINE)
    assert names
    for name in names:
        assert f"*<Plug>(zsh-ls-{name})*" in HELP
    defaults = (PLUGIN / "lua/zsh_ls/settings.lua").read_text()
    settings = re.findall(r"^---@field (\w+)", defaults, re.MULTILINE)
    for name in settings:
        assert re.search(rf"\b{name} = ", HELP), name


@pytest.fixture(params=VERSIONS)
def editor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Neovim]:
    with neovim(request.param, tmp_path) as found:
        yield found


@pytest.mark.slow
@pytest.mark.real_editor
def test_every_file_loads(editor: Neovim) -> None:
    checks = editor.environment.write(
        "load.lua",
        "for _, path in ipairs(vim.fn.split(vim.env.SOURCES)) do assert(loadfile(path)) end\n"
        "for _, path in ipairs(vim.fn.split(vim.env.SOURCES)) do\n"
        "  local name = path:match('lua/zsh_ls/([%w_]+)%.lua$')\n"
        "  if name then require('zsh_ls.' .. name) end\n"
        "end\n"
        "print('all')\n",
    )
    done = editor.run("-l", str(checks), SOURCES=" ".join(map(str, SOURCES)))
    assert done.returncode == 0, done.stderr
    assert "all" in done.stderr + done.stdout


@pytest.mark.slow
@pytest.mark.real_editor
def test_the_help_has_tags_and_is_found(editor: Neovim) -> None:
    doc = editor.environment.project / "plugin/doc"
    doc.mkdir(parents=True)
    (doc / "zsh-ls.txt").write_text(HELP)
    script = (
        f"vim.cmd('helptags {doc}')\n"
        "vim.opt.runtimepath:prepend(vim.fn.getcwd() .. '/plugin')\n"
        "for _, name in ipairs({ 'zsh-ls', ':ZshRun', '<Plug>(zsh-ls-run)', 'g:zsh_ls' }) do\n"
        "  vim.cmd.help(name)\n"
        "  assert(vim.api.nvim_buf_get_name(0):find('zsh%-ls.txt$'), name)\n"
        "end\n"
        "print('found')\n"
    )
    done = editor.run("-l", str(editor.environment.write("help.lua", script)))
    assert done.returncode == 0, done.stderr
    assert "found" in done.stderr + done.stdout


HELP_IS_FOUND = (
    "vim.wait(60000, function() return pcall(vim.cmd.help, ':ZshRerun') end, 50)\n"
    "assert(vim.api.nvim_buf_get_name(0):find('zsh%-ls.txt$'))\n"
    "print('found')\n"
)


@pytest.mark.slow
@pytest.mark.real_editor
@pytest.mark.parametrize("is_writable", [True, False])
def test_the_help_is_found_however_the_plugin_was_installed(
    editor: Neovim, is_writable: bool
) -> None:
    """No manager has made tags; a folder of the system cannot be written."""
    plugin = editor.environment.project / "plugin"
    shutil.copytree(PLUGIN, plugin, ignore=shutil.ignore_patterns("tags"))
    if not is_writable:  # a folder in the place of the file stops root too
        (plugin / "doc/tags").symlink_to("/nowhere/tags")
    script = (
        "vim.opt.runtimepath:prepend(vim.fn.getcwd() .. '/plugin')\n"
        "vim.cmd.runtime('plugin/zsh_ls.lua')\n"
    ) + HELP_IS_FOUND
    done = editor.run("--clean", "-l", str(editor.environment.write("help.lua", script)))
    assert done.returncode == 0, done.stderr
    assert "found" in done.stderr + done.stdout


@pytest.mark.slow
@pytest.mark.real_editor
def test_the_plugin_is_not_slow_to_load(editor: Neovim) -> None:
    """A start without a shell script loads what defines commands, and nothing that runs them."""
    script = (
        "local loaded = vim.tbl_filter(function(name)\n"
        "  return vim.startswith(name, 'zsh_ls')\n"
        "end, vim.tbl_keys(package.loaded))\n"
        "table.sort(loaded)\n"
        "print(table.concat(loaded, ' '))\n"
    )
    done = editor.run("-l", str(editor.environment.write("loaded.lua", script)))
    loaded = set((done.stderr + done.stdout).split())
    assert "zsh_ls.commands" in loaded
    assert not loaded & {"zsh_ls.output", "zsh_ls.screen", "zsh_ls.answers", "zsh_ls.health"}

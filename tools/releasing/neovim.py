"""The Neovim plugin: an archive whose root is the plugin, as luarocks and packagers take it."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import zsh_ls
from tools.releasing.archives import unpack
from tools.releasing.names import NAMES
from tools.releasing.results import ROOT, MissingToolError, Result, home_in, run, tried

NAME = "Neovim plugin"
_ROCK = "zsh-ls.nvim"
_ROCKSPEC = f"{_ROCK}-scm-1.rockspec"
_LOADS = (
    "lua io.stdout:write(vim.fn.exists(':ZshRun'), ' ', "
    "#vim.fn.getcompletion('zsh-ls', 'help'), ' ', type(vim.lsp.config.zsh_ls.cmd))"
)

# What comes before and after a manager's line of the plugin's page in a person's init.lua.
_AROUND = {
    "Neovim 0.12 itself": ("", ""),
    "lazy.nvim, in its specs": (
        "vim.opt.rtp:prepend(vim.env.MANAGER)\nrequire('lazy').setup({",
        "})\nrequire('lazy').load({ plugins = { 'zsh-ls.nvim' } })",
    ),
    "mini.deps": ("vim.opt.rtp:prepend(vim.env.MANAGER)\nrequire('mini.deps').setup()", ""),
}
_FETCHED = {
    "lazy.nvim, in its specs": "https://github.com/folke/lazy.nvim",
    "mini.deps": "https://github.com/nvim-mini/mini.deps",
}


def make(out: Path) -> list[Path]:
    """Pack what git has of the plugin, and name the archive in a rockspec."""
    archive = out / f"zsh-ls.nvim-{zsh_ls.__version__}.tar.gz"
    prefix = f"--prefix={archive.name.removesuffix('.tar.gz')}/"
    run(["git", "archive", prefix, "-o", archive, "HEAD:editors/nvim"])
    rockspec = out / f"zsh-ls.nvim-{zsh_ls.__version__}-1.rockspec"
    newest = (ROOT / "editors/nvim" / _ROCKSPEC).read_text()
    rockspec.write_text(released(newest, archive.name))
    return [archive, rockspec]


def released(rockspec: str, archive: str) -> str:
    """The rockspec of the newest commit, made that of a release whose archive is given."""
    tag = f"v{zsh_ls.__version__}"
    address = f"{NAMES['repository']}/releases/download/{tag}/{archive}"
    text = re.sub("(?m)^--.*\n", "", rockspec).replace("'scm-1'", f"'{zsh_ls.__version__}-1'")
    return re.sub("(?m)^source = .*$", f"source = {{ url = '{address}' }}", text)


def check(files: list[Path], scratch: Path) -> list[Result]:
    """Whether a Neovim that finds it among its packages has its commands, its help and its server."""
    managers = [
        tried(NAME, name.partition(",")[0], partial(_by_manager, name, scratch / name[:6]))
        for name in _AROUND
    ]
    package = tried(NAME, "Neovim, as a package", lambda: _as_package(files[0], scratch))
    rock = tried(NAME, "luarocks, for rocks.nvim", lambda: _as_rock(files, scratch / "rock"))
    return [package, rock, *managers]


def _editor() -> str | Path:
    pinned = next(iter(ROOT.glob(".cache/editors/nvim-0.12-*/usr/bin/nvim")), None)
    if (editor := pinned or shutil.which("nvim")) is None:
        raise MissingToolError("nvim is not here")
    return editor


def lines_of_page() -> dict[str, str]:
    """What the plugin's page has people write, by the manager that it is for."""
    page = (ROOT / "editors/nvim/README.md").read_text()
    return dict(re.findall(r"^\| ([^|]+?) \| `(.+)` \|$", page, re.MULTILINE))


def _by_manager(name: str, scratch: Path) -> str:
    """Have a plugin manager, as its newest commit is, do what the page says with what is published."""
    manager = scratch / "manager"
    if (address := _FETCHED.get(name)) is not None:
        try:
            run(["git", "clone", "-q", "--depth", "1", address, manager], ROOT)
        except subprocess.CalledProcessError as fault:
            raise MissingToolError(f"{address} cannot be fetched") from fault
    home = scratch / "home"
    environment = {**home_in(home), "MANAGER": str(manager), **_published(scratch)}
    before, after = _AROUND[name]
    (home / "init.lua").write_text(f"{before}\n{lines_of_page()[name]}\n{after}\n")
    words: list[str | Path] = [_editor(), "--headless", "-u", home / "init.lua"]
    run([*words, "-c", "qa"], home, environment)
    _is_whole(run([*words, "-c", _LOADS, "-c", "qa"], home, environment).stdout)
    version = ["git", "log", "-1", "--format=%h of %cs"]
    return run(version, manager).stdout.strip() if address else ""


def _published(scratch: Path) -> dict[str, str]:
    """The plugin's repository as it will be, and variables that have git find it at its address."""
    clone, published = scratch / "clone", scratch / "published.git"
    run(["git", "clone", "-q", ROOT, clone])
    run([clone / "editors/nvim/release", "nvim"], clone)
    run(["git", "clone", "-q", "--bare", "--branch", "nvim", clone, published])
    settings = {
        f"url.file://{published}.insteadOf": NAMES["neovim_plugin"],
        # Of two that fit git takes the longer.
        f"url.file://{published}/.insteadOf": f"{NAMES['neovim_plugin']}.git",
        "protocol.file.allow": "always",
    }
    numbered = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return numbered


def _is_whole(said: str) -> None:
    commands, help_pages, server = said.strip().split(" ")[-3:]
    assert commands == "2", f"has no :ZshRun: {said}"
    assert int(help_pages) > 0, f"has no help: {said}"
    assert server == "function", f"knows no server: {said}"


def _as_rock(files: list[Path], scratch: Path) -> str:
    """Have luarocks build the archive as the rockspec says, and Neovim look where rocks.nvim has it look."""
    if (luarocks := shutil.which("luarocks")) is None:
        raise MissingToolError("luarocks is not here")
    archive, rockspec = files
    environment = home_in(scratch / "home")
    unpack(archive, scratch)
    (plugin,) = (it for it in scratch.iterdir() if it.name.startswith(_ROCK))
    tree = scratch / "tree"
    words: list[str | Path] = [luarocks, "--lua-version", "5.1", "--tree", tree]
    run([*words, "make", "--deps-mode", "none", rockspec], plugin, environment)
    (rock,) = tree.glob(f"lib/luarocks/rocks-5.1/{_ROCK}/*")
    look = f"lua package.path = package.path .. ';{tree}/share/lua/5.1/?.lua;{tree}/share/lua/5.1/?/init.lua'"
    start = ["--cmd", look, "--cmd", f"set rtp+={rock}", "--cmd", f"helptags {rock}/doc"]
    said = run([_editor(), "--headless", *start, "-c", _LOADS, "-c", "qa"], plugin, environment)
    _is_whole(said.stdout)
    return run([*words, "show", "--mversion", _ROCK], plugin, environment).stdout.strip()


def _as_package(archive: Path, scratch: Path) -> str:
    editor = _editor()
    home = scratch / "home"
    environment = home_in(home)
    place = Path(environment["XDG_DATA_HOME"]) / "nvim/site/pack/release/start"
    place.mkdir(parents=True)
    unpack(archive, place)
    (plugin,) = place.iterdir()
    run([editor, "--headless", "-c", f"helptags {plugin}/doc", "-c", "qa"], home, environment)
    said = run([editor, "--headless", "-c", _LOADS, "-c", "qa"], home, environment).stdout
    _is_whole(said)
    return run([editor, "--version"]).stdout.splitlines()[0]

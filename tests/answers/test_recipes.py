"""Tests of recipes for every package manager: valid commands of that manager, with the right privilege."""

from __future__ import annotations

from collections import defaultdict
from importlib import resources
from pathlib import Path

import pytest

from zsh_ls.answers.ask import answer, understand
from zsh_ls.answers.families.system_commands import SYSTEM_QUERIES
from zsh_ls.answers.form import validate
from zsh_ls.answers.software import MANAGERS, SOFTWARE, Software
from zsh_ls.model.answer import Answer, ProposedCommand
from zsh_ls.model.machine import PackageManager
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse

from .world import StillMachine, facts

PROGRAMS = {
    "apt": "apt-get",
    "dnf": "dnf",
    "pacman": "pacman",
    "zypper": "zypper",
    "apk": "apk",
    "brew": "brew",
}
# What steps after installing may run besides, and who may run it.
OTHERS = {"systemctl": "root", "service": "root", "rc-update": "root", "echo": "user"}
OTHERS |= {"sudo": "user", "git": "user", "open": "user", "wget": "user"}

SOURCES = Path(__file__).parent.parent / "data" / "answers" / "package_sources.tsv"

managers = pytest.mark.parametrize("manager", MANAGERS)


def ask(question: str, manager: PackageManager | None) -> Answer:
    return answer(understand(question), facts(machine=StillMachine(manager=manager)))


def judge(given: Answer, manager: PackageManager) -> None:
    assert validate(given.text, "recipe") == ()
    for proposed in given.commands or ():
        assert parse(proposed.command, Dialect.ZSH).problems == ()
        program = proposed.command.split()[0]
        if program in OTHERS:
            assert proposed.privilege == OTHERS[program]
        else:
            assert program == PROGRAMS[manager]
            assert proposed.privilege == ("user" if manager == "brew" else "root")


@managers
@pytest.mark.parametrize("software", SOFTWARE, ids=lambda software: software.name)
def test_installing_uses_the_manager_that_is_there(
    software: Software, manager: PackageManager
) -> None:
    given = ask(f"install {software.called[0]}", manager)
    if manager not in software.packages and manager not in software.steps:
        assert given.kind == "fallback"
        assert f"no package of it is known for {manager}" in given.text
        return
    assert f"Installing {software.name} with {manager}" in given.summary
    judge(given, manager)


@managers
def test_updating_everything_uses_the_manager_that_is_there(manager: PackageManager) -> None:
    given = ask("update my system", manager)
    assert given.summary == f"Updating all packages with {manager}."
    judge(given, manager)


@managers
def test_updating_one_package_names_it_or_says_that_all_come_along(manager: PackageManager) -> None:
    given = ask("update git", manager)
    judge(given, manager)
    named = any("git" in proposed.command for proposed in given.commands or ())
    assert named or "together with everything else" in (given.details or "")


def test_docker_on_debian() -> None:
    given = ask("install docker", "apt")
    assert given.commands == (
        ProposedCommand("apt-get update", "root"),
        ProposedCommand("apt-get install docker.io", "root"),
        ProposedCommand("systemctl enable --now docker", "root"),
        ProposedCommand('sudo usermod -aG docker "$USER"', "user"),
    )
    assert "Lines that begin with `#` need root." in (given.details or "")


def test_a_manager_that_is_named_goes_before_the_one_that_is_there() -> None:
    assert "with brew" in ask("install jq with brew", "apt").summary
    assert "with pacman" in ask("how do I install docker on arch linux", "apt").summary


def test_without_a_manager_a_recipe_is_not_known() -> None:
    given = ask("install docker", None)
    assert given.kind == "fallback"
    assert "one of apt, dnf, pacman, zypper, apk, brew" in (given.details or "")


def test_a_plugin_without_a_package_is_cloned_and_cannot_be_updated_by_the_manager() -> None:
    given = ask("install zsh-autosuggestions", "zypper")
    assert (given.commands or ())[0].command.startswith("git clone https://github.com/zsh-users/")
    assert ask("update zsh-autosuggestions", "zypper").kind == "fallback"


@managers
def test_every_package_has_a_source_and_every_source_a_package(manager: PackageManager) -> None:
    found = defaultdict[str, list[str]](list)
    for line in SOURCES.read_text().splitlines():
        if not line.startswith("#"):
            of_manager, source, packages = line.split("\t")
            assert source.startswith(("https://", "Debian 12"))
            if of_manager == manager:
                for package in packages.split():
                    found[package].append(source)
    used = {
        package
        for software in SOFTWARE
        for package in software.packages.get(manager, "").split()
        if not package.startswith("--")
    }
    assert used == set(found)
    assert [package for package, sources in found.items() if len(sources) > 1] == []


def test_two_programs_at_once_are_not_answered_by_one() -> None:
    assert ask("install docker and node", "apt").kind == "fallback"


@pytest.mark.parametrize("template", SYSTEM_QUERIES, ids=lambda template: template.name)
def test_a_templates_commands_parse_and_its_summary_names_the_program(template: object) -> None:
    for kernel in ("linux", "darwin"):
        machine = StillMachine(kernel=kernel)  # type: ignore[arg-type]
        question = template.examples[0]  # type: ignore[attr-defined]
        given = answer(understand(question), facts(machine=machine))
        assert validate(given.text, "template") == ()
        [proposed] = given.commands or ()
        assert parse(proposed.command, Dialect.ZSH).problems == ()
        assert given.summary.startswith(f"Running {proposed.command.split()[0]} to ")


def test_the_table_of_packages_names_each_once() -> None:
    rows = resources.files("zsh_ls.answers").joinpath("packages.tsv").read_text().splitlines()
    cells = [row.split("\t") for row in rows if not row.startswith("#")]
    names = [row[0] for row in cells]
    assert len(names) == len(set(names)) >= 30
    for row in cells:
        assert len(row) == 3 + len(MANAGERS)
        assert row[3], f"{row[0]} has no package in Debian"

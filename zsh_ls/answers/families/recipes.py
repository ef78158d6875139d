"""Installing and updating software with the package manager that is there, or the one named."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.answers.software import BY_NAME, MANAGERS, SOFTWARE, VERBS, Software, by_manager
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import PackageManager

_ROOT = "Lines that begin with `#` need root."


def _manager(match: QueryMatch, facts: Facts) -> PackageManager | None:
    """The manager the question names, else the one that is there."""
    named: list[PackageManager] = [name for name in MANAGERS if f"manager:{name}" in match.concepts]
    return named[0] if len(named) == 1 else None if named else facts.machine.package_manager()


def _software(match: QueryMatch) -> Software | None:
    named = [one for one in SOFTWARE if f"software:{one.name}" in match.concepts]
    return named[0] if len(named) == 1 else None


def install(match: QueryMatch, facts: Facts) -> Reply:
    """The manager's commands and the steps after them."""
    software, manager = _software(match), _manager(match, facts)
    if software is None:
        return None
    if manager is None:
        return _no_manager(f"how to install {software.name}")
    verbs, packages = VERBS[manager], software.packages.get(manager)
    lines = () if packages is None else (*verbs.refresh, verbs.install.format(packages))
    steps = (
        ProposedCommand(step[2:], "root" if step.startswith("# ") else "user")
        for step in software.steps.get(manager, ())
    )
    commands = (*(by_manager(line, manager) for line in lines), *steps)
    if not commands:
        return NotKnown(
            f"how to install {software.name} with {manager}",
            reason=f"no package of it is known for {manager}",
            missing="a package",
            collect=(),
        )
    summary = f"Installing {software.name} with {manager}: {software.about}."
    return Draft("recipe", summary, _notes(commands, software.notes), commands)


def update(match: QueryMatch, facts: Facts) -> Reply:
    """The manager's commands to bring one package up to date."""
    software, manager = _software(match), _manager(match, facts)
    if software is None:
        return None
    if manager is None:
        return _no_manager(f"how to update {software.name}")
    packages = software.packages.get(manager)
    if packages is None:
        return None
    verbs = VERBS[manager]
    lines = dict.fromkeys((*verbs.refresh, verbs.update.format(packages)))
    commands = tuple(by_manager(line, manager) for line in lines)
    whole = verbs.update == verbs.update_all
    notes = (f"{manager} updates it together with everything else.",) if whole else ()
    summary = f"Updating {software.name} with {manager}."
    return Draft("recipe", summary, _notes(commands, notes), commands)


def update_system(match: QueryMatch, facts: Facts) -> Reply:
    """The manager's commands to bring everything up to date."""
    manager = _manager(match, facts)
    if manager is None:
        return _no_manager("how to update the system")
    verbs = VERBS[manager]
    commands = tuple(by_manager(line, manager) for line in (*verbs.refresh, verbs.update_all))
    note = "Read what is to be changed before you confirm it."
    return Draft(
        "recipe", f"Updating all packages with {manager}.", _notes(commands, (note,)), commands
    )


def _notes(commands: tuple[ProposedCommand, ...], notes: tuple[str, ...]) -> tuple[str, ...]:
    rooted = any(command.privilege == "root" for command in commands)
    lines = (*notes, *([_ROOT] if rooted else ["Nothing here needs root."]))
    return tuple(f"- {line}" for line in lines)


def _no_manager(asked: str) -> NotKnown:
    known = ", ".join(MANAGERS)
    return NotKnown(
        asked,
        reason="no package manager with recipes was found",
        missing=f"one of {known}",
        collect=(ProposedCommand(f"command -v {known.replace(',', '')}"),),
    )


_SOFTWARE = "|".join(f"software:{name}" for name in BY_NAME)
_MANAGERS = " ".join(f"manager:{name}" for name in MANAGERS)
_MAY = f"{_MANAGERS} machine newest definite"
_SOURCE = "recipes by package manager"

FAMILIES = (
    Family(
        "recipe:install",
        _SOURCE,
        ("install docker", "how do I install zsh-autosuggestions"),
        (
            pattern(f"install {_SOFTWARE}", _MAY, first=True),
            pattern(f"{_SOFTWARE} install", _MAY, first=True),
        ),
        install,
    ),
    Family(
        "recipe:update",
        _SOURCE,
        ("update docker", "how do I upgrade node"),
        (
            pattern(f"update {_SOFTWARE}", _MAY, first=True),
            pattern(f"{_SOFTWARE} update", _MAY, first=True),
        ),
        update,
    ),
    Family(
        "recipe:update-system",
        _SOURCE,
        ("update my system", "how do I upgrade all packages"),
        (
            pattern("update-all", _MAY, first=True),
            pattern("update packages|machine", f"{_MAY} packages", first=True),
        ),
        update_system,
    ),
)

"""Ports, what is installed, and the state of the machine, asked in any words (ANS-6, ANS-7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zsh_ls.answers.family import Draft, Facts, NotKnown, Reply
from zsh_ls.answers.formatting import count, share, size
from zsh_ls.answers.loose import WORDS, LooseMatch, intent
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, is_year
from zsh_ls.answers.software import BY_NAME, SOFTWARE, VERBS
from zsh_ls.answers.spelling import ENGLISH, near
from zsh_ls.answers.words import stem
from zsh_ls.lazy import attrs, re
from zsh_ls.model.machine import Unavailable

from .meant import MACHINE, MOST_SHOWN, Everyday


def port(match: LooseMatch, facts: Facts) -> Reply:
    """What listens on a port."""
    if _is_past(match):
        return None
    numbers = [int(word) for word in match.left if word.isdecimal()]
    if len(match.left) == 1 and not numbers and "port" in match.cues:
        return _ports_of(match.left[0], facts)
    if len(numbers) != 1 or len(match.left) != 1 or not 0 < numbers[0] < 65536:
        return None
    if "port" not in match.cues and (numbers[0] < 1000 or is_year(numbers[0])):
        return None
    found = facts.machine.listeners()
    if isinstance(found, Unavailable):
        return NotKnown.of(f"what uses port {numbers[0]}", found)
    users = [it for it in found if it.port == numbers[0]]
    if not users:
        free = " It is free." if "free" in match.cues else ""
        return Draft("deterministic", f"Nothing listens on port {numbers[0]}.{free}")
    known = [it for it in users if it.name]
    if not known:
        return Draft(
            "deterministic",
            f"Port {numbers[0]} is in use, by a process that this user may not see.",
            ("- Root sees it: `ss -tulpn`",),
        )
    told = ", ".join(dict.fromkeys(f"{code_span(it.name or '')} (pid {it.pid})" for it in known))
    return Draft("deterministic", f"Port {numbers[0]}: {told}.")


def _ports_of(name: str, facts: Facts) -> Reply:
    """The ports that a program listens on; None where none of that name listens."""
    found = facts.machine.listeners()
    if isinstance(found, Unavailable):
        return NotKnown.of(f"which port {code_span(name)} uses", found)
    own = [it for it in found if (it.name or "").lower() == name.lower()]
    if not own:
        return None
    ports = ", ".join(dict.fromkeys(f"{it.port} (pid {it.pid})" for it in own))
    return Draft("deterministic", f"{code_span(name)} listens on port {ports}.")


def _software(words: Sequence[str]) -> tuple[str, str] | None:
    """The program that words name, and the name of its recipe if there is one."""
    text = " ".join(words).lower()
    for one in SOFTWARE:
        if text in one.called or text == one.name:
            return one.name, one.name
    if len(words) == 1 and text not in WORDS and re.fullmatch(r"[a-z0-9][a-z0-9._+-]{0,39}", text):
        return text, ""
    return None


_PROGRAMS = {
    "rust": "rustc",
    "ripgrep": "rg",
    "neovim": "nvim",
    "python": "python3",
    "docker compose": "docker",
    "postgresql": "psql",
    "kubernetes": "kubectl",
    "build-essential": "gcc",
    "sqlite": "sqlite3",
    "imagemagick": "convert",
}


def _installed(name: str, facts: Facts) -> tuple[str, str] | None:
    """The program's name and path, where it is installed."""
    for one in (name, _PROGRAMS.get(name, name)):
        path = facts.machine.program(one)
        if path:
            return one, path
    return None


# What is no program's name.
_GENERIC = frozenset(
    map(
        stem,
        [
            "package",
            "dependency",
            "update",
            "library",
            "module",
            "plugin",
            "font",
            "driver",
            "version",
            "virus",
            "money",
            "software",
            "app",
        ],
    )
)


def is_installed(match: LooseMatch, facts: Facts) -> Reply:
    """Whether a program is installed: its path and version, or that it is not, and how to get it."""
    meant = _software(match.left)
    if meant is None or match.window is not None:
        return None
    name, recipe = meant
    found = _installed(name, facts)
    names = frozenset(BY_NAME) | frozenset({"python3", "npm", "kubectl"})
    other = near(name, names) if not recipe else ""
    if (
        found is None
        and not (recipe or other)
        and (stem(name) in _GENERIC or name in ENGLISH or "installed" not in match.cues)
    ):
        return None
    if found is not None:
        version = facts.machine.version(found[0])
        said = f": {version}" if version else ""
        return Draft(
            "deterministic",
            f"{code_span(name)} is installed{said}.",
            (f"- Its path: {code_span(found[1])}",),
        )
    details = []
    if other and (there := _installed(other, facts)):
        told = f"Nothing called {code_span(name)} is here; {code_span(other)} is installed."
        return Draft("deterministic", told, (f"- Its path: {code_span(there[1])}",))
    manager = facts.machine.package_manager()
    if recipe and manager and (packages := BY_NAME[recipe].packages.get(manager)):
        details.append(f"- With {manager}: {code_span(VERBS[manager].install.format(packages))}")
    if recipe or other:
        details.append(f"- How to install it: {code_span(f'zsh-ls ask install {recipe or other}')}")
    return Draft("deterministic", f"{code_span(name)} is not installed.", tuple(details))


def version(match: LooseMatch, facts: Facts) -> Reply:
    """The version of a program that is known to tell it."""
    words = ["git" if word.lower() == "get" else word for word in match.left]
    meant = _software(words)
    if meant is None:
        return None
    found = _installed(meant[0], facts)
    if found is None:
        return (
            Draft("deterministic", f"{code_span(meant[0])} is not installed.") if meant[1] else None
        )
    said = facts.machine.version(found[0])
    if said is None:
        return None
    return Draft(
        "deterministic", f"{code_span(meant[0])}: {said}.", (f"- Its path: {code_span(found[1])}",)
    )


def install(match: LooseMatch, facts: Facts) -> Reply:
    """The recipe of the software that is named; first, that it is there already."""
    from zsh_ls.answers.families.recipes import install as recipe  # noqa: PLC0415

    meant = _software(match.left)
    name = meant[1] if meant else ""
    if not name and len(match.left) == 1:
        called = {word: one.name for one in SOFTWARE for word in one.called if " " not in word}
        name = called.get(near(match.left[0], frozenset(called)), "")
    if not name:
        return None
    reply = recipe(QueryMatch(frozenset({f"software:{name}"})), facts)
    there = _installed(name, facts)
    if isinstance(reply, Draft) and there is not None:
        return attrs.evolve(
            reply,
            summary=(
                f"{code_span(name)} is installed already, at"
                f" {code_span(there[1])}.\n{reply.summary}"
            ),
        )
    return reply


_WAS = re.compile(
    r"\b(?:was|were|had|did|used to|has been|before|earlier|ago|peak|ever|history)\b", re.IGNORECASE
)


def _is_past(match: LooseMatch) -> bool:
    """Whether a question is of another time than now: of the machine only what is now is known."""
    return match.window is not None or match.clock is not None or bool(_WAS.search(match.text))


def _of_machine(family: str) -> Callable[[LooseMatch, Facts], Reply]:
    def reply(match: LooseMatch, facts: Facts) -> Reply:
        from zsh_ls.answers.families import FAMILIES  # noqa: PLC0415  they import what this module gives

        if _is_past(match):
            return None
        [found] = [it for it in FAMILIES if it.name == family]
        return found.answer(QueryMatch(frozenset(match.cues)), facts)

    return reply


def disks(match: LooseMatch, facts: Facts) -> Reply:
    """How full disks are, the fullest first; the one of a mount point that is named."""
    from zsh_ls.answers.families.disk import filesystem_of, full_share, told  # noqa: PLC0415  as above

    if _is_past(match):
        return None
    found = facts.machine.filesystems()
    if isinstance(found, Unavailable):
        return NotKnown.of("how full the disks are", found)
    mounts = [it.mount for it in found]
    asked = [_mount(word, mounts) for word in match.left]
    # `the data disk, slash data` names one twice.
    if not all(asked) or len(set(asked)) > 1:
        return None
    if asked:
        one = filesystem_of(asked[0], found)
        return Draft("deterministic", f"{told(one, asked[0])}.") if one else None
    ranked = sorted(found, key=full_share, reverse=True)
    fullest = "; ".join(
        f"{code_span(it.mount)} is {share(full_share(it))} full, {size(it.available_bytes)} free"
        for it in ranked[:MOST_SHOWN]
    )
    return Draft("deterministic", f"{fullest}.")


def _mount(word: str, mounts: Sequence[str]) -> str:
    """The path that a word names: one, or a mount point's last part; `""` for no path."""
    if word.lower() in ("root", "/"):
        return "/"
    names = {mount.rpartition("/")[2]: mount for mount in mounts if mount != "/"}
    name = word.removeprefix("/").lower()
    if name in names or not word.startswith("/"):
        return names.get(name, "")
    meant = "" if "/" in name else near(name, frozenset(names))
    return names[meant] if meant else word


def cpu_and_load(match: LooseMatch, facts: Facts) -> Reply:
    """The load and the processor together."""
    if _is_past(match):
        return None
    load, cpu = facts.machine.load(), facts.machine.cpu()
    if isinstance(load, Unavailable):
        return NotKnown.of("the load", load)
    details: tuple[str, ...] = ()
    if not isinstance(cpu, Unavailable):
        details = (
            f"- {cpu.model}: {count(cpu.logical, 'core')}, {share(cpu.busy_share)} busy now.",
        )
    busy = "more than" if load.one > load.logical_cpus else "less than"
    summary = (
        f"The load is {load.one:.2f} over the last minute, on {count(load.logical_cpus, 'CPU')}:"
        f" {busy} they can do."
    )
    return Draft("deterministic", summary, details)


QUESTIONS: tuple[Everyday, ...] = (
    Everyday(
        "port",
        MACHINE,
        ("what uses port 5173", "is port 3000 free"),
        (
            intent(
                "port",
                "listen free pid process which running show here machine have run-noun commands",
                subject="needed",
            ),
            intent("free", "port which listen here machine have", subject="needed"),
            intent(
                "listen|pid|process",
                "listen free pid process which running port here have commands",
                subject="needed",
            ),
        ),
        port,
    ),
    Everyday(
        "version-of",
        MACHINE,
        ("what version of node do I have",),
        (intent("version", "which installed model machine have here", subject="needed"),),
        version,
    ),
    Everyday(
        "installed",
        MACHINE,
        ("is ffmpeg installed", "do I have jq"),
        (
            intent("installed", "have which machine here", subject="needed"),
            intent("have", "installed machine here", subject="needed"),
            intent("here|machine", "have here machine", subject="needed"),
        ),
        is_installed,
    ),
    Everyday(
        "how-to-install",
        "recipes by package manager",
        ("how do I install ffmpeg",),
        (intent("install", "how-to machine here have installed", subject="needed"),),
        install,
    ),
    Everyday(
        "memory-now",
        MACHINE,
        ("how much memory is left",),
        (intent("memory", "amount full free have which status machine here"),),
        _of_machine("memory"),
    ),
    Everyday(
        "disks",
        MACHINE,
        ("which disk is full",),
        (
            intent("disk", "full amount free have which here machine", subject="maybe"),
            intent("full", "disk amount free which", subject="needed"),
        ),
        disks,
    ),
    Everyday(
        "load-now",
        MACHINE,
        ("is the machine busy",),
        (
            intent(
                "load", "cpu amount free which model how-often how-long usual busy machine have"
            ),
            intent("busy machine|cpu", "busy cpu amount why load machine"),
        ),
        cpu_and_load,
    ),
    Everyday(
        "processor",
        MACHINE,
        ("what CPU is in this machine",),
        (intent("cpu", "model amount which how-often have machine here"),),
        _of_machine("cpu"),
    ),
    Everyday(
        "graphics",
        MACHINE,
        ("how much of the GPU is used",),
        (intent("gpu", "gpu memory amount free full which model have machine"),),
        _of_machine("gpu"),
    ),
    Everyday(
        "swap",
        MACHINE,
        ("is there any swap",),
        (intent("swap", "amount free have which full machine"),),
        _of_machine("template:swap"),
    ),
)

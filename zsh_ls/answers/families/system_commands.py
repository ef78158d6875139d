"""Questions about the system that a command answers best: `Running PROGRAM to …` and the command."""

from __future__ import annotations

from collections.abc import Callable

from zsh_ls.answers.family import Draft, Facts, Family, Reply
from zsh_ls.answers.formatting import count, size
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, QuestionPattern, pattern
from zsh_ls.lazy import attrs
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import Unavailable


@attrs.frozen
class SystemQuery:
    """A question about the system: what its command is for, and the command.

    The words of `purpose` follow `Running {program} to`. A command that begins
    with `# ` is root's; `{}` in it stands for the number the question must name.
    `on_macos` is given where the command is another one there.
    """

    name: str
    purpose: str
    command: str
    examples: tuple[str, ...]
    patterns: tuple[QuestionPattern, ...]
    on_macos: str | None = None
    # What the machine itself tells: the answer, unless the command is what is asked for (ANS-7).
    fact: Callable[[Facts], Draft | None] | None = None


# `check swap`, `swap status` ask for the command; `do I have swap` does not.
MOST_SHOWN = 5
_ORDERS = frozenset({"check", "status"})


def swap_fact(facts: Facts) -> Draft | None:
    """How much swap there is; None where the machine does not tell."""
    use = facts.machine.memory()
    if isinstance(use, Unavailable):
        return None
    if not use.swap_total_bytes:
        return Draft("deterministic", "There is no swap.")
    used, total = size(use.swap_used_bytes), size(use.swap_total_bytes)
    return Draft("deterministic", f"Swap: {used} of {total} are in use.")


def ports_fact(facts: Facts) -> Draft | None:
    """What listens, by port; None where the machine does not tell."""
    found = facts.machine.listeners()
    if isinstance(found, Unavailable):
        return None
    by_port: dict[int, list[str]] = {}
    for it in sorted(found, key=lambda one: one.port):
        by_port.setdefault(it.port, []).append(
            f"{code_span(it.name)} (pid {it.pid})" if it.name else "a process of another user"
        )
    if not by_port:
        return Draft("deterministic", "Nothing listens.")
    lines = [f"{port}: {', '.join(dict.fromkeys(who))}" for port, who in by_port.items()]
    shown = "; ".join(lines[:MOST_SHOWN])
    more = f"; and {len(lines) - MOST_SHOWN} more" if len(lines) > MOST_SHOWN else ""
    return Draft(
        "deterministic",
        f"{count(len(lines), 'port')} {'is' if len(lines) == 1 else 'are'} listened on: {shown}{more}.",
        tuple(f"- {line}" for line in lines),
    )


_HERE = "machine definite now"

SYSTEM_QUERIES = (
    SystemQuery(
        "swap",
        "check swap configuration",
        "swapon --show",
        ("check swap", "is swap enabled"),
        (
            pattern(
                "swap check|config|state|status|amount|have|definite",
                f"check config state status amount have {_HERE}",
            ),
            pattern("swap", alone=True),
        ),
        on_macos="sysctl vm.swapusage",
        fact=swap_fact,
    ),
    SystemQuery(
        "failed-services",
        "check failed services",
        "systemctl --failed --no-pager",
        ("check failed services", "which services have failed"),
        (
            pattern("service fail|running-not", f"status state {_HERE}"),
            pattern("all-of service well", _HERE),
        ),
        on_macos="launchctl list",
    ),
    SystemQuery(
        "running-services",
        "list running services",
        "systemctl list-units --type=service --state=running --no-pager",
        ("which services are running", "list active services"),
        (pattern("service running|active|status", _HERE),),
        on_macos="launchctl list",
    ),
    SystemQuery(
        "listening-ports",
        "list listening ports",
        "ss -tulpn",
        ("check listening ports", "which ports are open"),
        (
            pattern("port listen|in-use|check|definite", f"process listen in-use check {_HERE}"),
            pattern("what|process|service listen", f"port local on-port {_HERE}"),
            pattern("open-ports", _HERE),
        ),
        on_macos="lsof -nP -iTCP -sTCP:LISTEN",
        fact=ports_fact,
    ),
    SystemQuery(
        "disk-hogs",
        "find what takes up disk space here",
        "du -xh -d 1 . | sort -rh | head -n 20",
        ("what is taking up disk space", "find the largest directories"),
        (
            pattern("what|directory eat disk|space", f"most state {_HERE}"),
            pattern("biggest directory", f"disk space eat by-size {_HERE}"),
            pattern("big-files", f"by-size {_HERE}"),
            pattern("disk|space hog", f"most {_HERE}"),
        ),
    ),
    SystemQuery(
        "git-state",
        "check the state of this repository",
        "git status --short --branch",
        ("git status", "do I have uncommitted changes"),
        (
            pattern("git state|status|check|clean", "git branch definite now clean changes"),
            pattern("git-change", "git have clean definite now branch changes"),
            pattern("git changes", "definite have now"),
        ),
    ),
    SystemQuery(
        "git-branch",
        "show the current branch",
        "git branch --show-current",
        ("which git branch am I on", "current branch"),
        (pattern("branch definite|on-it", "git now on-it"), pattern("branch", alone=True)),
    ),
    SystemQuery(
        "git-log",
        "list recent commits",
        "git log --oneline -n 20",
        ("show recent commits", "git log"),
        (
            pattern("commits last|git", "last git definite", number=True),
            pattern("git log", "last definite"),
        ),
    ),
    SystemQuery(
        "kernel",
        "check the kernel version",
        "uname -srm",
        ("which kernel am I running", "kernel version"),
        (pattern("kernel definite|version|running", f"version running have {_HERE}"),),
    ),
    SystemQuery(
        "os",
        "check the distribution",
        "cat /etc/os-release",
        ("which linux distribution is this", "os version"),
        (
            pattern("os definite|version|running|machine|have", f"version running have {_HERE}"),
            pattern("os-version", _HERE),
        ),
        on_macos="sw_vers",
    ),
    SystemQuery(
        "uptime",
        "check how long the machine is up",
        "uptime",
        ("how long has this machine been up", "uptime"),
        (
            pattern("how-long|when up|booted", f"last running {_HERE}"),
            pattern("how-long|since-when machine running", _HERE),
            pattern("uptime", _HERE),
            pattern("last booted", f"when {_HERE}"),
            pattern("when machine booted", "last definite"),
        ),
    ),
    SystemQuery(
        "users",
        "list who is logged in",
        "who",
        ("who is logged in", "which users are logged in"),
        (pattern("who logged-in", f"else {_HERE}"), pattern("logged-in users", f"else {_HERE}")),
    ),
    SystemQuery(
        "boot-log",
        "list errors since boot",
        "journalctl -b -p err --no-pager",
        ("show errors since boot", "errors in the journal"),
        (
            pattern("fail|log since-boot|journal", f"fail log {_HERE}"),
            pattern("journal log", _HERE),
        ),
        on_macos="log show --last boot --predicate 'messageType == error'",
    ),
    SystemQuery(
        "containers",
        "list running containers",
        "docker ps",
        ("list docker containers", "which containers are running"),
        (pattern("containers", "docker running active definite machine now"),),
    ),
    SystemQuery(
        "timers",
        "list scheduled timers",
        "systemctl list-timers --no-pager",
        ("which systemd timers are there", "list timers"),
        (pattern("timers", f"service running active next {_HERE}"),),
        on_macos="crontab -l",
    ),
    SystemQuery(
        "cron",
        "list your cron jobs",
        "crontab -l",
        ("list cron jobs", "show my crontab"),
        (pattern("cron", f"commands running active scheduled {_HERE}"),),
    ),
    SystemQuery(
        "mounts",
        "list mounted file systems",
        "findmnt --real",
        ("what is mounted", "list mount points"),
        (pattern("mounted", f"disk {_HERE}"),),
        on_macos="mount",
    ),
    SystemQuery(
        "block-devices",
        "list disks and partitions",
        "lsblk",
        ("list disks and partitions", "which disks are attached"),
        (
            pattern("partitions", f"disk attached definite have {_HERE}"),
            pattern("disk attached", f"definite {_HERE}"),
        ),
        on_macos="diskutil list",
    ),
    SystemQuery(
        "routes",
        "show the routes",
        "ip route",
        ("show the routing table", "what is my default gateway"),
        (pattern("routes", f"definite network {_HERE}"),),
        on_macos="netstat -rn",
    ),
    SystemQuery(
        "dns",
        "show the name servers",
        "cat /etc/resolv.conf",
        ("which dns servers do I use", "what is my dns server"),
        (pattern("dns", f"machine in-use running {_HERE}"),),
        on_macos="scutil --dns",
    ),
    SystemQuery(
        "temperature",
        "read the temperature sensors",
        "sensors",
        ("cpu temperature",),
        (pattern("temperature", f"cpu {_HERE}"),),
        on_macos="pmset -g therm",
    ),
    SystemQuery(
        "kernel-log",
        "read the kernel's warnings and errors",
        "# dmesg --level=err,warn",
        ("show kernel messages", "kernel errors"),
        (pattern("kernel log|fail", f"last {_HERE}"),),
        on_macos="# dmesg",
    ),
    SystemQuery(
        "usb",
        "list usb devices",
        "lsusb",
        ("list usb devices", "which usb devices are connected"),
        (pattern("usb", f"attached {_HERE}"),),
        on_macos="system_profiler SPUSBDataType",
    ),
    SystemQuery(
        "pci",
        "list pci devices",
        "lspci",
        ("list pci devices",),
        (pattern("pci", f"attached {_HERE}"),),
        on_macos="system_profiler SPPCIDataType",
    ),
    SystemQuery(
        "path",
        "show the folders of PATH",
        "printenv PATH",
        ("what is in my PATH", "show my PATH variable"),
        (pattern("path-variable", "definite now"), pattern("path definite", "now")),
    ),
    SystemQuery(
        "hostname",
        "show the host's name",
        "uname -n",
        ("what is my hostname",),
        (pattern("hostname", f"{_HERE}"),),
    ),
    SystemQuery(
        "clock",
        "check the clock and its time zone",
        "timedatectl",
        ("which time zone is set", "is the clock synchronized"),
        (pattern("clock", f"config status definite synced {_HERE}"),),
        on_macos="date",
    ),
)


def _answer(query: SystemQuery) -> Callable[[QueryMatch, Facts], Reply]:
    def answer(match: QueryMatch, facts: Facts) -> Reply:
        """The query's command for this system; the fact itself where the machine tells it."""
        told = None if query.fact is None or match.concepts & _ORDERS else query.fact(facts)
        if told is not None:
            return told
        line = query.command
        if query.on_macos is not None and facts.machine.system() == "darwin":
            line = query.on_macos
        if "{}" in line and match.number is None:
            return None
        command = line.removeprefix("# ").replace("{}", str(match.number))
        proposed = ProposedCommand(command, "root" if line.startswith("# ") else "user")
        program = command.split()[0]
        return Draft("template", f"Running {program} to {query.purpose}.", commands=(proposed,))

    return answer


FAMILIES = tuple(
    Family(
        name=f"template:{query.name}",
        source="the program it names",
        examples=query.examples,
        patterns=query.patterns,
        answer=_answer(query),
    )
    for query in SYSTEM_QUERIES
)

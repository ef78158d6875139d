"""Share what is learnt with a team, through its PostgreSQL.

How long commands take and how often they succeed is counted by project and template; nothing
else leaves, and nothing before `team join`. docs/team.md says what an administrator can learn.

    zsh-ls team init | psql -v ON_ERROR_STOP=1 DB       the administrator, once
    (umask 077; zsh-ls team join DSN > ~/team-secret)   makes the secret
    zsh-ls team join DSN --secret ~/team-secret         everybody else
    zsh-ls team show --clear                            what would be sent
    zsh-ls team leave --erase                           take out what was given

A server of an editor, and every longer run, shares in the background each minute; `team sync`
does so at once. In CI the environment joins: ZSH_LS_TEAM_DSN, ZSH_LS_TEAM_SECRET,
ZSH_LS_TEAM_READONLY=1 to give nothing, ZSH_LS_TEAM_AGENT=NAME for all runs of one pipeline.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from zsh_ls.model.team import TeamStatus
    from zsh_ls.sidecar.config import Settings

LONGEST_SECRET_BYTES = 4_096
NOT_DONE = 1
WRONG_USAGE = 2
INTERRUPTED = 130
PROGRESS_AFTER_S = 2.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls team` takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    init = actions.add_parser("init", help="print the SQL that an administrator runs")
    init.add_argument(
        "--role", default="zsh_ls_agent", metavar="NAME", help="the group role of agents"
    )
    join = actions.add_parser("join", help="join a team")
    join.add_argument(
        "dsn", metavar="DSN", help="postgresql://USER@HOST/DATABASE?sslmode=verify-full"
    )
    join.add_argument(
        "--secret", metavar="FILE", help="the file with the team's secret; - is input"
    )
    join.add_argument(
        "--remote",
        action="append",
        default=[],
        metavar="PATTERN",
        help="whose runs leave: host/owner/* (this project's); may be given again",
    )
    actions.add_parser("sync", help="push and pull now; Ctrl-C ends it, and loses nothing")
    status = actions.add_parser("status", help="what was sent, what waits; asks no server")
    status.add_argument("--json", action="store_true", help="as JSON")
    show = actions.add_parser("show", help="print what would be sent, one JSON object a line")
    show.add_argument("--clear", action="store_true", help="the sealed text in clear beside it")
    leave = actions.add_parser("leave", help="leave the team")
    leave.add_argument("--erase", action="store_true", help="take out what this agent gave, first")


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked; 1 where the team's server or memory cannot be used, 2 for wrong usage."""
    if arguments.action == "init":
        return _init(arguments.role)
    from zsh_ls.model.errors import SidecarError

    done = {
        "join": _join,
        "sync": _sync,
        "status": _status,
        "show": _show,
        "leave": _leave,
    }[arguments.action]
    try:
        return done(arguments)
    except SidecarError as problem:
        print(f"zsh-ls: {problem}", file=sys.stderr)
        return NOT_DONE


def _init(role: str) -> int:
    from zsh_ls.sidecar.team import init_sql

    try:
        print(init_sql(role), end="")
    except ValueError as wrong:
        print(f"zsh-ls: --role: {wrong}", file=sys.stderr)
        return WRONG_USAGE
    return 0


def _join(arguments: argparse.Namespace) -> int:
    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.team import join

    try:
        secret = None if arguments.secret is None else _read(arguments.secret)
    except (OSError, UnicodeError) as fault:
        reason = f"{arguments.secret}: no text" if isinstance(fault, UnicodeError) else fault
        print(f"zsh-ls: --secret: {reason}", file=sys.stderr)
        return WRONG_USAGE
    remotes = tuple(arguments.remote)
    report = join(settings_here(), arguments.dsn, secret, remotes, os.getcwd())
    if report.new_secret is not None:
        print(report.new_secret)
        _say("This is the team's secret: give it to the others, and to nobody else.")
    _say(
        f"Joined. Runs of {', '.join(report.remotes)} are shared; the secret is in {report.kept_in}."
    )
    if report.left_out is not None:
        _say(f"This folder's project, {report.left_out}, is none of these.")
    if report.new_secret is not None and report.agents:
        _say(
            f"{_giving(report.agents)} already, under a secret of their own: where they are your team,"
            " join again with it, `--secret FILE`."
        )
    elif report.has_other_secret:
        _say("No figure of the team opens with this secret: is it the one that the others have?")
    else:
        _say(f"{_giving(report.agents)}." if report.agents else "Nobody has given anything yet.")
    if report.waiting:
        _say(f"{_runs(report.waiting)} to be sent: `zsh-ls team show --clear` prints what.")
    _say("An editor's server shares each minute, and so does a longer run; `zsh-ls team sync` now.")
    return 0


def _runs(waiting: int) -> str:
    return "1 run waits" if waiting == 1 else f"{waiting} runs wait"


def _giving(agents: int) -> str:
    return "1 agent gives" if agents == 1 else f"{agents} agents give"


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.read(LONGEST_SECRET_BYTES)
    from zsh_ls.system.bounded_files import read_bytes

    return read_bytes(name, LONGEST_SECRET_BYTES).decode()


def _sync(_arguments: argparse.Namespace) -> int:
    from zsh_ls.cli.session import settings_here

    settings = settings_here()
    try:
        after = _watched_sync(settings)
    except KeyboardInterrupt:
        # The thread may wait for a server that never answers: Python's own end would let it.
        cleared = "\r\x1b[K" if sys.stderr.isatty() else ""
        _say(f"{cleared}Interrupted; what the server does not have waits on.")
        os._exit(INTERRUPTED)
    sent = "1 run" if after.sent == 1 else f"{after.sent} runs"
    _say(f"{sent} sent in all, {after.waiting} wait; {_giving(after.agents)}.")
    return NOT_DONE if after.waiting else 0


def _watched_sync(settings: Settings) -> TeamStatus:
    """Sync on a thread, so that Ctrl-C is heard at once; on a terminal say how far it is after 2 s."""
    from queue import Empty, SimpleQueue
    from threading import Thread

    from zsh_ls.sidecar.team import sync

    news: SimpleQueue[str | TeamStatus | BaseException] = SimpleQueue()

    def tell(sent: int, waiting: int) -> None:
        news.put(f"{sent} batches sent, {waiting} wait")

    def work() -> None:
        try:
            news.put(sync(settings, os.environ, os.getcwd(), tell))
        except BaseException as fault:  # for the thread that waits
            news.put(fault)

    Thread(target=work, daemon=True).start()
    said_from = time.monotonic() + PROGRESS_AFTER_S
    is_terminal = sys.stderr.isatty()
    latest = "0 batches sent"
    while True:
        try:
            item = news.get(timeout=max(0.1, said_from - time.monotonic()))
        except Empty:
            item = latest
        if not isinstance(item, str):
            break
        latest = item
        if is_terminal and time.monotonic() >= said_from:
            print(f"\r{latest}\x1b[K", end="", file=sys.stderr, flush=True)
    if is_terminal and time.monotonic() >= said_from:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if isinstance(item, BaseException):
        raise item
    return item


def _status(arguments: argparse.Namespace) -> int:
    from zsh_ls.cli.session import settings_here
    from zsh_ls.lazy import attrs
    from zsh_ls.sidecar.team import status

    found = status(settings_here(), os.environ)
    if arguments.json:
        import json

        shown = attrs.asdict(found)
        del shown["waits_since"], shown["forgotten"]
        for name in ("last_push", "last_pull"):
            shown[name] = None if shown[name] is None else _iso(shown[name])
        print(json.dumps(shown))
        return 0
    if not found.joined:
        print("no team is joined: `zsh-ls team join DSN`")
        return 0
    _print(found)
    return 0


def _print(found: TeamStatus) -> None:
    print(f"team       {found.dsn or 'unknown'}")
    if os.environ.get("ZSH_LS_TEAM_DSN"):
        print(
            "joined     by the environment: each process gives its own runs, and counts them itself"
        )
        print(f"agents     {found.agents}")
        if found.error:
            print(f"problem    {found.error}")
        return
    dropped = f", {found.dropped} let go" if found.dropped else ""
    oldest = "" if found.waits_since is None else f", the oldest of {_age(found.waits_since)}"
    print(f"runs       {found.sent} sent, {found.waiting} waiting{oldest}{dropped}")
    if found.forgotten:
        print(f"forgotten  {found.forgotten} to be taken out at the server with the next push")
    print(f"last push  {_age(found.last_push)}")
    print(f"last pull  {_age(found.last_pull)}")
    print(f"agents     {found.agents}")
    if found.error:
        print(f"problem    {found.error}")


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _age(at: float | None) -> str:
    if at is None:
        return "never"
    seconds = max(0, round(datetime.now(UTC).timestamp() - at))
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds // length} {unit} ago"
    return "just now" if seconds < 2 else f"{seconds} seconds ago"


def _show(arguments: argparse.Namespace) -> int:
    import json

    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.team import asked_for, to_be_sent

    settings = settings_here()
    rows, texts = to_be_sent(settings, os.environ)
    for row in rows:
        clear = {"text": texts.get(str(row["template"]))} if arguments.clear else {}
        print(json.dumps({**row, **clear}))
    asked = asked_for(settings, os.environ, os.getcwd())
    for remote, project in asked.items():
        clear = {"remote": remote} if arguments.clear else {}
        print(json.dumps({"pull": project, **clear}))
    if not rows and asked:
        _say("No run waits to be sent; a pull names these projects.")
    elif not rows:
        _say(
            "No run waits to be sent, and a pull names no project: none here has a remote that fits."
        )
    return 0


def _leave(arguments: argparse.Namespace) -> int:
    from zsh_ls.cli.session import settings_here
    from zsh_ls.sidecar.team import leave

    leave(settings_here(), os.environ, erase=arguments.erase)
    taken = ", and what this agent gave is taken out" if arguments.erase else ""
    _say(f"Left the team{taken}.")
    return 0


def _say(text: str) -> None:
    print(text, file=sys.stderr)

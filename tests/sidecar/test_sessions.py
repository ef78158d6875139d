"""Named sessions through the façade: what a run leaves to the next (SESS-1…4)."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import DocumentRange, PollRequest, RunRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.span import Span
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.sidecar.missing import MissingNames
from zsh_ls.sidecar.runs.places import OutputPlaces

In = Callable[..., Awaitable[TaskResult]]
SHELLS = pytest.mark.parametrize("shell", ["zsh", "bash"])


@pytest.fixture
def in_session(sidecar: Sidecar) -> In:
    async def run(command: str, shell: str = "zsh", **others: object) -> TaskResult:
        given = {"session": "s", "yield_after": 60.0, "shell": shell, **others}
        return await sidecar.run(RunRequest(command=command, **given))  # type: ignore[arg-type]

    return run


@SHELLS
async def test_the_next_run_begins_with_what_the_last_one_was(in_session: In, shell: str) -> None:
    kept = "typeset -A map; map[k]='a b'; typeset -i n=3; export E=out; list=(x 'y z'); f() { echo f$1; }"
    await in_session(kept, shell)
    await in_session("cd / && umask 077 && set -o noclobber && readonly fixed=1", shell)
    told = "f 2; echo ${map[k]} $n ${#list[@]}; n=n+1; echo $n; pwd; umask; env | grep ^E=; "
    told += "set -o | grep clob"
    result = await in_session(told, shell)
    first = ["f2", "a b 3 2", "4", "/", "077" if shell == "zsh" else "0077", "E=out"]
    assert result.output.splitlines()[:6] == first
    assert result.output.splitlines()[6].split()[-1] == "on"
    assert result.session == "s"
    assert result.cwd == "/"


async def test_a_run_waits_for_the_state_of_one_that_has_just_ended(
    in_session: In, sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy machine reads an output's places long after the list of tasks has told its end."""
    reading, may_end = asyncio.Event(), asyncio.Event()
    finish = OutputPlaces.finish

    async def slowly(places: OutputPlaces) -> None:
        reading.set()
        await may_end.wait()
        await finish(places)

    monkeypatch.setattr(OutputPlaces, "finish", slowly)
    first = asyncio.create_task(in_session("name=new"))
    await reading.wait()
    assert [it.status for it in (await sidecar.tasks(include_ended=True)).tasks] == [
        Status.COMPLETED
    ]
    second = asyncio.create_task(in_session("print $name"))
    for _ in range(20):  # a turn of the loop each: the second one would have begun in the first few
        await asyncio.sleep(0)
    may_end.set()
    await first
    assert (await second).output == "new\n"


@SHELLS
async def test_aliases_and_the_stack_of_folders_are_kept(in_session: In, shell: str) -> None:
    await in_session("shopt -s expand_aliases" if shell == "bash" else ":", shell)
    await in_session("alias hello='echo hello'", shell)
    await in_session("cd / && pushd /usr >/dev/null", shell)
    result = await in_session("hello you; popd >/dev/null; pwd", shell)
    assert result.output == "hello you\n/\n"


async def test_aliases_of_zsh_of_each_kind_are_kept(in_session: In) -> None:
    await in_session("alias -s txt='echo opens'", "zsh")
    await in_session("alias -g UP='| tr a-z A-Z'", "zsh")
    assert (await in_session("notes.txt UP", "zsh")).output == "OPENS NOTES.TXT\n"
    await in_session("unalias -s txt; unalias 'UP'", "zsh")
    assert (await in_session("alias -s; echo UP", "zsh")).output == "UP\n"


async def test_functions_of_zsh_with_any_name_are_kept(in_session: In) -> None:
    await in_session("function 'my name' it\\'s a=b { echo \"in $0\" }", "zsh")
    told = await in_session("'my name'; it\\'s; 'a=b'", "zsh")
    assert told.output == "in my name\nin it's\nin a=b\n"


async def test_variables_of_zsh_that_hide_their_values_are_kept_and_not_shown(
    sidecar: Sidecar, in_session: In
) -> None:
    await in_session(
        "autoload -U colors && colors; typeset -H word='sesame street'; typeset -rH r=1"
    )
    told = await in_session("typeset -p word; echo ${+fg[red]} $word $r; r=2")
    assert told.output.splitlines()[:2] == ["typeset word", "1 sesame street 1"]
    assert told.output.splitlines()[2].endswith("read-only variable: r")
    held = {it.name: it.value for it in (await sidecar.sessions("show", "s")).held or ()}
    assert (held["word"], held["fg"]) == ("(hidden)", "(hidden)")


@SHELLS
async def test_functions_with_the_names_of_builtins_disturb_nothing(
    in_session: In, shell: str
) -> None:
    await in_session("set -o noclobber; set -u; IFS=:; x=kept; gone=1", shell)
    names = ("unset", "set", "source", "setopt", "shopt", "export", "typeset", "eval")
    functions = "; ".join(f"function {name} {{ echo called {name}; }}" for name in names)
    await in_session(f"gone() {{ :; }}; {functions}", shell)
    result = await in_session("echo $x$-; unset", shell)
    lines = result.output.splitlines()
    assert (lines[0][:4], "u" in lines[0], "C" in lines[0]) == ("kept", True, True)
    assert lines[1:] == ["called unset"]


@SHELLS
async def test_a_line_that_lists_variables_or_functions_is_kept_under_nounset(
    in_session: In, shell: str
) -> None:
    """It ends by a trap in zsh, which runs with the options of the line."""
    await in_session("set -u; x=1", shell)
    await in_session("x=2; set | grep -c x >/dev/null", shell)
    await in_session("x=${x}3; typeset -f | cat", shell)
    result = await in_session("echo $x$-", shell)
    assert result.output.startswith("23")
    assert "u" in result.output


@SHELLS
async def test_a_line_that_begins_like_an_option_is_a_line(in_session: In, shell: str) -> None:
    await in_session("function -v { echo called $1; }", shell)
    assert (await in_session("-v it", shell)).output == "called it\n"
    assert (await in_session("+1", shell)).exit == 127


@SHELLS
@pytest.mark.parametrize("end", ["exec true", "kill -9 $$", "kill -SEGV $$"])
async def test_a_run_that_cannot_report_leaves_the_session_as_it_was(
    in_session: In, shell: str, end: str
) -> None:
    await in_session("x=kept", shell)
    await in_session(f"x=lost; {end}", shell)
    assert (await in_session("echo $x", shell)).output == "kept\n"


@SHELLS
async def test_a_killed_and_a_timed_out_run_leave_it_as_it_was(
    sidecar: Sidecar, in_session: In, shell: str
) -> None:
    await in_session("x=kept", shell)
    timed_out = await in_session("x=lost; sleep 60", shell, timeout=0.3)
    assert timed_out.status is Status.TIMEOUT
    started = await in_session("x=lost; echo on; sleep 60", shell, yield_after=0.0)
    await sidecar.poll(PollRequest(started.task_id, listen=30.0))
    await sidecar.kill(started.task_id)
    assert (await in_session("echo $x", shell)).output == "kept\n"


@SHELLS
async def test_exit_pipestatus_and_traps_are_those_of_a_run_without(
    in_session: In, shell: str
) -> None:
    await in_session("x=1", shell)
    piped = await in_session("true | false | true", shell)
    assert (piped.exit, piped.pipestatus) == (0, (0, 1, 0))
    trapped = await in_session("trap 'echo bye' EXIT; x=2; (exit 4)", shell)
    assert (trapped.exit, trapped.output) == (4, "bye\n")
    again = await in_session("echo $x", shell)
    assert again.output == "2\n"
    stopped = await in_session("set -e; x=3; false | true; false; x=4", shell)
    assert stopped.exit == 1
    assert (await in_session("set +e; echo $x", shell)).output == "3\n"


@SHELLS
async def test_what_a_listing_shows_is_the_commands_own(in_session: In, shell: str) -> None:
    await in_session("f() { :; }", shell)
    for listing in ("typeset -f", "trap"):
        assert "_zls" not in (await in_session(listing, shell)).output
    assert "ZSH_LS_" not in (await in_session("typeset -p; env", shell)).output.replace(
        "ZSH_LS_TASK", ""
    )


LISTINGS_OF_VARIABLES = {
    "zsh": (
        "set | cat",
        "typeset | cat; true",
        "typeset -p",
        "print -rl -- $parameters ${(k)parameters}",
    ),
    "bash": ("set | cat", "declare -p", "compgen -v; true"),
}


@SHELLS
async def test_a_listing_of_variables_shows_none_of_ours(in_session: In, shell: str) -> None:
    hides_a_value = "typeset -H hidden=1" if shell == "zsh" else "x=1"
    await in_session(hides_a_value, shell)
    for listing in LISTINGS_OF_VARIABLES[shell]:
        result = await in_session(listing, shell)
        assert "_zls" not in result.output, listing
        assert result.exit == 0


@SHELLS
@pytest.mark.parametrize("text", ["trap '{}' EXIT; true", "trap 'echo bye' EXIT; {}", "{} | cat"])
async def test_nor_does_one_beside_a_trap_of_the_command(
    in_session: In, shell: str, text: str
) -> None:
    listings = {"zsh": ("set", "typeset -p", "local"), "bash": ("set", "declare -p", "declare -F")}
    for listing in listings[shell]:
        result = await in_session(
            f"x={listing!r}; {text.format(listing)}", shell, verbosity="debug"
        )
        assert "_zls" not in result.output, listing
        assert (await in_session("echo $x", shell)).output == f"{listing}\n"


@SHELLS
async def test_an_exit_trap_sees_the_exit_of_its_command(in_session: In, shell: str) -> None:
    assert (await in_session("trap 'echo $?' EXIT; (exit 3)", shell)).output == "3\n"


@SHELLS
async def test_a_function_of_the_session_may_set_an_exit_trap(in_session: In, shell: str) -> None:
    await in_session("f() { trap 'echo bye' EXIT; }", shell)
    result = await in_session("f; x=2; false | true", shell)
    assert (result.output, list(result.pipestatus or ())) == ("bye\n", [1, 0])
    assert (await in_session("echo $x", shell)).output == "2\n"


@SHELLS
async def test_what_traces_the_command_is_silent_about_us(in_session: In, shell: str) -> None:
    await in_session("set -x", shell)
    result = await in_session("echo one", shell)
    assert [
        line for line in result.output.splitlines() if "_zls" in line or "builtin" in line
    ] == []
    assert len(result.output.splitlines()) == 2


async def test_own_folder_and_environment_win_for_that_run_alone(in_session: In) -> None:
    await in_session("export A=session; cd /")
    once = await in_session("echo $A; pwd", env={"A": "own"}, cwd="/usr")
    assert once.output == "own\n/usr\n"
    assert (await in_session("echo $A; pwd")).output == "session\n/\n"


async def test_of_two_at_once_the_one_that_began_earlier_keeps_nothing(
    sidecar: Sidecar, in_session: In, tmp_path: Path
) -> None:
    await in_session("x=0")
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    slow = await in_session(f"x=slow; read < {gate}", yield_after=0.0)
    await in_session("x=quick")
    with gate.open("w") as opened:
        opened.write("go\n")
    ended = await sidecar.poll(PollRequest(slow.task_id, listen=60.0, until="end"))
    assert ended.insights is not None
    assert "State not kept: the session moved on meanwhile." in ended.insights["info"]
    assert (await in_session("echo $x")).output == "quick\n"


async def test_a_session_keeps_its_shell(in_session: In, sidecar: Sidecar) -> None:
    await in_session("x=1", "bash")
    with pytest.raises(RequestRejected, match="began with bash"):
        await in_session("x=1", "zsh")
    by_itself = await in_session("echo ${BASH_VERSION:+bash}", shell=None)
    assert by_itself.output == "bash\n"
    with pytest.raises(RequestRejected, match="needs zsh or bash"):
        await sidecar.run(RunRequest(command=":", session="other", shell="sh"))


async def test_list_show_and_reset(sidecar: Sidecar, in_session: In) -> None:
    assert (await sidecar.sessions()).sessions == ()
    await in_session("API_TOKEN=hunter2hunter2; plain='two words'; f() { :; }; cd /")
    await in_session(":")
    [it] = (await sidecar.sessions()).sessions
    assert (it.session, it.shell, it.cwd, it.runs, it.functions) == ("s", "zsh", "/", 2, 1)
    assert it.variables == 2
    assert it.restored_ms is not None
    assert it.restored_ms >= 0
    held = {
        (one.kind, one.name): one.value for one in (await sidecar.sessions("show", "s")).held or ()
    }
    assert held["variable", "plain"] == "two words"
    assert "hunter2" not in str(held)
    assert held["directory", "directory"] == "/"
    with pytest.raises(InvalidRequest, match="Unknown session: nobody"):
        await sidecar.sessions("show", "nobody")
    assert (await sidecar.sessions("reset", "s")).sessions == ()
    assert (await in_session("echo ${plain-gone}")).output == "gone\n"


async def test_the_files_are_private_and_go_with_the_server(options: SidecarOptions) -> None:
    sidecar = await Sidecar.open(options)
    await sidecar.run(RunRequest(command="SECRET=1", session="s", yield_after=60))
    files = [it for it in options.places.runtime.rglob("*") if it.is_file()]
    assert files
    assert {stat.S_IMODE(it.stat().st_mode) for it in files} == {0o600}
    folders = [it for it in options.places.runtime.rglob("*") if it.is_dir()]
    assert {stat.S_IMODE(it.stat().st_mode) for it in folders} == {0o700}
    await sidecar.close()
    assert list(options.places.runtime.rglob("*")) == []


TEXT = """\
prefix=/tmp/x
cd /usr
f() { echo "f $prefix"; }
echo $prefix
f; pwd
"""


@pytest.fixture
async def document(sidecar: Sidecar, options: SidecarOptions) -> str:
    uri = Path(options.workspace or "", "a.zsh").as_uri()
    sidecar.open_document(uri, TEXT, "zsh", 1)
    return uri


def line_request(uri: str, line: int, **others: object) -> RunRequest:
    lines = TEXT.splitlines()
    start = sum(len(it) + 1 for it in lines[:line])
    where = DocumentRange(uri, Span(start, start + len(lines[line])), 1)
    given = {"yield_after": 60.0, **others}
    return RunRequest(command=lines[line], document=where, **given)  # type: ignore[arg-type]


async def test_lines_of_a_document_share_its_session(sidecar: Sidecar, document: str) -> None:
    first = await sidecar.run(line_request(document, 0))
    assert first.session == document
    second = await sidecar.run(line_request(document, 3, missing="ask"))
    assert second.output == "/tmp/x\n"


async def test_a_line_without_its_names_is_asked_about(sidecar: Sidecar, document: str) -> None:
    with pytest.raises(MissingNames) as asked:
        await sidecar.run(line_request(document, 4, missing="ask"))
    assert [(it.name, it.kind, it.line) for it in asked.value.missing] == [
        ("prefix", "variable", 0),
        ("/usr", "directory", 1),
        ("f", "function", 2),
    ]
    assert [TEXT[it.start : it.end] for it in asked.value.offer] == TEXT.splitlines()[:3]
    assert (await sidecar.tasks(include_ended=True)).count == 0


async def test_without_an_answer_it_runs_and_warns(sidecar: Sidecar, document: str) -> None:
    result = await sidecar.run(line_request(document, 3))
    assert result.insights is not None
    assert result.insights["warning"] == ["prefix given on line 1, not in this session."]
    alone = await sidecar.run(line_request(document, 3, missing="run"))
    assert "warning" not in (alone.insights or {})


async def test_what_gives_the_names_runs_first_as_one_run(sidecar: Sidecar, document: str) -> None:
    result = await sidecar.run(line_request(document, 4, missing="first"))
    assert result.output == "f /tmp/x\n/usr\n"
    assert (await sidecar.tasks(include_ended=True)).count == 2
    again = await sidecar.run(line_request(document, 4, missing="ask"))
    assert again.output == "f /tmp/x\n/usr\n"


async def test_where_one_of_them_fails_the_line_does_not_run(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    text = "x=$(exit 3)\ny=$x\necho $y\n"
    uri = Path(options.workspace or "", "b.zsh").as_uri()
    sidecar.open_document(uri, text, "zsh", 1)
    where = DocumentRange(uri, Span(17, 24), 1)
    request = RunRequest(command="echo $y", document=where, missing="first", yield_after=60)
    result = await sidecar.run(request)
    assert (result.exit, result.output) == (3, "")
    assert (await sidecar.tasks(include_ended=True)).count == 1


async def test_a_document_for_sh_has_no_session_and_is_asked_all_the_same(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    text = "#!/bin/sh\nx=1\necho $x\n"
    uri = Path(options.workspace or "", "c.sh").as_uri()
    sidecar.open_document(uri, text, "sh", 1)
    where = DocumentRange(uri, Span(14, 21), 1)

    async def run(missing: str) -> TaskResult:
        return await sidecar.run(
            RunRequest(command="echo $x", document=where, missing=missing, yield_after=60)  # type: ignore[arg-type]
        )

    with pytest.raises(MissingNames):
        await run("ask")
    first = await run("first")
    assert (first.output, first.session) == ("1\n", None)
    with pytest.raises(MissingNames):
        await run("ask")


async def test_a_function_of_a_sourced_file_is_given_by_the_line_that_sources_it(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    """Also by way of another file; what no file can give is no question, what an unknown one may give is."""
    folder = Path(options.workspace or "")
    (folder / "deep.sh").write_text("say() { echo said; }\n")
    (folder / "lib.sh").write_text('. "$(dirname "$0")/deep.sh"\n')
    text = '#!/bin/bash\nx=1\nsource "$(dirname "$0")/lib.sh";\nsay it\nsayy it\n'
    uri = (folder / "d.sh").as_uri()
    (folder / "d.sh").write_text(text)
    sidecar.open_document(uri, text, "shellscript", 1)

    async def run(command: str, missing: str) -> TaskResult:
        start = text.index(command)
        where = DocumentRange(uri, Span(start, start + len(command)), 1)
        return await sidecar.run(
            RunRequest(command=command, document=where, missing=missing, yield_after=60)  # type: ignore[arg-type]
        )

    with pytest.raises(MissingNames) as asked:
        await run("say it", "ask")
    assert [(it.name, it.kind, it.line) for it in asked.value.missing] == [("say", "function", 2)]
    [offer] = asked.value.offer
    assert text[offer.start : offer.end] == 'source "$(dirname "$0")/lib.sh"'
    assert (await run("sayy it", "ask")).exit == 127
    assert (await run("say it", "first")).output == "said\n"
    assert (await run("say it", "ask")).output == "said\n"
    (folder / "lib.sh").write_text('here=$(dirname "$0")\nsource "$here/deep.sh"\n')
    await sidecar.sessions("reset", uri)
    with pytest.raises(MissingNames) as asked:
        await run("sayy it", "ask")
    assert [(it.name, it.kind, it.line) for it in asked.value.missing] == [("sayy", "function", 2)]
    assert (await run("x=1", "ask")).exit == 0
    assert (await run("say it", "first")).output == "said\n"


@pytest.mark.parametrize("shell", ["zsh", "bash"])
async def test_the_exit_trap_of_a_sourced_file_keeps_the_state(
    in_session: In, tmp_path: Path, shell: str
) -> None:
    """SESS-1, RUN-4: it runs at the end of its own run, and nothing of ours stays behind."""
    library = tmp_path / "lib.sh"
    library.write_text("say() { echo said; }\ntrap 'echo trapped' EXIT\n")
    sourced = await in_session(f"x=1; . {library}", shell)
    assert sourced.output == "trapped\n"
    assert "State not kept" not in str(sourced.insights)
    assert (await in_session("say $x", shell)).output == "said\n"
    listing = "declare -F" if shell == "bash" else "print -l ${(k)functions}"
    assert "trap" not in (await in_session(listing, shell)).output


async def test_many_runs_at_once_lose_no_answer(in_session: In) -> None:
    results = await asyncio.gather(*(in_session(f"x={number}") for number in range(6)))
    assert [it.exit for it in results] == [0] * 6
    assert (await in_session("echo ${x+set}")).output == "set\n"

"""What `zsh-ls init` says and does at the prompt: real shells in a real terminal (tmux)."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import ROOT
from tests.cli.test_terminal import PLUGINS, RC
from tests.cli.tmux import Tmux
from tests.server.shared import wait_until
from zsh_ls.cli.terminal import SHELLS, text_for
from zsh_ls.shell.status import exit_codes

pytestmark = pytest.mark.slow

PROMPTS = {
    "zsh": "PS1='READY> '\n",
    "bash": "PS1='READY> '\n",
    "fish": "function fish_prompt; echo -n 'READY> '; end\nset -g fish_greeting\n",
}
OTHERS_KEY = {
    "zsh": "bindkey '^Xy' backward-kill-word",
    "bash": "bind '\"\\C-xy\": backward-kill-word'",
    "fish": "bind \\cxy backward-kill-word",
}
QUIET = {"zsh": "export ZSH_LS_QUIET=1", "bash": "export ZSH_LS_QUIET=1"} | {
    "fish": "set -gx ZSH_LS_QUIET 1"
}


class Prompt(Tmux):
    """A shell with the hook in its start-up file, in a terminal of its own."""

    def __init__(
        self,
        shell: str,
        home: Path,
        more: str = "",
        *,
        before: str = "",
        ctrl_r: bool = False,
        own_prompt: str | None = None,
    ) -> None:
        self._name = f"zsh-ls-{uuid.uuid4().hex}"
        programs = home / "bin"
        programs.mkdir(exist_ok=True)
        ours = programs / "zsh-ls"
        ours.write_text(f'#!/bin/sh\nexec {sys.executable} -m zsh_ls "$@"\n')
        ours.chmod(0o755)
        rc = home / RC[shell]
        rc.parent.mkdir(parents=True, exist_ok=True)
        prompt = PROMPTS[shell] if own_prompt is None else own_prompt
        rc.write_text(before + prompt + text_for(shell, ctrl_r=ctrl_r) + more + "\n")
        (home / ".local/share/fish/generated_completions").mkdir(parents=True, exist_ok=True)
        runtime = home / "runtime"
        runtime.mkdir(mode=0o700, exist_ok=True)
        self._env = {
            "HOME": str(home),
            "ZDOTDIR": str(home),
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "XDG_RUNTIME_DIR": str(runtime),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }
        project = home / "project"
        (project / ".git").mkdir(parents=True, exist_ok=True)
        size = ["-x", "100", "-y", "40"]
        self("-f", "/dev/null", "new-session", "-d", *size, "-c", str(project), shell, "-i")
        self.until("READY>")


Opener = Callable[..., Prompt]


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[Opener]:
    opened: list[Prompt] = []

    def open_one(shell: str, more: str = "", **options: Any) -> Prompt:
        if shutil.which(shell) is None:
            pytest.skip(f"no {shell} here")
        opened.append(Prompt(shell, tmp_path, more, **options))
        return opened[-1]

    yield open_one
    for terminal in opened:
        with contextlib.suppress(subprocess.CalledProcessError):  # a test may have ended it
            terminal.end()


def failing_tar(home: Path) -> None:
    """A `tar` that says its usage is wrong, and one that passes."""
    (home / "bin").mkdir()
    tar = home / "bin" / "tar"
    tar.write_text('#!/bin/sh\n[ "$1" = good ] || exit 64\n')
    tar.chmod(0o755)


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_a_third_usage_failure_in_a_row_is_news_and_nothing_else_is(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    terminal = prompt(shell)
    said = "tar: usage failed 3 times in a row here; ^Xy tells why"
    for word in ("one", "two", "good", "three", "four", "grep x /dev/null"):
        terminal.type(word if " " in word else f"tar {word}")
    terminal.type("echo so far $((1 + 1))" if shell != "fish" else "echo so far (math 1 + 1)")
    assert said not in terminal.until("so far 2\n")
    terminal.type("tar five")
    terminal.until(f"tar five\n{said}\nREADY>")
    dim = rf"\x1b\[(?:\d+;)*2m(?:\x1b\[\d+m)*{re.escape(said)}"
    assert re.search(dim, terminal("capture-pane", "-p", "-e"))
    terminal.type("tar six")
    terminal.type("echo then $((1 + 2))" if shell != "fish" else "echo then (math 1 + 2)")
    assert terminal.until("then 3\n").count(said) == 1


# PROMPT-1
@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_a_prompt_that_shows_its_commands_shows_none_of_ours(shell: str, prompt: Opener) -> None:
    """Sixty lines stood before each prompt."""
    terminal = prompt(shell)
    terminal.type("set -x")
    terminal.type("false | true; echo so far $((1 + 1))")
    shown = terminal.until("so far 2\nREADY>")
    assert "_zsh_ls" not in shown
    terminal.type("set +x; gti")
    terminal.until("gti: not found; git?")


# PROMPT-1
def test_a_failure_sets_off_an_err_trap_of_bash_once(prompt: Opener) -> None:
    terminal = prompt("bash")
    terminal.type("clear; trap 'echo trapped $((20 + 3))' ERR; set -E")
    terminal.type("(exit 3)")
    terminal.type("echo it was $?")
    assert terminal.until("it was 3\nREADY>").count("trapped 23") == 1


# PROMPT-1
@pytest.mark.parametrize("shell", [it for it in SHELLS if it != "fish"])
def test_with_pipefail_the_segment_that_failed_is_named(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    terminal.type("set -o pipefail")
    for _ in range(3):
        terminal.type("cat /nothing-is-here | head -n 1")
    terminal.until("cat: failed 3 times in a row here; ^Xy tells why")


# PROMPT-1
@pytest.mark.parametrize("control", ["ignoreboth", "ignoredups:ignorespace", "erasedups"])
def test_bash_tells_of_lines_that_its_history_holds_once(control: str, prompt: Opener) -> None:
    terminal = prompt("bash", f"HISTCONTROL={control}")
    for number in range(3):
        terminal.type("false || false")
        # Within a second erasedups makes of a repetition what a line that was not taken looks like.
        others = {"erasedups": f"echo between {number}"}
        terminal.type(others.get(control, " false || false"))
    terminal.until("false: failed 3 times in a row here; ^Xy tells why\nREADY>")
    terminal.type("clear; history | grep -c '^ *[0-9]*  false ||'")
    terminal.until("1\nREADY>")
    terminal.type("zsh-ls stats 'false || false'")
    terminal.until("3 runs  success 0%")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_a_name_that_is_near_is_offered_and_the_key_tells_why(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    terminal.type("gti status")
    terminal.until("gti: not found; git?\nREADY>")
    terminal("send-keys", "-l", "echo ty")
    terminal.until("READY> echo ty")
    terminal.press("C-x", "y")
    terminal.until("gti was not found; git is near.", "Exit 127: command not found.")
    terminal.until("here.\nREADY> echo ty")
    terminal.type("ped")
    terminal.until("\ntyped\n")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_a_short_name_is_taken_for_one_that_has_a_letter_more_or_swapped(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    """`tox` that is not installed is no slip of `toe`."""
    (tmp_path / "bin").mkdir()
    for name in ("qzi", "qzwv"):
        (tmp_path / "bin" / name).write_text("#!/bin/sh\n")
        (tmp_path / "bin" / name).chmod(0o755)
    terminal = prompt(shell)
    terminal.type("qzo; echo other")
    assert "not found;" not in terminal.until("\nother\nREADY>")
    terminal.type("qiz; qwv")
    terminal.until("qiz: not found; qzi?\nREADY>")
    terminal.type("clear; qwv")
    terminal.until("qwv: not found; qzwv?\nREADY>")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_what_zsh_ls_ran_is_remembered_once_and_the_key_tells_of_it(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    terminal = prompt(shell)
    for number in range(1, 5):
        terminal.type("zsh-ls run tar one")
        wait_until(lambda number=number: terminal.screen().count("exit=64]") == number)
    assert "in a row here" not in terminal.screen()
    terminal.press("C-x", "y")
    terminal.until("tar one failed with exit 64", "It failed 4 times in a row here")
    terminal.type("clear; zsh-ls stats tar one")
    assert "4 runs" in terminal.until("4 runs", "READY>")
    terminal.type("clear; zsh-ls history --json 'run tar'; echo no more")
    assert "run tar" not in terminal.until("no more\nREADY>")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    "line", ["zsh-ls run 'tar one; exit 3'", "time zsh-ls run tar one 2>&1", "{ours} run tar one"]
)
def test_what_zsh_ls_ran_is_known_however_it_was_called(
    shell: str, line: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    terminal = prompt(shell)
    terminal.type(f"cd {tmp_path}/bin; ln -s $PWD/zsh-ls ../zsh-ls; cd ..; clear")
    for number in range(1, 4):
        terminal.type(line.format(ours="./zsh-ls"))
        wait_until(lambda number=number: terminal.screen().count("[FAILED") == number)
    terminal.type("echo so far; clear; zsh-ls history --json 'run'; echo no more")
    assert "in a row here" not in terminal.screen()
    assert "run" not in terminal.until("no more\nREADY>").replace(line, "")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_the_key_says_that_what_came_last_did_not_fail(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    terminal.type("gti status")
    terminal.until("gti: not found; git?\nREADY>")
    terminal.type("echo fine")
    terminal.until("\nfine\nREADY>")
    terminal.press("C-x", "y")
    terminal.until("echo fine did not fail.", "Before it: gti was not found; git is near.")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_the_key_tells_what_a_search_without_a_match_hid(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    failing_tar(tmp_path)
    terminal = prompt(shell)
    terminal.type("gti status")
    terminal.until("gti: not found; git?\nREADY>")
    terminal.type("tar one | grep -c FAILED")
    terminal.until("\n0\nREADY>")
    terminal.press("C-x", "y")
    terminal.until("tar one | grep -c FAILED exited 1, and hid that tar failed.")
    terminal.type("zsh-ls run 'tar two | cat'")
    terminal.until("exit=0 pipestatus=[64,0]]", "READY>")
    terminal.press("C-x", "y")
    terminal.until("tar two | cat exited 0, and hid that tar failed.")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_the_key_tells_of_a_crash_and_not_of_what_was_stopped(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    terminal.type("gti status")
    terminal.until("gti: not found; git?\nREADY>")
    terminal.type("sh -c 'kill -SEGV $$'")
    terminal.until("egmentation" if shell != "fish" else "SIGSEGV")
    terminal.press("C-x", "y")
    terminal.until("failed with exit 139", "Exit 139: killed by SIGSEGV.")
    terminal.type("clear; echo fine")
    terminal.until("fine\nREADY>")
    for _ in range(3):
        terminal.type("sh -c 'kill -INT $$'")
    terminal.type("echo on")
    assert "in a row" not in terminal.until("\non\n")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_a_wrong_call_of_git_is_one_of_usage(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    for option in ("--one", "--two", "--three"):
        terminal.type(f"git {option} 2>/dev/null")
    terminal.until("git: usage failed 3 times in a row here; ^Xy tells why")
    terminal.press("C-x", "y")
    terminal.until("Exit 129: wrong usage.")


# PROMPT-1, ALAN-13
@pytest.mark.parametrize("shell", SHELLS)
def test_the_worktrees_of_a_repository_are_one_project(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    private = tmp_path / "project" / ".git" / "worktrees" / "other"
    private.mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / ".git").write_text(f"gitdir: {private}\n")
    terminal = prompt(shell)
    for folder in ("project", "other", "project"):
        terminal.type(f"cd {tmp_path}/{folder}")
        terminal.type("false")
    terminal.until("false: failed 3 times in a row here; ^Xy tells why")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_what_stands_in_quotes_is_no_command(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    for _ in range(3):
        terminal.type("sh -c 'true; exit 3' \"a | b\"")
    terminal.until("sh: failed 3 times in a row here; ^Xy tells why")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_the_key_tells_what_a_pipeline_hid(shell: str, prompt: Opener, tmp_path: Path) -> None:
    failing_tar(tmp_path)
    terminal = prompt(shell)
    terminal.type("gti status")
    terminal.until("gti: not found; git?\nREADY>")
    terminal.type("tar one | cat")
    terminal.until("tar one | cat\nREADY>")
    terminal.press("C-x", "y")
    terminal.until("tar one | cat exited 0, and hid that tar failed.")
    terminal.type("clear; echo clean")
    terminal.until("clean\nREADY>")
    terminal.type("grep x /dev/null | cat")
    terminal.until("grep x /dev/null | cat\nREADY>")
    terminal.press("C-x", "y")
    terminal.until("tar one | cat exited 0, and hid that tar failed.")


# PROMPT-1
@pytest.mark.parametrize("comes", ["first", "last"])
def test_the_word_and_the_key_work_beside_a_theme_and_plugins(
    comes: str, prompt: Opener, tmp_path: Path
) -> None:
    """Suggestions and highlighting wrap every widget, a theme draws the prompt in a hook of its own."""
    failing_tar(tmp_path)
    others = "".join(f"source {plugin}\n" for plugin in PLUGINS if "theme" not in plugin)
    others += "theme() { PS1='READY> ' }\nprecmd_functions+=(theme)\n"
    more, before = (others, "") if comes == "first" else ("", others)
    terminal = prompt("zsh", more, before=before)
    for word in ("one", "two", "three"):
        terminal.type(f"tar {word}")
    terminal.until("tar: usage failed 3 times in a row here; ^Xy tells why\nREADY>")
    terminal.type("gti status")
    terminal.until("gti: not found; git?\nREADY>")
    terminal("send-keys", "-l", "print ty")
    terminal.until("READY> print ty")
    terminal.press("C-x", "y")
    terminal.until("gti was not found; git is near.", "here.\nREADY> print ty")
    terminal.type("ped")
    terminal.until("\ntyped\n")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_a_key_that_is_bound_already_stays_what_it_is(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell, OTHERS_KEY[shell])
    for _ in range(3):
        terminal.type("false")
    terminal.until("false: failed 3 times in a row here; zsh-ls why tells why")
    terminal("send-keys", "-l", "echo kept gone")
    terminal.press("C-x", "y", "Enter")
    terminal.until("\nkept\n")
    terminal.type("zsh-ls why")
    terminal.until("false failed with exit 1", "It failed 3 times in a row here")


# PROMPT-1
@pytest.mark.parametrize("shell", SHELLS)
def test_quiet_says_nothing_and_learns(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell, QUIET[shell])
    terminal.type("gti status")
    for _ in range(3):
        terminal.type("false")
    terminal.type("zsh-ls stats false")
    shown = terminal.until("3 runs")
    assert "not found; git?" not in shown
    assert "in a row here" not in shown


def test_what_the_hooks_take_for_no_failure_is_what_the_table_says() -> None:
    # 141, of a pager that was left, is no failure of any program to them.
    normal = sorted(f"{it}:{status}" for it, status in exit_codes._NORMAL if status != 141)
    assert "141" in text_for("zsh", ctrl_r=False).split("(*:(130|")[1][:12]
    for shell in ("bash", "fish"):
        text = text_for(shell, ctrl_r=False)
        assert "*:141" in text, shell
        missing = [each for each in normal if each not in text]
        assert missing == (["[[:1"] if shell == "fish" else []), shell
    programs = "|".join(each.split(":")[0] for each in normal).replace("[", "\\[")
    zsh = text_for("zsh", ctrl_r=False)
    group = zsh[zsh.index("((grep|") + 2 :].split("):1)")[0]
    assert sorted(group.split("|")) == sorted(programs.split("|"))


def chosen(terminal: Prompt, word: str) -> None:
    """Look for a word in the list, and take what is found."""
    terminal.until("nothing is run")
    terminal("send-keys", "-l", word)
    terminal.until(f"> {word}▏  1 · ")
    terminal.press("Enter")


# PROMPT-2
@pytest.mark.parametrize("shell", SHELLS)
def test_a_line_of_history_stands_on_the_prompt_and_is_not_run(
    shell: str, prompt: Opener, tmp_path: Path
) -> None:
    terminal = prompt(shell)
    terminal.type("echo 'first  one'; touch ran")
    terminal.type("cd ..")
    terminal.type("rm project/ran; clear")
    terminal.type("zsh-ls history")
    chosen(terminal, "touch")
    terminal.until("READY> echo 'first  one'; touch ran")
    assert not list(tmp_path.rglob("ran"))
    terminal.press("Enter")
    terminal.until("\nfirst  one\n")
    terminal.until("READY>")
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("shell", ["zsh", "bash"])
def test_a_run_that_is_stopped_is_a_job_by_the_line_that_was_typed(
    shell: str, prompt: Opener
) -> None:
    terminal = prompt(shell)
    # It says that it runs; the line itself is typed in parts that are not on the screen as a whole.
    terminal.type("zsh-ls run 'echo be''gun; sleep 1000'")
    terminal.until("\nbegun\n")
    terminal.press("C-z")
    # What is typed before the line editor is back would be lost.
    terminal.until("gun; sleep 1000'\nREADY>")
    terminal.type("clear; jobs; kill %1")
    said = {"zsh": "[1]  + suspended  ", "bash": "[1]+  Stopped                 "}[shell]
    terminal.until(f"{said}zsh-ls run 'echo be''gun; sleep 1000'\n")


# PROMPT-2
@pytest.mark.parametrize("shell", SHELLS)
def test_to_leave_the_list_is_no_failure(shell: str, prompt: Opener) -> None:
    terminal = prompt(shell)
    terminal.type("zsh-ls history")
    terminal.until("nothing is run")
    terminal.press("Escape")
    terminal.until("READY>")
    terminal.type("echo it gave $status" if shell == "fish" else "echo it gave $?")
    terminal.until("it gave 0\n")


# PROMPT-2
@pytest.mark.parametrize("shell", SHELLS)
def test_ctrl_r_is_bound_if_asked_for_and_begins_with_what_was_typed(
    shell: str, prompt: Opener
) -> None:
    terminal = prompt(shell, ctrl_r=True)
    terminal.type("echo number $HOME")
    terminal.type("echo other")
    terminal.type("clear")
    terminal("send-keys", "-l", "numb")
    terminal.until("READY> numb")
    terminal.press("C-r")
    terminal.until("> numb▏  1 · ")
    terminal.press("Enter")
    terminal.until("READY> echo number $HOME")
    terminal.press("C-r")
    terminal.until("> echo number $HOME▏  1 · ")
    terminal.press("Escape")
    terminal.until("READY> echo number $HOME")


# PROMPT-2
@pytest.mark.parametrize("shell", SHELLS)
def test_the_list_ends_with_its_terminal(shell: str, prompt: Opener, tmp_path: Path) -> None:
    terminal = prompt(shell)
    ours = tmp_path / "bin" / "zsh-ls"
    ours.write_text(ours.read_text().replace("exec ", f"echo $$ > {tmp_path}/pid\nexec "))
    terminal.type("zsh-ls history")
    terminal.until("nothing is run")
    process = int((tmp_path / "pid").read_text())
    assert Path(f"/proc/{process}").exists()
    terminal("kill-session")
    wait_until(lambda: not Path(f"/proc/{process}").exists())

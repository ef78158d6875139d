"""What a person sees of the plugin, on the screen of each real Neovim."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.screen import Screen, wait_until

from .neovim import VERSIONS, Neovim, neovim

pytestmark = [pytest.mark.slow, pytest.mark.real_editor]

SCRIPT = """\
#!/usr/bin/env zsh
greet() {
  local name=$(false) || return
  print hello
}
print one | grep -q two
cat <<END | tr a-z A-Z
some text
END
"""


@pytest.fixture(params=VERSIONS)
def editor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Neovim]:
    with neovim(request.param, tmp_path) as found:
        found.environment.write("demo.zsh", SCRIPT)
        yield found


def test_insights_lenses_and_hints_stand_at_their_lines(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows(r"local name=\$\(false\).* the exit of 'false' is lost")
        screen.shows("▷ run | ▷ trace")
        screen.type("\\t")
        screen.shows(r"grep -q two +✗ 1 · \d+ms +■ grep exit 1 = no match")
        screen.shows(r"tr a-z A-Z +✓ \d+m?s")


def test_the_lens_of_the_first_line_is_seen_whenever_that_line_is(tmp_path: Path) -> None:
    """Before 0.12 it stands behind the line."""
    with neovim("0.12", tmp_path) as editor:
        long = "".join(f"make x{at} | cat\n" for at in range(100))
        editor.environment.write("long.sh", f"#!/bin/sh\nset -e\n{long}")
        with editor.shown("+60", "long.sh") as screen:
            screen.shows("make x58")
            for _ in range(2):
                screen.type("gg")
                screen.shows(r"^\W*▷ run \| ▷ trace \| ▷ rehearse \| \d+ of \d+ can fail unnoticed")
                screen.type("G")
                screen.lacks("▷ run")
            screen.type("gg")
            screen.shows("▷ run")
            screen.press("C-e")
            screen.lacks("▷ run")


def test_a_key_that_is_pressed_before_the_server_runs_is_heard(editor: Neovim) -> None:
    """It says so, and runs the line once the server is there."""
    home = editor.environment.home
    program = home / "bin/zsh-ls"
    program.rename(home / "bin/real")
    program.write_text(
        f'#!/bin/sh\nuntil [ -e {home}/go ]; do sleep 0.1; done\nexec {home}/bin/real "$@"\n'
    )
    program.chmod(0o755)
    with editor.shown("demo.zsh") as screen:
        screen.shows(r"greet\(\) \{")
        screen.type("7G\\rr")
        screen.shows("zsh-ls: the server is starting; then it runs")
        (home / "go").touch()
        screen.shows(r"tr a-z A-Z +✓ \d+\.\ds")
        screen.shows("^SOME TEXT$")


def test_output_comes_in_colour_below_the_script(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(r":ZshRun print 'now \e[31min red\e[0m'")
        screen.press("Enter")
        screen.shows("^now in red$")
        screen.shows(r"^\[COMPLETED task_id=\w{8} elapsed=")
        assert re.search(r"now \x1b\[(38;[0-9;]*|31)min red", screen.text(styled=True))
        screen.shows(r"greet\(\) \{")


def test_the_output_is_followed_while_it_comes(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(":ZshRun! for i in {1..60}; do print line $i; done; read it; print last $it")
        screen.press("Enter")
        screen.shows("^line 60$")
        screen.lacks("^line 1$")
        screen.shows(r"zsh-ls: .* running \d")
        screen.shows("TERMINAL")  # what waits for words has the keyboard
        screen.press("C-\\", "C-n")
        screen.type(":ZshSend words")
        screen.press("Enter")
        screen.shows("^last words$")
        screen.shows(r"zsh-ls: .* ✓ \d")


def test_keys_typed_in_the_output_reach_the_task(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(":ZshRun! print ready; read it; print got $it")
        screen.press("Enter")
        screen.shows("^ready$")
        screen.shows("TERMINAL")
        screen.type("typed")
        screen.press("Enter")
        screen.shows("^got typed$")


def test_keys_meant_for_the_script_stay_there_when_a_task_asks(editor: Neovim) -> None:
    """Who has typed since the run began is told of a question, and goes to it when they like."""
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(
            ":ZshRun! print begun; until [[ -e go ]]; do sleep 0.1; done; read it; print got $it"
        )
        screen.press("Enter")
        screen.shows("^begun$")
        screen.type("j")
        editor.environment.write("go", "")
        screen.shows("waits for input: :ZshSend")
        screen.type("dd")
        screen.lacks(r"greet\(\) \{")
        screen.lacks("TERMINAL")
        screen.press("C-w", "j")
        screen.type("iword")
        screen.press("Enter")
        screen.shows("^got word$")


def test_ctrl_c_in_the_output_interrupts_a_task_as_in_a_terminal(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(":ZshRun! trap 'print caught; exit 3' INT; print ready; read it")
        screen.press("Enter")
        screen.shows("^ready$")
        _interrupt(screen)
        screen.shows("caught$")
        screen.shows(r"^\[FAILED task_id=\w+ .*exit=3")


def test_ctrl_c_in_the_output_ends_a_task_that_has_no_terminal(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(":ZshRun print ready; sleep 300")
        screen.press("Enter")
        screen.shows("^ready$")
        _interrupt(screen)
        screen.shows(r"^\[KILLED task_id=")


def _interrupt(screen: Screen) -> None:
    """Ctrl-C, typed into the window below."""
    screen.press("C-w", "j")
    screen.type("i")
    screen.shows("TERMINAL")
    screen.press("C-c")


def test_completion_of_the_editor_offers_programs_and_variables(editor: Neovim) -> None:
    editor.environment.write("words.zsh", "spelled_out=1\nprint $spell\n")
    with editor.shown("words.zsh") as screen:
        screen.shows("▷ run")
        screen.type("jA")
        screen.press("C-x", "C-o")
        screen.shows(r"print \$spelled_out")


def test_two_editors_share_what_is_remembered(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as one, editor.shown("demo.zsh") as other:
        one.shows("▷ run")
        other.shows("▷ run")
        one.type(":ZshRun ls /nowhere-at-all")
        one.press("Enter")
        one.shows(r"^\[FAILED")
        other.type(":ZshAsk what failed last?")
        other.press("Enter")
        other.shows("nowhere-at-all")
        other.lacks(r"^\[FAILED")


def test_an_editor_that_is_left_leaves_no_task_behind(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(":ZshRun print pid $$; sleep 300")
        screen.press("Enter")
        pid = int(screen.shows(r"^pid (\d+)$")[1])
        screen.type(":qa!")
        screen.press("Enter")
        screen.ends()
        wait_until(lambda: not Path(f"/proc/{pid}").exists())


def test_a_lens_is_run_by_a_key_of_the_persons_own(editor: Neovim) -> None:
    editor.environment.write("lens.zsh", "#!/bin/zsh\nprint run by itself\n")
    with editor.shown("lens.zsh") as screen:
        screen.shows("▷ run")
        screen.type("\\l")
        screen.shows("1: ▷ run")
        screen.type("1")
        screen.press("Enter")
        screen.shows("^run by itself$")


def test_a_run_leaves_its_result_behind_its_line(editor: Neovim) -> None:
    editor.environment.write("result.zsh", "#!/bin/zsh\nprint one two\n")
    with editor.shown("result.zsh") as screen:
        screen.shows("▷ run")
        screen.type("j\\rr")
        screen.shows("^one two$")
        screen.shows(r"print one two +✓ \d+\.\ds")


def test_a_selection_is_run_by_a_key_of_the_persons_own(editor: Neovim) -> None:
    editor.environment.write("lines.zsh", "print first; print second\n")
    with editor.shown("lines.zsh") as screen:
        screen.shows("▷ run")
        screen.type("vf;h\\r")
        screen.shows("^first$")
        screen.lacks("^second$")


def test_answers_keep_their_brackets(editor: Neovim) -> None:
    editor.environment.write("ls.zsh", "ls -l | wc\n")
    with editor.shown("ls.zsh") as screen:
        screen.shows("▷ run")
        screen.type("K")
        screen.shows(r"\[SUMMARY\]")
        screen.lacks("`")
        screen.press("Escape")
        screen.type(":ZshAsk how much memory is free?")
        screen.press("Enter")
        screen.shows(r"\[SUMMARY\][\s\S]*[Mm]emory")


def test_output_in_a_float_lies_over_the_script(editor: Neovim) -> None:
    with editor.shown(
        "--cmd", "let g:zsh_ls = {'output': {'window': 'float'}}", "demo.zsh"
    ) as screen:
        screen.shows("▷ run")
        screen.type(":ZshRun print floating")
        screen.press("Enter")
        screen.shows("╭.* zsh-ls .*╮")
        screen.shows("│floating +│")


def test_without_a_server_it_says_what_to_do(editor: Neovim) -> None:
    (editor.environment.home / "bin/zsh-ls").unlink()
    with editor.shown("demo.zsh") as screen:
        screen.shows("pipx install zsh-ls")


def test_the_health_check_is_there(editor: Neovim) -> None:
    with editor.shown("demo.zsh") as screen:
        screen.shows("▷ run")
        screen.type(":checkhealth zsh_ls")
        screen.press("Enter")
        screen.shows("OK version .* is healthy")

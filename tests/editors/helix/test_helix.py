"""What a person sees in Helix, by the keys they press."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.editors.environment import EditorEnvironment
from tests.editors.screen import Screen

pytestmark = [pytest.mark.slow, pytest.mark.real_editor]

SCRIPT = "#!/bin/zsh\necho test | grep nope\nmake test | tee test.log\n"
Opened = Callable[[str], Screen]


def test_helix_finds_the_server_by_the_configuration(
    environment: EditorEnvironment, program: Path
) -> None:
    asked = [str(program), "--health", "bash"]
    done = subprocess.run(asked, env=environment.env, capture_output=True, text=True, check=True)
    assert re.search(rf"✓\S* zsh-ls: \S*{environment.home}/bin/zsh-ls", done.stdout)


def test_what_a_script_gets_wrong_stands_at_the_end_of_its_line(helix: Opened) -> None:
    screen = helix(SCRIPT)
    screen.shows(r"make test \| tee test.log  a failure of 'make test' is lost")
    screen.shows(r"● 1 ")


def test_a_line_that_is_run_says_how_it_went_where_it_stands(helix: Opened) -> None:
    screen = helix(SCRIPT)
    screen.shows(r"is lost")
    screen.type("j")
    screen.type(" a")
    screen.shows(r"Run this line")
    screen.press("Enter")
    screen.shows(r"\[FAILED task_id=[0-9a-f]{8} elapsed=\S+ exit=1 pipestatus=\[0,1\]\]")
    screen.press("g", "g")
    # Its result stands there first, or comes a moment later.
    screen.shows(r"echo test \| grep nope( ○ 1 · \S+)?  grep exit 1 = no match \(normal\)")


def test_a_selection_is_run_as_it_is(helix: Opened) -> None:
    screen = helix("#!/bin/zsh\nprint one; print two\n")
    screen.type("jtlx a")
    screen.shows(r"Run the selection")
    screen.press("Enter")
    screen.shows(r"\[COMPLETED task_id=")


def test_hover_tells_what_a_line_does_and_what_its_exit_means(helix: Opened) -> None:
    screen = helix(SCRIPT)
    screen.type("j")
    screen.type(" k")
    screen.shows(r"\[SUMMARY\]")
    screen.shows(r"- 1: no match, no failure")


def test_the_memory_stands_on_the_line_as_a_hint(
    helix: Opened, environment: EditorEnvironment
) -> None:
    for _ in range(3):
        subprocess.run(
            ["zsh-ls", "run", "ls nowhere"],
            env=environment.env,
            cwd=environment.project,
            check=False,
        )
    screen = helix("#!/bin/zsh\nls nowhere\n")
    # Helix asks for hints once nobody has typed for a moment. If the server came after that moment of
    # its start, it asks again only behind the next key.
    screen.type("j")
    screen.shows(r"^ +2  ls nowhere 0% of 3")


def test_flags_are_completed_with_what_they_do(helix: Opened) -> None:
    screen = helix("#!/bin/zsh\n\n")
    screen.type("jils --human")
    # Helix asks once while one types, and the server may just be starting: C-x asks again.
    screen.shows(r"--human-readable", pressing="C-x")
    screen.press("C-n", "Enter", "Escape")
    screen.shows(r"^ +2  ls --human-readable")


def test_a_fix_is_chosen_from_the_menu(helix: Opened) -> None:
    screen = helix("#!/bin/bash\nf() {\n  local a=$(b) || return\n  echo $a\n}\nf\n")
    screen.shows(r"local a=\$\(b\) \|\| return  \S")
    screen.type("2j")
    screen.type(" a")
    screen.shows(r"Declare first, assign then")
    screen.press("Enter")
    screen.shows(r"^ +3    local a=; a=\$\(b\) \|\| return")


def test_a_zshrc_is_zsh_though_helix_calls_it_bash(helix: Opened) -> None:
    screen = helix("true | false\nprint $PIPESTATUS\n")
    screen.shows(r"print \$PIPESTATUS  .*pipestatus")


def test_settings_reach_the_server(helix: Opened, environment: EditorEnvironment) -> None:
    with (environment.home / ".config/helix/languages.toml").open("a") as languages:
        languages.write("\n[language-server.zsh-ls.config]\ntrusted = false\n")
    screen = helix(SCRIPT)
    screen.type("j")
    screen.type(" a")
    screen.shows(r"Explain this command")
    assert "Run this line" not in screen.text()


def test_a_function_is_renamed_wherever_it_is_called(helix: Opened) -> None:
    screen = helix("#!/bin/zsh\nbuild() { print b }\nbuild\n")
    screen.type("j")
    screen.type(" r")
    screen.shows(r"^rename-to:build")
    screen.press("C-u")
    screen.type("make_it")
    screen.press("Enter")
    screen.shows(r"^ +2  make_it\(\)")
    screen.shows(r"^ +3  make_it$")

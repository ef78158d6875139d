"""zsh-ls in Emacs through Eglot: the tests of zsh-ls-tests.el, and what a person sees."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.editors.environment import EDITORS, ROOT, EditorEnvironment
from tests.editors.screen import Screen
from tools.releasing.names import NAMES as PUBLISHED

from .conftest import HERE, Batch

pytestmark = [pytest.mark.slow, pytest.mark.real_editor]

SCRIPT = "#!/bin/zsh\necho test | grep nope\nls nowhere\n"
TESTS = HERE / "zsh-ls-tests.el"
NAMES = re.findall(r"^\(ert-deftest (\S+)", TESTS.read_text(), re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_in_batch(batch: Batch, name: str) -> None:
    chosen = f"(ert-run-tests-batch-and-exit '{name})"
    done = batch("-l", str(TESTS), "--eval", chosen)
    assert done.returncode == 0, done.stderr
    assert "Ran 1 tests, 1 results as expected" in done.stderr


def test_the_package_compiles_and_is_documented_without_a_warning(
    batch: Batch, environment: EditorEnvironment
) -> None:
    copy = str(shutil.copy(EDITORS / "emacs/zsh-ls.el", environment.project))
    strict = "(setq byte-compile-error-on-warn t)"
    done = batch("--eval", strict, "-f", "batch-byte-compile", copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert batch("--eval", f'(checkdoc-file "{copy}")').stderr == ""


# What a person's Emacs says of the script of the project, once zsh-ls is installed.
TELL = """(progn
  (require 'eglot)
  (setq eglot-sync-connect 10)
  (find-file "script.zsh")
  (call-interactively 'eglot)
  (while (not (flymake-diagnostics)) (flymake-start) (accept-process-output nil 0.1))
  (dolist (it (flymake-diagnostics)) (message "%s" (flymake-diagnostic-text it)))
  (message "commands: %s" (commandp 'zsh-ls-run-line)))"""


def test_it_is_installed_as_a_file(batch: Batch, environment: EditorEnvironment) -> None:
    environment.write("script.zsh", "#!/bin/zsh\nmake test | tee log\n")
    file = EDITORS / "emacs/zsh-ls.el"
    start = ("--eval", "(progn (require 'package) (package-initialize))")
    no_checkout = ("--eval", "(setq load-path (cdr load-path))")
    install = ("--eval", f'(package-install-file "{file}")')
    assert batch(*no_checkout, *start, *install).returncode == 0
    done = batch(*no_checkout, *start, "--eval", TELL)
    assert "a failure of 'make test' is lost" in done.stderr
    assert "commands: t" in done.stderr


def test_it_is_fetched_by_the_line_of_the_page(
    emacs: tuple[list[str], dict[str, str]], environment: EditorEnvironment
) -> None:
    command, env = emacs
    published = environment.home / "published"
    # Without the lock of an Emacs that has it open in another test.
    locks = shutil.ignore_patterns(".#*")
    shutil.copytree(EDITORS / "emacs", published / "editors/emacs", ignore=locks)
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        author = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *author, *words], cwd=published, check=True)
    page = (EDITORS / "emacs/README.md").read_text()
    (line,) = re.findall(r"^:vc .*$", page, re.MULTILINE)
    init = (EDITORS / "emacs/init.el").read_text()
    mine = environment.write("init.el", re.sub(r":load-path .*", line, init))
    environment.write("script.zsh", "#!/bin/zsh\nmake test | tee log\n")
    found_at = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{published}.insteadOf",
        "GIT_CONFIG_VALUE_0": PUBLISHED["repository"],
    }
    done = subprocess.run(
        [*command, "--batch", "-l", str(mine), "--eval", TELL],
        env={**env, **found_at},
        cwd=environment.project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "a failure of 'make test' is lost" in done.stderr, done.stderr
    assert "commands: t" in done.stderr


@pytest.fixture
def screen(
    emacs: tuple[list[str], dict[str, str]], environment: EditorEnvironment
) -> Iterator[Screen]:
    """Emacs with the configuration of the page, in a script."""
    command, env = emacs
    (environment.home / "src").mkdir()
    (environment.home / "src/zsh-ls").symlink_to(ROOT)
    for _ in range(3):
        subprocess.run(
            ["zsh-ls", "run", "ls nowhere"], env=env, cwd=environment.project, check=False
        )
    script = environment.write("script.zsh", SCRIPT)
    whole = [*command, "-l", str(EDITORS / "emacs/init.el"), str(script)]
    found = Screen(whole, env, environment.project)
    found.shows(r"\[eglot:project\]")
    yield found
    found.close()


def test_a_run_opens_a_window_below_and_the_line_says_what_its_exit_means(screen: Screen) -> None:
    screen.press("M-g", "g")
    screen.type("2")
    screen.press("Enter", "C-c", "r")
    screen.shows(r"^\[FAILED task_id=[0-9a-f]{8} elapsed=\S+ exit=1 pipestatus=\[0,1\]\]")
    screen.shows(r"^! echo test")
    screen.press("C-e", "C-b")
    screen.shows(r"^zsh-ls \[grep-no-match\]: grep exit 1 = no match")


def test_the_memory_is_seen_on_the_line(screen: Screen) -> None:
    screen.shows(r"^ *ls nowhere 0% of 3")


def test_a_script_that_ran_tells_of_each_line_how_it_went(screen: Screen) -> None:
    screen.press("M-x")
    screen.shows("^M-x")
    screen.type("zsh-ls-run-script")
    screen.press("Enter")
    screen.shows(r"^. echo test \| grep nope ✗ 1 · \d+ms")
    screen.shows(r"^..ls nowhere ✗ 2 · \d+ms 0% of 3")


def test_where_the_cursor_stands_the_command_is_described(screen: Screen) -> None:
    screen.press("M-g", "g")
    screen.type("2")
    screen.press("Enter", "M-x")
    screen.shows("^M-x")
    screen.type("eldoc")
    screen.press("Enter")
    screen.shows(r"\[SUMMARY\]")
    screen.shows(r"1: no match, no failure")


def leave_unsaved(screen: Screen) -> None:
    """Tell Emacs to end without saving script.zsh."""
    screen.press("C-x", "C-c")
    screen.shows(r"Save file .*script.zsh")
    screen.type("n")
    screen.shows("Modified buffers exist")
    screen.type("yes")
    screen.press("Enter")


def test_a_script_asks_and_is_answered_and_emacs_asks_before_it_ends_one(screen: Screen) -> None:
    screen.press("M->")
    screen.type('read "a?Continue? "; print "got <$a>"; sleep 1000')
    screen.press("Enter", "M-x")
    screen.shows("^M-x")
    screen.type("zsh-ls-run-script")
    screen.press("Enter")
    screen.shows(r"^Continue\?")
    screen.press("M-x")
    screen.shows("^M-x")
    screen.type("zsh-ls-send")
    screen.press("Enter")
    screen.shows("Input:")
    screen.type("yes please")
    screen.press("Enter")
    screen.shows("got <yes please>")
    leave_unsaved(screen)
    screen.shows(r"Running: .*script.zsh; end it and ex")  # a long path breaks the line here
    screen.type("no")
    screen.press("Enter")
    screen.lacks("exit Emacs")
    screen.press("M-x")
    screen.shows("^M-x")
    screen.type("zsh-ls-stop")
    screen.press("Enter")
    screen.shows(r"KILLED task_id=")
    leave_unsaved(screen)
    screen.ends()

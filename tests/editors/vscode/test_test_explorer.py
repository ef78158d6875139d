"""Files of bats, zunit and shellspec in VS Code's Test Explorer: listed, run, told by test."""

from __future__ import annotations

import re

from .studio import REAL_EDITOR, Studio
from .workbench import expect

pytestmark = REAL_EDITOR

BATS = """\
#!/usr/bin/env bats
@test "one + 1" {
  true
}

@test "it's two" {
  false
}

@test "later" {
  skip "not yet"
}
"""
ZUNIT = "#!/usr/bin/env zunit\n@test 'in zsh' {\n  assert 1 equals 1\n}\n"
EXAMPLE = "  It 'adds'\n    When call true\n  End\n"
SPEC = f"Describe 'calc'\n{EXAMPLE}{EXAMPLE}End\n"  # names may be the same


async def test_tests_are_listed_run_and_told_one_by_one(studio: Studio) -> None:
    path = await studio.show("sum.bats", BATS)
    await studio.host.ask("command", "workbench.view.testing.focus")
    row = studio.screen.test_row
    await expect(row("sum.bats")).to_be_visible()
    await studio.host.ask("command", "testing.runCurrentFile")
    await expect(row("sum.bats")).to_have_attribute("aria-label", re.compile("Failed"))
    await studio.screen.unfold_test("sum.bats")
    for name, outcome in (("one + 1", "Passed"), ("it's two", "Failed"), ("later", "Skipped")):
        await expect(row(name)).to_have_attribute("aria-label", re.compile(outcome))
    assert "bats" in (await studio.host.ask("command", "zsh-ls.ask", "what failed last"))["text"]
    await studio.host.ask("open", path)
    await studio.host.ask("replace", path, [[6, 2], [6, 7]], "true")
    await studio.host.ask("command", "workbench.action.files.saveAll")
    await row("it's two").hover()
    await row("it's two").get_by_role("button", name=re.compile("Run Test")).click()
    await expect(row("it's two")).to_have_attribute("aria-label", re.compile("Passed"))


async def test_a_runner_runs_in_the_project_of_the_file(studio: Studio) -> None:
    """A folder of the workspace has a project of its own, and its own runner."""
    own = studio.environment.project / "inner"
    (own / "spec").mkdir(parents=True)
    (own / ".shellspec").touch()
    runner = studio.environment.write(
        "inner/shellspec", '#!/bin/sh\nprintf "1..1\\nok 1 - calc adds\\n"; pwd >ran-in\n'
    )
    runner.chmod(0o755)
    text = "Describe 'calc'\n  It 'adds'\n    When call true\n  End\nEnd\n"
    await studio.show("inner/spec/in_spec.sh", text)
    await studio.host.ask("command", "workbench.view.testing.focus")
    row = studio.screen.test_row
    await studio.screen.unfold_test("inner/spec/in_spec.sh")
    await expect(row("calc")).to_be_visible()
    await row("inner/spec/in_spec.sh").hover()
    await row("inner/spec/in_spec.sh").get_by_role("button", name=re.compile("Run Test")).click()
    await expect(row("inner/spec/in_spec.sh")).to_have_attribute("aria-label", re.compile("Passed"))
    assert (own / "ran-in").read_text() == f"{own}\n"


async def test_a_runner_that_is_not_installed_is_named(studio: Studio) -> None:
    await studio.show("a_spec.sh", SPEC)
    await studio.show("b.zunit", ZUNIT)
    await studio.host.ask("command", "workbench.view.testing.focus")
    row = studio.screen.test_row
    await studio.screen.unfold_test("a_spec.sh")
    await studio.screen.unfold_test("b.zunit")
    await expect(row("calc")).to_be_visible()
    await studio.screen.unfold_test("calc")
    await expect(studio.screen.tests("adds")).to_have_count(2)
    await expect(row("in zsh")).to_be_visible()
    await row("in zsh").hover()
    await row("in zsh").get_by_role("button", name=re.compile("Run Test")).click()
    await expect(row("in zsh")).to_have_attribute("aria-label", re.compile("Errored"))
    await expect(studio.screen.page.locator("body")).to_contain_text("zunit is not installed")


async def test_why_a_runner_ran_no_test_is_said_once_in_its_last_words(studio: Studio) -> None:
    """As zunit says it of a file without its shebang."""
    own = studio.environment.project / "without-shebang"
    own.mkdir()
    said = "TAP version 13\nFile is not a valid zunit test file"
    runner = studio.environment.write(
        "without-shebang/zunit", f"#!/bin/sh\necho '{said}'; exit 1\n"
    )
    runner.chmod(0o755)
    await studio.show("without-shebang/c.zunit", "@test 'never ran' {\n  assert 1 equals 1\n}\n")
    await studio.host.ask("command", "workbench.view.testing.focus")
    row, name = studio.screen.test_row, "without-shebang/c.zunit"
    await studio.screen.unfold_test(name)
    await row(name).hover()
    await row(name).get_by_role("button", name=re.compile("Run Test")).click()
    await expect(row(name)).to_have_attribute("aria-label", re.compile("Errored"))
    await expect(row("never ran")).to_have_attribute("aria-label", re.compile("Skipped"))
    told = studio.screen.page.locator(".panel .monaco-list-row", has_text=name)
    await expect(told.first).to_contain_text("File is not a valid zunit test file")

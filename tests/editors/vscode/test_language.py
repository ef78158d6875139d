"""What VS Code offers while one writes: files, targets, links, the manual, formatting, embedded shell."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from .studio import REAL_EDITOR, Studio
from .workbench import PATIENCE_MS, expect

pytestmark = REAL_EDITOR

MAKEFILE = "deploy:\n\t@echo deploying\nbuild:\n\t@echo building\n"
NOTES = "# Notes\n\n```zsh\nword=hello\n```\n\n```zsh\nprint $word from markdown\n```\n"


async def labels(studio: Studio, path: str, line: int, column: int) -> list[str]:
    """What is offered at a place, once something is."""
    found: list[str] = await studio.host.until("completions", path, [line, column])
    return found


async def test_arguments_are_completed_from_the_projects_files(studio: Studio) -> None:
    studio.environment.write("Makefile", MAKEFILE)
    studio.environment.write("justfile", "release:\n  echo it\n")
    studio.environment.write("package.json", '{"scripts": {"lint": "true"}}')
    head = studio.environment.project / ".git/refs/heads"
    head.mkdir(parents=True, exist_ok=True)
    (studio.environment.project / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (head / "topic-1").write_text("0" * 40 + "\n")
    lines = ["make ", "just ", "npm run ", "git switch ", "cat Make", "whil", "until", "print *("]
    wanted = ["deploy", "release", "lint", "topic-1", "Makefile", "while", "until …", "."]
    path = await studio.show("args.zsh", "\n".join(["#!/bin/zsh", *lines]) + "\n")
    for at, (line, label) in enumerate(zip(lines, wanted, strict=True)):
        found = await labels(studio, path, at + 1, len(line))
        assert any(it.startswith(label) for it in found), (line, found[:20])


async def test_suggestions_pop_up_in_arguments_while_one_types(studio: Studio) -> None:
    studio.environment.write("Makefile", MAKEFILE)
    await studio.show("popup.zsh", "#!/bin/zsh\nmake\n")
    await studio.screen.go_to(2, 5)
    await studio.screen.page.keyboard.type(" ", delay=100)
    rows = studio.screen.page.locator(".suggest-widget.visible .monaco-list-row")
    await expect(rows.filter(has_text="deploy").first).to_be_visible()


async def test_a_sourced_file_is_linked_and_its_names_are_found(studio: Studio) -> None:
    library = studio.environment.write("lib.zsh", "greet() { print hi; }\n")
    for opening in ('"$(dirname "$0")/lib.zsh"', "${0:A:h}/lib.zsh", "${0%/*}/lib.zsh"):
        path = await studio.show("uses.zsh", f"#!/bin/zsh\nsource {opening}\ngreet\n")
        links = await studio.host.until("links_of", path)
        assert [it for _, it in links] == [str(library)], opening
        assert await studio.host.until("definition", path, [2, 1]) == [[str(library), 0]]
        await studio.host.ask("command", "workbench.action.closeActiveEditor")
    found = await studio.host.until("workspace_symbols", "greet")
    assert ["greet", str(library)] in found


async def test_a_file_of_zunit_is_a_script_of_zsh(studio: Studio) -> None:
    text = "#!/usr/bin/env zunit\n@test 'one' {\n  local a=$(false) || return\n}\n"
    path = str(studio.environment.write("one.zunit", text))
    assert (await studio.host.ask("open", path))["language"] == "shellscript"
    told = " ".join(await studio.host.until("hover", path, [2, 3]))
    assert "local" in told


async def test_an_autoloaded_function_leads_to_its_file(studio: Studio) -> None:
    (studio.environment.project / "functions").mkdir()
    file = studio.environment.write("functions/hail", "print hello $1\n")
    opening = '#!/bin/zsh\nfpath=("${0:A:h}/functions" $fpath)\nautoload -Uz hail\n'
    path = await studio.show("loads.zsh", f"{opening}hail friend\n")
    assert await studio.host.until("definition", path, [3, 1]) == [[str(file), 0]]


async def test_zsh_explains_itself_where_one_points(studio: Studio) -> None:
    styled = "zstyle ':completion:*' menu select"
    text = f"#!/bin/zsh\nsetopt extended_glob\nprint $pipestatus ${{(U)name}}\n{styled}\n"
    path = await studio.show("manual.zsh", text)
    for place, said in (
        ([1, 10], "EXTENDED_GLOB"),
        ([2, 10], "pipestatus"),
        ([2, 21], "upper"),
        ([3, 2], "zstyle"),
    ):
        told = " ".join(await studio.host.until("hover", path, place))
        assert said.lower() in told.lower(), (place, told[:300])


async def test_a_name_is_changed_everywhere_in_its_script(studio: Studio) -> None:
    """By the key and the box of the editor."""
    path = await studio.show("names.zsh", "#!/bin/zsh\nold() { print $1; }\nold a\nold b\n")
    await studio.host.until("symbols", path)
    await studio.screen.go_to(3, 2)
    box = studio.screen.page.locator(".rename-box input.rename-input")
    await studio.screen.page.keyboard.press("F2")
    await expect(box).to_be_visible()
    await box.fill("newer")
    await studio.screen.page.keyboard.press("Enter")
    text = await studio.host.until("text", path, holds=lambda it: "old" not in it)
    assert text.count("newer") == 3


async def test_a_script_is_formatted_by_shfmt(studio: Studio) -> None:
    """The program is found when the server starts."""
    program = studio.environment.home / "bin/shfmt"
    if not program.exists():
        program.symlink_to(Path(sys.executable).parent / "shfmt")
    path = await studio.show("untidy.sh", "#!/bin/sh\nif true;then\necho   a\nfi\n")
    await studio.host.ask("command", "zsh-ls.restart")
    await studio.host.until("formatted", path)
    assert await studio.host.ask("text", path) == "#!/bin/sh\nif true; then\n    echo a\nfi\n"
    path = await studio.show("half.sh", "#!/bin/sh\necho   a\necho   b\n")
    await studio.host.until("formatted_range", path, [[2, 0], [2, 8]])
    assert await studio.host.ask("text", path) == "#!/bin/sh\necho   a\necho b\n"


async def test_why_a_script_is_not_formatted_is_said(studio: Studio) -> None:
    """By the editor's own command; shfmt is found when the server starts."""
    program = studio.environment.home / "bin/shfmt"
    if not program.exists():
        program.symlink_to(Path(sys.executable).parent / "shfmt")
        await studio.host.ask("command", "zsh-ls.restart")
    path = await studio.show("unfinished.zsh", "#!/bin/zsh\nif true\n")
    await studio.host.until("diagnostics", path)
    await studio.screen.command("Format Document")
    told = studio.screen.notifications.filter(has_text="shfmt cannot read this text")
    await expect(told).to_be_visible()


async def test_tokens_of_a_changed_script_come_as_what_has_changed_of_them(studio: Studio) -> None:
    """What the editor sends is kept by a program that stands before the server."""
    program, sent = studio.environment.home / "bin/zsh-ls", studio.environment.home / "sent"
    own = program.read_text()
    program.write_text(f'#!/bin/sh\ntee -a {sent} | {program}-itself "$@"\n')
    itself = program.with_name("zsh-ls-itself")
    itself.write_text(own)
    itself.chmod(0o755)
    try:
        await studio.host.ask("command", "zsh-ls.restart")
        path = await studio.show("tokens.zsh", "#!/bin/zsh\nname=1\nprint $name\n")
        coloured = studio.screen.line("print").locator("span span", has_text="name")
        await expect(coloured.first).to_be_visible()
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while b"semanticTokens/full" not in sent.read_bytes():
                await asyncio.sleep(0.1)
            await studio.host.ask("replace", path, [[1, 0], [1, 0]], "# a remark\n")
            while b"semanticTokens/full/delta" not in sent.read_bytes():
                await asyncio.sleep(0.1)
    finally:
        program.write_text(own)
        await studio.host.ask("command", "zsh-ls.restart")


async def test_a_block_of_markdown_runs_with_what_the_blocks_above_left(studio: Studio) -> None:
    await studio.show("notes.md", NOTES)
    lenses = studio.screen.editor.locator(".codelens-decoration a", has_text="▷ run")
    await expect(lenses).to_have_count(2)
    await lenses.nth(0).click()
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"exit.0"))
    await lenses.nth(1).click()
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"hello.from.markdown"))


async def test_a_line_of_a_session_in_markdown_runs_without_its_prompt(studio: Studio) -> None:
    await studio.show("use.md", "# Use\n\n```sh\n$ echo typed-$((40 + 2))\nprinted\n```\n")
    await studio.screen.go_to(4)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text("typed-42")
    # The result stands off from its line, as in a script.
    hint = studio.screen.editor.locator(".view-line span span", has_text=re.compile("^✓"))
    typed = studio.screen.line("typed").locator("> span > span").filter(has_text=")")
    result, line = await hint.bounding_box(), await typed.last.bounding_box()
    assert result is not None
    assert line is not None
    assert result["x"] > line["x"] + line["width"] + 5


async def test_recipes_and_the_commands_of_a_dockerfile_are_checked_where_they_stand(
    studio: Studio,
) -> None:
    hosts = {
        "Dockerfile": "FROM debian\nRUN make test | tee log\n",
        "Makefile": "all:\n\tmake test | tee log\n",
        "justfile": "all:\n  make test | tee log\n",
    }
    for name, text in hosts.items():
        path = await studio.show(name, text)
        found = await studio.host.until("diagnostics", path)
        assert [(it["code"], it["from"][0]) for it in found] == [("masked-build-failure", 1)], name


async def test_a_syntax_error_stands_on_its_line_in_the_words_of_the_shell(studio: Studio) -> None:
    path = await studio.show("broken.zsh", "#!/bin/zsh\nprint a\nprint *()\n")
    [found] = await studio.host.until("diagnostics", path)
    assert (found["severity"], found["from"][0]) == ("error", 2)
    assert found["message"] == "parse error near `\\n'"


async def test_shell_in_a_workflow_is_checked_where_it_stands(studio: Studio) -> None:
    workflows = studio.environment.project / ".github/workflows"
    workflows.mkdir(parents=True, exist_ok=True)
    step = "      - run: |\n          make test | tee log\n"
    text = f"on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n{step}"
    (workflows / "ci.yml").write_text(text)
    path = str(workflows / "ci.yml")
    await studio.host.ask("open", path)
    found = await studio.host.until("diagnostics", path)
    assert [(it["code"], it["from"]) for it in found] == [("masked-build-failure", [6, 10])]


GITLAB = """\
build:
  script:
    - >
      apt-get update
      | grep -v Hit
    - export SHA="$(git describe)"
    - make
"""


async def test_scripts_of_gitlab_are_checked_hovered_and_completed(studio: Studio) -> None:
    """DOC-10: also on the second line of a folded one, whose lines are one command."""
    path = await studio.show(".gitlab-ci.yml", GITLAB)
    found = await studio.host.until("diagnostics", path)
    assert [(it["code"], it["from"]) for it in found] == [("declaration-masks-exit", [5, 13])]
    told = " ".join(await studio.host.until("hover", path, [4, 14]))
    assert "invert" in told.lower(), told[:300]
    await studio.host.ask("replace", path, [[6, 6], [6, 10]], "git check")
    offered = await studio.host.until(
        "completions", path, [6, 15], holds=lambda it: "checkout" in it
    )
    assert "checkout" in offered


async def test_a_line_of_a_rule_or_a_recipe_runs_it_by_make_or_just(studio: Studio) -> None:
    program = studio.environment.home / "bin/just"
    program.write_text('#!/bin/sh\necho "just ran $1"; exit 3\n')
    program.chmod(0o755)
    profile = studio.environment.home / ".profile"  # runs have a login's variables
    profile.write_text("PATH=$HOME/bin:$PATH\n")
    await studio.host.ask("command", "zsh-ls.restart")
    cases = {
        "rules/Makefile": ("\t@echo made-it", "made-it", "✓ "),
        "rules/justfile": ("  echo it", "just ran all", "✗ 3 · "),
    }
    (studio.environment.project / "rules").mkdir()
    for name, (line, output, result) in cases.items():
        path = await studio.show(name, f"all:\n{line}\n")
        await studio.screen.go_to(2)
        await studio.screen.command("zsh-ls: Run Line")
        await expect(studio.screen.terminal).to_contain_text(output)
        [hint] = await studio.host.until("hints", path)
        assert hint["line"] == 0
        assert hint["label"].startswith(result)


HOVERED, COMPLETED = "grep -v a b", "git check"
EVERY_HOST = {
    ".github/workflows/every.yml": (
        "jobs:\n  a:\n    steps:\n      - run: |\n          grep -v a b\n          git check\n"
    ),
    "every/Dockerfile": "FROM debian\nRUN grep -v a b\nRUN git check\n",
    "every/Makefile": "all:\n\tgrep -v a b\n\tgit check\n",
    "every/justfile": "all:\n  grep -v a b\n  git check\n",
    "every/every.md": "# Use\n\n```sh\ngrep -v a b\ngit check\n```\n",
}


async def test_shell_is_hovered_and_completed_in_every_kind_of_file_that_has_it_inside(
    studio: Studio,
) -> None:
    for name, text in EVERY_HOST.items():
        (studio.environment.project / name).parent.mkdir(parents=True, exist_ok=True)
        path = await studio.show(name, text)
        lines = text.splitlines()
        [hovered] = [at for at, line in enumerate(lines) if HOVERED in line]
        told = await studio.host.until(
            "hover", path, [hovered, lines[hovered].index(HOVERED) + len("grep -")]
        )
        assert "invert" in " ".join(told).lower(), name
        [completed] = [at for at, line in enumerate(lines) if COMPLETED in line]
        found = await labels(studio, path, completed, len(lines[completed]))
        assert "checkout" in found, (name, found[:20])

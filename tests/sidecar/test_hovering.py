"""Hovers explain the word under the pointer, and start no program to find out (DOC-7, DOC-8)."""

from __future__ import annotations

import asyncio
import errno
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from zsh_ls.answers.form import validate
from zsh_ls.machine import limited_process
from zsh_ls.machine.page_files import PageSource, source
from zsh_ls.model.answer import Answer
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.syntax import Dialect
from zsh_ls.sidecar import Sidecar, manpages

URI = "file:///tmp/x.zsh"
PAGE = r"""
.SH NAME
frob \- turn things round
.SH OPTIONS
.TP
.BR \-n ", " \-\-line\-number
Prefix each line with its number.
.TP
.B \-v
Say <more> of it.
"""
_started: list[str] = []
sys.addaudithook(
    lambda event, args: _started.append(str(args[0])) if event == "subprocess.Popen" else None
)


@pytest.fixture(autouse=True)
def manual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "manual" / "man1"
    folder.mkdir(parents=True)
    for name in ("frob", "git-push"):
        (folder / f"{name}.1").write_text(PAGE)
    monkeypatch.setenv("MANPATH", str(folder.parent))


class Described(NamedTuple):
    answer: Answer


async def hover(sidecar: Sidecar, marked: str) -> tuple[str, Described] | None:
    """What the word at the `^` of a text does, and the words it is said of; its fate is left out."""
    text = marked.replace("^", "")
    sidecar.open_document(URI, text, "zsh", 1)
    found = await sidecar.hover(URI, marked.index("^"))
    if found is None or found.answer is None:
        return None
    assert validate(found.answer.text, found.answer.kind) == ()
    return text[found.span.start : found.span.end], Described(found.answer)


async def test_a_flag_is_told_by_its_page(sidecar: Sidecar) -> None:
    found = await hover(sidecar, "true\nif a; then sudo frob --line-num^ber; fi\n")
    assert found is not None
    assert found[0] == "--line-number"
    assert found[1].answer.summary == (
        "`-n, --line-number`: Prefix each line with its number.\n"
        "An option of `frob`, turn things round."
    )


async def test_each_letter_of_a_cluster_is_told(sidecar: Sidecar) -> None:
    found = await hover(sidecar, "git push -^nv origin\n")
    assert found is not None
    assert found[1].answer.summary.startswith("`-nv` stands for 2 options.")
    assert (found[1].answer.details or "").count("\n") == 1


async def test_options_without_a_dash_are_told_letter_by_letter(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    page = (
        ".SH NAME\n{0} \\- {0} it\n.SH OPTIONS\n.TP\n{1}x\nTakes out.\n.TP\n{1}f file\nNames it.\n"
    )
    for name, dash in (("tar", "\\-"), ("ps", "")):
        (tmp_path / "manual" / "man1" / f"{name}.1").write_text(page.format(name, dash))
    for marked in ("tar x^f a.tgz", "ps ^xx"):
        found = await hover(sidecar, marked)
        assert found is not None, marked
        assert "Takes out" in f"{found[1].answer.summary}{found[1].answer.details}"
    assert await hover(sidecar, "tar -x ^xf") is None


async def test_a_flag_is_that_of_the_command_before_it(sidecar: Sidecar, tmp_path: Path) -> None:
    for name in ("git", "git-log", "env"):
        text = f".SH NAME\n{name} \\- x\n.SH OPTIONS\n.TP\n\\-C\nOf {name} alone.\n"
        (tmp_path / "manual" / "man1" / f"{name}.1").write_text(text)
    for marked, owner in (
        ("git -^C x log -C", "git"),
        ("git -C x log -^C", "git-log"),
        ("env -^C / frob -v", "env"),
    ):
        found = await hover(sidecar, marked)
        assert found is not None, marked
        assert found[1].answer.summary.startswith(f"`-C`: Of {owner} alone.")


async def test_a_test_is_told_by_the_manual_of_its_shell(sidecar: Sidecar, tmp_path: Path) -> None:
    text = ".SH NAME\ntest \\- compare\n.SH DESCRIPTION\n.TP\n\\-f FILE\nFILE is regular.\n"
    (tmp_path / "manual" / "man1" / "test.1").write_text(text)
    for lead, words in (
        ("", "true if file exists and is a regular file"),
        ("#!/bin/bash\n", "FILE is regular"),
    ):
        for opening in ("[[", "[", "if test"):
            found = await hover(sidecar, f"{lead}{opening} -^f x ]]")
            assert found is not None, (lead, opening)
            assert words in found[1].answer.summary


async def test_a_command_is_explained_as_explain_does(sidecar: Sidecar) -> None:
    await sidecar.run(RunRequest("cd / | cat"))
    found = await hover(sidecar, "echo $(c^d / | cat)\n")
    assert found is not None
    assert found[0] == "cd"
    assert found[1].answer == await sidecar.explain("cd / | cat", Dialect.ZSH)
    assert "1 run remembered" in found[1].answer.summary


async def test_the_sub_command_belongs_to_the_command(sidecar: Sidecar) -> None:
    found = await hover(sidecar, "git pu^sh -n\n")
    assert found is not None
    assert "turn things round" in found[1].answer.summary


async def test_a_builtin_is_told_by_the_manual_of_the_documents_shell(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    for shell, words in (("zshbuiltins", "As zsh does."), ("bash", "As bash does.")):
        text = f".SH SHELL BUILTIN COMMANDS\n.TP\nread x\nReads.\n.RS\n.TP\n.B \\-r\n{words}\n.RE\n"
        (tmp_path / "manual" / "man1" / f"{shell}.1").write_text(text)
    for lead, words in (("", "As zsh does."), ("#!/bin/bash\n", "As bash does.")):
        found = await hover(sidecar, f"{lead}read -^r x\n")
        assert found is not None
        assert found[1].answer.summary.startswith(f"`-r`: {words}")


async def test_a_function_of_the_script_is_told_by_its_comment(sidecar: Sidecar) -> None:
    found = await hover(
        sidecar,
        "#!/bin/zsh\n\n# Deploys *all* of it.\n##   Slowly.\nmy_deploy() { ls; }\nmy_dep^loy now\n",
    )
    assert found is not None
    answer = found[1].answer
    assert answer.summary == "`my_deploy` is a function of this script, defined on line 5."
    assert (answer.details or "").replace("\\", "") == "Deploys *all* of it.\nSlowly."


async def test_what_is_too_long_to_be_read_has_no_hover(sidecar: Sidecar) -> None:
    assert await hover(sidecar, "fr^ob -n " + "x " * 10_000) is None


@pytest.mark.parametrize(
    "marked",
    ["frob fi^le", "frob -- -^n", "frob --un^known", "unheard-^of", "# fro^b", "^", "if^ true; then x; fi"]
)  # fmt: skip
async def test_nothing_is_said_where_nothing_is_known(sidecar: Sidecar, marked: str) -> None:
    assert await hover(sidecar, marked) is None


async def test_hovering_and_explaining_start_no_program(sidecar: Sidecar) -> None:
    _started.clear()
    for marked in ("frob^ -n", "frob -^n", "gr^ep -r x | sort", "grep -^r x", "unheard-^of -x"):
        await hover(sidecar, marked)
    await sidecar.explain("find . -name x | xargs grep -l y")
    # Opening a document has the shell's own compiler look at a private copy; nothing else may run.
    assert {Path(program).name for program in _started} <= {"zsh", "bash", "sh"}


LONG = ".SH NOTES\n" + "So it is.\n" * (manpages.LONG_CHARACTERS // 10)
BUILTINS_OF_BASH = """.SH NAME
bash \\- a shell
.SH "SHELL BUILTIN COMMANDS"
.TP
\\fBmapfile\\fP [\\fB\\-t\\fP]
Read lines.
.RS
.TP
.B \\-t
Remove the delimiter.
.RE
"""


async def test_long_pages_are_read_in_a_process_of_their_own(
    sidecar: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One pattern over a page of some megabytes held up all threads for 100 ms and more."""
    read_here: list[str] = []
    for name in ("page_of", "builtin_pages"):
        monkeypatch.setattr(manpages, name, lambda *_, name=name: read_here.append(name))
    pages = tmp_path / "manual" / "man1"
    (pages / "frob.1").write_text(PAGE + LONG)
    (pages / "bash.1").write_text(BUILTINS_OF_BASH + LONG)
    option = await hover(sidecar, "frob --line-num^ber\n")
    assert option is not None
    assert option[1].answer.summary.startswith(
        "`-n, --line-number`: Prefix each line with its number."
    )
    sidecar.close_document(URI)
    text = "#!/bin/bash\nmapfile -t lines\n"
    sidecar.open_document(URI, text, "shellscript", 1)
    builtin = await sidecar.hover(URI, text.index("-t") + 1)
    assert builtin is not None
    assert builtin.answer.summary.startswith("`-t`: Remove the delimiter.")
    assert read_here == []


async def test_long_pages_are_read_where_no_process_can_be_had(
    sidecar: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no process left")

    monkeypatch.setattr(limited_process, "result_of", refuse)
    (tmp_path / "manual" / "man1" / "frob.1").write_text(PAGE + LONG)
    found = await hover(sidecar, "frob -^v\n")
    assert found is not None
    assert found[1].answer.summary.startswith("`-v`: Say")


async def test_requests_at_once_read_a_page_once(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def recorded(found: PageSource) -> str:
        read.append(found.name)
        return source(found)

    monkeypatch.setattr(manpages, "source", recorded)
    await asyncio.gather(*(sidecar.explain("frob -v") for _ in range(5)))
    assert read == ["frob"]


# MAN-4
async def test_a_table_of_a_failed_command_serves_where_there_is_no_page(sidecar: Sidecar) -> None:
    await sidecar._alan.store_manopt("made-up", "  -z, --zap  Zap it")
    found = await hover(sidecar, "made-up -^z\n")
    assert found is not None
    assert found[1].answer.summary.startswith("`-z, --zap`: Zap it.")


@pytest.mark.parametrize(
    ("marked", "word", "said"),
    [
        ("setopt extended^glob nomatch", "extendedglob", "`EXTENDED_GLOB`: Treat the"),
        ('lines=("${(^@f)$(<x)}")', "(@f)", "`@`, `f`: expansion flags of zsh, zshexpn(1)."),
        ("print -l $pipe^status", "pipestatus", "An array containing the exit statuses"),
        ("rm -f *(.o^m[1])", ".om[1]", "glob qualifiers of zsh"),
    ],
)
async def test_zshs_own_manual_tells_of_options_flags_parameters_and_qualifiers(
    sidecar: Sidecar, marked: str, word: str, said: str
) -> None:
    found = await hover(sidecar, marked)
    assert found is not None
    assert found[0] == word
    assert said in found[1].answer.text


async def test_of_a_comment_and_a_single_quoted_text_the_manual_says_nothing(
    sidecar: Sidecar,
) -> None:
    assert await hover(sidecar, "true a # $pipe^status") is None
    assert await hover(sidecar, "print -l '$pipe^status'") is None


async def test_explain_says_what_zshs_manual_says_and_nothing_of_connections(
    sidecar: Sidecar,
) -> None:
    options = await sidecar.explain("setopt extendedglob")
    assert "`EXTENDED_GLOB`: Treat the" in options.text
    flags = await sidecar.explain("${(@f)x}")
    assert flags.summary == "`@`, `f`: expansion flags of zsh, zshexpn(1)."
    assert "onnection" not in (await sidecar.explain("git status")).text

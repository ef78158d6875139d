"""Tests of syntax errors reported by the shells, which execute nothing and open no file."""

import asyncio
import os
import shutil
import stat

import psutil
import pytest

from zsh_ls.machine import syntax_check
from zsh_ls.machine.syntax_check import complaints, syntax_problems
from zsh_ls.model.syntax import Dialect, SyntaxProblem

ZSH, BASH, SH = Dialect.ZSH, Dialect.BASH, Dialect.SH
PROGRAMS = {ZSH: "zsh", BASH: "bash", SH: "dash"}


def needs(dialect: Dialect):
    return pytest.mark.skipif(not shutil.which(PROGRAMS[dialect]), reason=f"needs {dialect}")


EVERY_SHELL = [pytest.param(dialect, marks=needs(dialect)) for dialect in Dialect]


@pytest.mark.parametrize(
    ("dialect", "text", "line", "message"),
    [
        pytest.param(ZSH, "a\nif b; then\ndone\n", 2, r"parse error near `\n'", marks=needs(ZSH)),
        pytest.param(ZSH, "if b; then\ndone\nc\n", 2, "parse error near `c'", marks=needs(ZSH)),
        pytest.param(ZSH, "if b; then\n", 0, r"parse error near `\n'", marks=needs(ZSH)),
        pytest.param(ZSH, "a\n\necho )\n", 2, "parse error near `)'", marks=needs(ZSH)),
        pytest.param(ZSH, 'echo "a\n', 0, 'unmatched "', marks=needs(ZSH)),
        pytest.param(
            BASH,
            "a\nif b; then\ndone\n",
            2,
            "syntax error near unexpected token `done'",
            marks=needs(BASH),
        ),
        pytest.param(BASH, "f() {\n", 0, "syntax error: unexpected end of file", marks=needs(BASH)),
        pytest.param(
            BASH,
            "a\n[[ b == (c) ]]\n",
            1,
            "unexpected argument `(' to conditional binary operator",
            marks=needs(BASH),
        ),
        pytest.param(SH, "a\n)\n", 1, 'Syntax error: ")" unexpected', marks=needs(SH)),
    ],
)
async def test_problems_are_in_the_shells_own_words_on_their_lines(dialect, text, line, message):
    assert await syntax_problems(text, dialect) == [SyntaxProblem(line, message)]


@pytest.mark.parametrize("dialect", EVERY_SHELL)
@pytest.mark.parametrize("text", ["", "a | b\n", "cat <<E\nx\n", "# only\n", "echo \ud800\n"])
async def test_good_text_has_none(dialect, text):
    assert await syntax_problems(text, dialect) == []


@needs(ZSH)
async def test_what_only_an_expansion_could_find_is_no_problem():
    text = 'x=( ${(f)"$(</etc/login.conf)"} )\necho ${(P)1::=x} $[RANDOM%z]\n'
    assert await syntax_problems(text, ZSH) == []


@needs(BASH)
async def test_extended_globs_are_no_problem():
    assert await syntax_problems("shopt -s extglob\ncase x in @(a|b)) ;; esac\n", BASH) == []


@needs(BASH)
async def test_a_function_named_by_a_sign_is_no_problem_without_extended_globs():
    function = "@() {\n  echo title\n}\n"
    assert await syntax_problems(function, BASH) == []
    assert await syntax_problems(f"shopt -s extglob\n{function}", BASH) != []


@needs(BASH)
async def test_a_text_that_bash_of_macos_ends_with_its_substitution_is_no_problem():
    asks = "answer=$(osascript <<EOF\n    return 1\n    EOF\n)\n"
    assert await syntax_problems(asks, BASH) == []
    assert await syntax_problems(asks.replace("\n)", ")"), BASH) == []
    assert await syntax_problems(asks.replace("\n)", ")  # asks first"), BASH) == []
    assert await syntax_problems(f"while true\n{asks}done\n", BASH) != []
    assert await syntax_problems(asks.replace("osascript", "cat"), BASH) != []


@needs(ZSH)
async def test_aliases_do_not_change_what_is_checked():
    assert await syntax_problems("alias foo='('\nfoo bar\n", ZSH) == []


ANY_SHELL_NAMES = """\
. {canary}; command . {canary}
x=$(cat <{canary}) z=`cat {canary}`
cat <{canary} <<END >{canary}.new
$(cat <{canary}) `cat {canary}` ${{x:-$(touch {canary}.ran)}}
END
touch {canary}.ran; eval "touch {canary}.ran"; trap 'touch {canary}.ran' EXIT
echo {canary}/../* $(touch {canary}.ran)
export BASH_ENV={canary} ENV={canary}; exec touch {canary}.ran
"""
ZSH_NAMES = """\
source {canary}; y=( ${{(f)"$(<{canary})"}} )
print *(e:'touch {canary}.ran':) =(touch {canary}.ran) <(touch {canary}.ran)
zmodload {canary}; autoload {canary}; fpath=({canary}); TRAPEXIT() {{ touch {canary}.ran }}
[[ -e {canary} && $(touch {canary}.ran) ]] && (( $(touch {canary}.ran) + 1 ))
"""


@pytest.mark.parametrize("dialect", EVERY_SHELL)
async def test_nothing_a_document_names_is_opened_or_run(dialect, tmp_path, monkeypatch):
    canary = tmp_path / "canary"
    os.mkfifo(canary)  # who opens it waits until the limit, and says nothing
    for variable in ("BASH_ENV", "ENV", "PS4", "PROMPT_COMMAND"):
        monkeypatch.setenv(variable, f"{canary}")
    monkeypatch.setenv("ZDOTDIR", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in (".zshenv", ".zshrc", ".bashrc", ".profile"):
        (tmp_path / name).symlink_to(canary)
    before = sorted(tmp_path.iterdir())
    text = (ANY_SHELL_NAMES + ZSH_NAMES * (dialect is ZSH)).format(canary=canary)
    problems = await syntax_problems(f"{text}fi\n", dialect, limit_s=20)
    assert [problem.line for problem in problems] == [text.count("\n")]
    assert sorted(tmp_path.iterdir()) == before


@needs(ZSH)
async def test_the_copy_is_private_and_gone_afterwards(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen = []
    whole = syntax_check._run

    async def looking(command, folder):
        copy = os.path.join(folder, syntax_check.COPY)
        seen.extend(stat.S_IMODE(os.stat(path).st_mode) for path in (folder, copy))
        return await whole(command, folder)

    monkeypatch.setattr(syntax_check, "_run", looking)
    await syntax_problems("a )\n", ZSH)
    assert seen == [0o700, 0o600]
    assert list(tmp_path.iterdir()) == []


@needs(ZSH)
async def test_where_no_copy_can_be_written_nothing_is_said(monkeypatch):
    def refuse(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr("zsh_ls.machine.syntax_check.passing_folder", refuse)
    assert await syntax_problems("a )\n", ZSH) == []


def hang(monkeypatch) -> None:
    """Use a checker that never ends."""
    checker = syntax_check.Checker(("sleep", "1000"), syntax_check.CHECKERS[ZSH][0].message)
    monkeypatch.setitem(syntax_check.CHECKERS, ZSH, (checker,))


def children() -> list[int]:
    return [each.pid for each in psutil.Process().children() if each.status() != "zombie"]


async def test_a_shell_that_does_not_answer_is_ended(monkeypatch):
    hang(monkeypatch)
    before = children()
    assert await syntax_problems("a\n", ZSH, limit_s=0.05) == []
    assert children() == before


async def test_cancelling_ends_the_shell(monkeypatch):
    hang(monkeypatch)
    before = children()
    task = asyncio.create_task(syntax_problems("a\n", ZSH, limit_s=1000))
    while children() == before:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert children() == before


async def test_without_the_shell_nothing_is_said(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    assert await syntax_problems("a )\n", ZSH) == []


@needs(BASH)
@needs(SH)
@needs(ZSH)
@pytest.mark.parametrize(
    "text",
    [
        "files=( a b )\ndone_is < <(cat)\n",
        "my-function() { true; }\n",
        'source <(kubectl completion bash)\ntr a b <<< "$x"\n',
    ],
)
async def test_a_file_that_another_script_reads_is_wrong_only_where_every_shell_says_so(text):
    assert await complaints(text, SH, "lib.sh") == []
    assert len(await complaints(f"{text}if\n", SH, "lib.sh")) == 1


@needs(SH)
async def test_a_script_that_becomes_another_program_is_judged_up_to_there():
    text = '#!/bin/sh\nexec wish "$0" -- "$@"\nif {[catch {x}]} {\n}\n'
    assert await complaints(text, SH, "gitk") == []
    assert len(await complaints(text.replace("exec", "fi\nexec"), SH, "gitk")) == 1


async def test_what_a_shell_that_is_not_asked_reads_is_not_judged():
    assert await complaints("#!/bin/ksh\ntypeset -a x=(a b)\nfi\n", SH, "x.ksh") == []


@needs(ZSH)
async def test_an_error_inside_a_substitution_of_zsh_is_one_and_on_its_own_line():
    # Behind it zsh complains of the substitution as well, on whatever line it has got to.
    text = (
        "#!/bin/zsh\nA=$(cat <<E\nx\nE)\ncat <<E\ny\nE\nelse\nB=$(cat <<E\nz\nE)\ncat <<E\nE\nfi\n"
    )
    assert [problem.line for problem in await complaints(text, ZSH)] == [7]


@needs(SH)
@needs(BASH)
async def test_a_script_for_sh_is_told_the_error_that_every_sh_has():
    # Where sh is bash, `<<<` is none.
    text = '#!/bin/sh\nread -r major <<< "$(sw_vers)"\nif [ "$major" = 14 ]; then then\n  echo 14\nfi\n'
    assert [problem.line for problem in await complaints(text, SH)] == [2]


@needs(SH)
@needs(BASH)
async def test_what_both_say_of_a_line_is_said_in_the_words_of_sh():
    text = "#!/bin/sh\necho one\nfi\n"
    both = await complaints(text, SH)
    assert both == await syntax_problems(text, SH)
    assert [problem.line for problem in both] == [2]


@needs(ZSH)
async def test_a_condition_inside_a_function_is_named_on_its_line_of_the_file():
    # zsh counts from the head of the function there.
    text = (
        'echo a\nf() {\n  echo b\n  echo c\n  if [[ "$x" =~ ^[\t] ]]; then\n    echo d\n  fi\n}\n'
    )
    assert [problem.line for problem in await complaints(text, ZSH)] == [4]


@needs(ZSH)
@pytest.mark.parametrize(
    ("text", "line"),
    [("ls\nprint *()\n", 1), ("#!/bin/zsh\n\nfoo ()\n\n# end\n", 2)],
)
async def test_a_function_whose_body_is_missing_is_named_on_its_line(text, line):
    [found] = await complaints(text, Dialect.ZSH)
    assert (found.line, found.message) == (line, "parse error near `\\n'")


@needs(ZSH)
async def test_a_faulty_substitution_inside_a_function_is_named_on_its_line_of_the_file():
    text = 'echo a\n\necho b\nf() {\n  echo c\n  x=$( tool <<< <licence text> )\n  say "${x}"\n}\necho e\n'
    assert [problem.line for problem in await complaints(text, ZSH)] == [5]


@needs(ZSH)
async def test_a_faulty_substitution_is_named_on_its_own_line():
    text = "echo a\necho b\nx=$(\n  tool\n  other | | third\n)\necho e\n"
    assert [problem.line for problem in await complaints(text, ZSH)] == [4]


@needs(ZSH)
@pytest.mark.parametrize("quote", ["'", '"'])
async def test_a_quote_that_is_never_closed_is_named_where_it_opens(quote: str):
    text = f"echo a\necho b\nf() {{\n  echo c\n  echo {quote}d\n}}\necho e\n"
    (problem,) = await complaints(text, ZSH)
    assert problem == (4, f"unmatched {quote}")


@needs(ZSH)
async def test_a_quote_that_a_comment_spilled_is_named_where_it_opens():
    text = (
        'echo a\nf() {\n  #x=$(curl "$1" | tr \'"\' "\n" | head -1)\n  echo b\n}\n'
        'case x in\n  a) y="u?a=b&v="$z"&w" ;;\nesac\n'
    )
    (problem,) = await complaints(text, ZSH)
    assert problem.line == 3


@needs(ZSH)
async def test_a_condition_that_is_never_closed_is_named_where_it_begins():
    text = 'set -e\nif [[ "$1" == "test"\n  echo "no end"\nfi\n'
    assert [problem.line for problem in await complaints(text, ZSH)] == [1]


@needs(BASH)
async def test_a_quote_that_an_error_left_open_is_no_error_of_its_own():
    text = (
        '#!/bin/bash\nif [[ "$k" != "]"Iy9;;A)nV ]]; then\n  exit 1\nfi\n' + "IFS='%'\necho it's\n"
    )
    assert [problem.line for problem in await complaints(text, BASH)][:2] == [1]

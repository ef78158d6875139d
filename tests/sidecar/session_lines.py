"""Sequences of lines, run one by one in a session and as one script by the plain shell (SESS-1).

Both must end with the same variables, functions, aliases, options, folder and mask, and print the same.
`python -m tests.sidecar.session_lines [COUNT] [SEED]` prints how many of COUNT drawn sequences do so, with
`--apart` as runs without a session, with `-v` where they differ.

Left out are lines that end the shell they run in: a script stops there, and a session goes on with the
next line. What a session does not carry (docs/sessions.md) is left out as well.
"""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import attrs
from hypothesis import strategies as st

from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places

SCALARS = ("a", "b", "long_name", "_under")
ARRAYS = ("arr", "list")
MAPS = ("map", "table")
READONLY = ("r1", "r2")
FUNCTIONS = ("f", "greet", "my-fn", "with_doc")
ALIASES = ("say", "ll", "g1")
FOLDERS = ("one", "two", "two/deep", "with space", "quo'te")
VALUES = (
    "",
    "x",
    "two words",
    "it's",
    'a "quoted" one',
    "$HOME `id` \\n",
    "line\nbreak",
    "tab\there",
    "trailing\n\n",
    "*?[a-z]",
    "~",
    "é→😀",
    "a=b;c&d|e",
    "-n",
    "\x01\x1b[31m",
    "!bang^",
    "}\nf () {\n\techo no\n}",
)
BODIES = (
    "echo hi",
    'local x=$1; echo "got $x"',
    "for i in 1 2; do echo $i | cat; done",
    "if [[ -n ${1-} ]]; then echo some; else echo none; fi",
    "case ${1-} in (a|b) echo ab;; (*) echo other;; esac",
    "cat <<EOF\nvalue ${1-}\n}\nEOF",
    "echo \"}\n\" 'x () {'",
    "(( ${#1} > 2 )) && echo long || echo short",
    "( cd / && pwd ); echo $(( 1 + 2 ))",
    "while read -r word; do echo \"[$word]\"; done < <(printf 'p\\nq\\n')",
    "{ echo out; echo err >&2; } 2>/dev/null",
    "return 0 # a comment",
)
ZSH_OPTIONS = (
    "extendedglob",
    "nullglob",
    "ksharrays",
    "shwordsplit",
    "noclobber",
    "globdots",
    "pipefail",
    "rcquotes",
    "autocd",
    "nounset",
    "cbases",
    "typesetsilent",
    "noglob",
    "posixidentifiers",
)
BASH_SET = ("noclobber", "pipefail", "nounset", "noglob", "physical", "braceexpand", "functrace")
BASH_SHOPT = ("extglob", "nullglob", "dotglob", "nocasematch", "globstar", "expand_aliases")


def quoted(text: str) -> str:
    """`text` as one word of zsh and bash."""
    return "'" + text.replace("'", "'\\''") + "'"


def line(shell: str) -> st.SearchStrategy[str]:
    """One line, which every shell of that kind runs to its end."""
    value = st.sampled_from(VALUES).map(quoted)
    scalar, array, table = map(st.sampled_from, (SCALARS, ARRAYS, MAPS))
    plus = st.sampled_from(("=", "+="))
    options = (
        st.builds(
            "{} {}".format, st.sampled_from(("setopt", "unsetopt")), st.sampled_from(ZSH_OPTIONS)
        )
        if shell == "zsh"
        else st.one_of(
            st.builds("set {}o {}".format, st.sampled_from(("-", "+")), st.sampled_from(BASH_SET)),
            st.builds(
                "shopt -{} {}".format, st.sampled_from(("s", "u")), st.sampled_from(BASH_SHOPT)
            ),
        )
    )
    types = ("-i", "-l", "-u", "-x", "-ix") + (
        ("-Z 6", "-L 4", "-R 5", "-i 16", "-U") if shell == "zsh" else ("-lx",)
    )
    special = (
        ("path+=(/opt/own)", "typeset -T TIED tied", "tied=(p q)", "IFS=:", "cdpath=(/usr)")
        if shell == "zsh"
        else (
            "PATH=$PATH:/opt/own",
            "IFS=:",
            "declare -n ref=a",
            "CDPATH=/usr",
            "export -f f 2>/dev/null || :",
        )
    )
    return st.one_of(
        st.builds("{}{}{}".format, scalar, plus, value),
        st.builds("export {}={}".format, scalar, value),
        st.builds("typeset {} {}".format, st.sampled_from(types), st.just("num")),
        st.builds("num={}".format, st.integers(-5, 70_000)),
        st.builds("{}{}({} {})".format, array, plus, value, value),
        st.builds("typeset -A {}".format, table),
        st.builds("typeset -A {0}; {0}[k]={1}".format, table, value),
        st.builds("unset {}".format, st.one_of(scalar, array, table)),
        st.just("[[ -n ${r1-} ]] || readonly r1='once only'"),
        st.builds("{}() {{\n{}\n}}".format, st.sampled_from(FUNCTIONS), st.sampled_from(BODIES)),
        st.builds("unset -f {} 2>/dev/null || :".format, st.sampled_from(FUNCTIONS)),
        st.builds(
            "if typeset -f {0} >/dev/null; then {0} {1}; fi".format,
            st.sampled_from(FUNCTIONS),
            value,
        ),
        st.builds("alias {}={}".format, st.sampled_from(ALIASES), st.just("'echo aliased '")),
        st.builds("unalias {} 2>/dev/null || :".format, st.sampled_from(ALIASES)),
        st.builds("command -v {} || :".format, st.sampled_from(ALIASES)),
        options,
        st.builds("cd {} 2>/dev/null || :".format, st.sampled_from(FOLDERS).map(quoted)),
        st.builds("pushd {} 2>/dev/null || :".format, st.sampled_from(FOLDERS).map(quoted)),
        st.just("popd 2>/dev/null || :"),
        st.just("cd - 2>/dev/null || :"),
        st.just("cd .. && pwd"),
        st.builds("umask {}".format, st.sampled_from(("022", "077", "027"))),
        st.builds('printf "<%s>\\n" "${{{}-unset}}"'.format, scalar),
        st.builds('printf "<%s>\\n" "${{{}[@]}}" 2>/dev/null || :'.format, array),
        st.sampled_from(special),
        st.just("false | true"),
        st.just('eval "a=evaluated"'),
        st.builds("read -r {} <<< {}".format, scalar, value),
    )


def lines(shell: str) -> st.SearchStrategy[list[str]]:
    """A sequence of lines."""
    return st.lists(line(shell), min_size=2, max_size=9)


def report_of(shell: str) -> str:
    """A line that prints all that a session carries."""
    names = " ".join(
        (*SCALARS, *ARRAYS, *MAPS, *READONLY, "num", "IFS", "PATH", "ref", "TIED", "tied")
    )
    each = f"for _n in {names}; do typeset -p $_n 2>/dev/null; done"
    functions = f"for _n in {' '.join(FUNCTIONS)}; do typeset -f $_n; done"
    places = "pwd; dirs -l; umask; echo ${OLDPWD-}"
    if shell == "zsh":
        options = "set +o | grep -v -e monitor -e shinstdin -e singlecommand"
        return f"IFS=$IFS; {options}; alias -L; {each}; {functions}; {places}"
    exported = "declare -Fp | grep -e -fx"
    return f"set +o; shopt; alias; {each}; {functions}; {places}; {exported}; :"


def environment(home: Path) -> dict[str, str]:
    """That of both, without what this machine adds."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "FROM_ENV": "given",
        "ZDOTDIR": str(home),
        "EDITOR": "vi",
    }


def prepare(folder: Path) -> None:
    """Make the folders that lines change to."""
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)


def by_script(shell: str, texts: list[str], folder: Path) -> str:
    """What the lines and the report print as one script of the plain shell."""
    script = folder / "script"
    script.write_text("\n".join([*texts, report_of(shell)]) + "\n")
    done = subprocess.run(
        [shell, str(script)],
        cwd=folder / "work",
        env=environment(folder.parent),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode("utf-8", "replace").replace(str(script), "script")


@attrs.frozen
class Compared:
    """What the lines printed as one script and as the runs of a session."""

    script: str
    session: str


async def compare(
    sidecar: Sidecar, shell: str, texts: list[str], folder: Path, *, keeps: bool = True
) -> Compared:
    """Run the lines both ways, in a folder of their own below `folder`; unless `keeps`, without a session."""
    home = Path(tempfile.mkdtemp(dir=folder))
    (home / "work").mkdir()
    prepare(home / "work")
    printed = []
    for at, text in enumerate([*texts, report_of(shell)]):
        request = RunRequest(
            command=text,
            shell=shell,
            cwd=str(home / "work") if at == 0 or not keeps else None,
            yield_after=60,
            **({"session": str(home)} if keeps else {}),  # type: ignore[arg-type]
        )
        result = await sidecar.run(request)
        run = sidecar._runs.get(result.task_id)
        output = run.task.output
        printed.append(output.read(0, output.size_bytes).decode("utf-8", "replace"))
    return Compared(by_script(shell, texts, home), "".join(printed))


def options_in(folder: Path) -> SidecarOptions:
    """A sidecar's that has nothing of this machine's."""
    places = Places(folder / "alan.db", folder / "outputs", folder / "run")
    settings = Settings(manopt_enabled=False, environment_resolve=False)
    return SidecarOptions(session="test", workspace=str(folder), places=places, settings=settings)


async def _score(count: int, seed: int) -> None:
    chance = random.Random(seed)
    folder = Path(tempfile.mkdtemp())
    env = environment(folder)
    os.environ.clear()
    os.environ.update(env)
    sidecar = await Sidecar.open(options_in(folder))
    for shell in ("zsh", "bash"):
        met = 0
        for _ in range(count):
            texts = drawn(shell, chance.randrange(1 << 30))
            both = await compare(sidecar, shell, texts, folder, keeps="--apart" not in sys.argv)
            met += both.script == both.session
            if both.script != both.session and "-v" in sys.argv:
                print(texts, *_differing(both), sep="\n    ")
        print(f"{shell}: {met} of {count} sequences end as their script does")
    await sidecar.close()


def _differing(both: Compared) -> list[str]:
    import difflib

    found = difflib.unified_diff(both.script.splitlines(), both.session.splitlines(), n=0)
    return [it for it in found if not it.startswith(("---", "+++", "@@"))]


def drawn(shell: str, seed: int) -> list[str]:
    """The sequence of lines with that number."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    found: list[list[str]] = []

    @seeded(seed)
    @settings(
        max_examples=3,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(lines(shell))
    def take(texts: list[str]) -> None:
        found.append(texts)

    take()
    return found[-1]


if __name__ == "__main__":
    numbers = [int(it) for it in sys.argv[1:] if it.isdigit()]
    asyncio.run(_score(*(numbers + [100, 1][len(numbers) :])))

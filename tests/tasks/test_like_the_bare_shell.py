"""Random lines print and exit as in a shell that nobody watches (RUN-2, RUN-4).

Left out is what docs/behaviour.md names as seen, or measured to differ in zsh alone: the list of traps
beside a pipeline, BASH_COMMAND in an EXIT trap, DEBUG traps and what a TRAPEXIT returns beside one,
zshexit where zsh would become its last command.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from zsh_ls.tasks import Engine

from .conftest import request_for, whole

SEED, CASES = 20_281_128, 500
NUMBERS = re.compile(rb"\d+")
OPTIONS = {
    "bash": """set -e¦set -u¦set -x¦set -o pipefail¦shopt -s lastpipe¦set -m¦set -E¦set -T¦set -f
        set -a¦set -k¦set -C¦set -o posix¦shopt -s inherit_errexit¦IFS=:¦PS4='>$LINENO '
        LC_ALL=C¦exec 2>&1¦exec 3>&1¦umask 777¦ulimit -f 0¦PATH=¦readonly PS4¦unset BASH_ENV
        enable -n echo¦BASH_XTRACEFD=1¦cd /¦POSIXLY_CORRECT=1""",
    "zsh": """set -e¦set -u¦set -x¦setopt pipefail¦setopt errreturn¦setopt ksharrays
        setopt shwordsplit¦emulate sh¦setopt noclobber¦setopt posixtraps¦setopt localtraps
        setopt localoptions¦setopt warncreateglobal¦setopt monitor¦emulate ksh¦IFS=:
        PS4='>%i '¦LC_ALL=C¦exec 2>&1¦umask 777¦ulimit -f 0¦PATH=¦path=()
        setopt printexitvalue¦setopt posixaliases¦setopt nofunctionargzero¦disable echo
        unfunction -m '*'¦unset -m 'z*'¦setopt allexport¦setopt octalzeroes¦setopt verbose
        setopt bgnice¦setopt posixbuiltins""",
}
TRAPS = {
    "bash": """trap 'echo E$?' EXIT¦trap 'echo R$?' ERR¦trap 'echo D' DEBUG¦trap 'echo I' INT
        trap 'echo T' TERM¦trap '' PIPE¦trap 'echo RET' RETURN¦trap - EXIT¦trap 'exit 7' EXIT
        trap 'trap - EXIT; exit 4' EXIT¦:""",
    "zsh": """trap 'echo E$?' EXIT¦trap 'echo R$?' ZERR¦trap 'echo I' INT¦trap 'echo T' TERM
        trap '' PIPE¦TRAPEXIT() { echo F$? }¦TRAPZERR() { echo Z$? }¦trap - EXIT
        trap 'exit 7' EXIT¦:""",
}
BODIES = """false | true¦true | false¦echo a | cat¦(exit 3)¦false¦f() { false; echo in; }; f
        f() { return 4; }; f | cat¦x=$(false); echo $?¦if false | true; then echo y; fi
        ! true¦{ false; } | { cat; false; }¦sleep 0.01 & wait¦kill -TERM $$; echo after
        kill -INT $$; echo after¦exec true¦exec false¦exit 5¦true && false || (exit 6)
        eval 'false | true'¦for i in 1 2; do false; done¦case x in x) false;; esac
        (trap 'echo sub' EXIT; exit 2)¦echo $0 $# $-¦echo $LINENO¦ls /nowhere¦cat < /nowhere
        x=(1 2; echo¦echo hi >&3¦return 3; echo no¦sh -c 'exit 9' | cat¦[[ a == b ]]¦(( 0 ))
        read x < /dev/null¦true; echo $?¦unset x; echo $x¦jobs¦echo $SHLVL¦set -- x; shift 2
        builtin false"""


def one_of(lines: str) -> list[str]:
    return [it.strip() for it in re.split(r"[¦\n]", lines)]


def random_line(rng: random.Random, shell: str) -> str:
    parts = rng.sample(one_of(OPTIONS[shell]), rng.choice([0, 1, 1, 2]))
    parts += [rng.choice(one_of(TRAPS[shell])), *rng.sample(one_of(BODIES), rng.choice([1, 1, 2]))]
    return rng.choice(["\n", "; "]).join(parts)


def seen(output: bytes, exit_status: int | None) -> tuple[list[bytes], int | None]:
    """Segments of a pipeline print in any order; process numbers differ."""
    return sorted(NUMBERS.sub(b"N", output).splitlines()), exit_status


@pytest.mark.slow
async def test_random_lines(engine: Engine, tmp_path: Path) -> None:
    rng = random.Random(SEED)
    base = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8", "TERM": "xterm"}
    others = []
    for _ in range(CASES):
        shell = rng.choice(["bash", "zsh"])
        text = random_line(rng, shell)
        task = await engine.start(request_for(text, shell, cwd=str(tmp_path), base_env=base))
        await task.wait_end()
        alone = await asyncio.create_subprocess_exec(
            *(shell, "-c", text),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=tmp_path,
            env=base,
            start_new_session=True,
        )
        output, _ = await alone.communicate()
        status = alone.returncode or 0
        wanted = seen(output, status if status >= 0 else 128 - status)
        if (found := seen(whole(task), task.exit)) != wanted:
            others.append((shell, text, found, wanted))
    assert others == []

"""What shells wrote becomes a state, and a state the code that a shell reads (SESS-1)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import attrs
import pytest

import zsh_ls.tasks.process
from zsh_ls.sessions.dump import Dump, read_dump
from zsh_ls.sessions.state import State
from zsh_ls.sessions.store import SessionStore

EMPTY = Dump({}, {}, {}, {}, ("/",), "022")
NEW = State("s", "zsh", "/bin/zsh", "id")


def dump(shell: str, *parts: str) -> Dump:
    read = read_dump("\0".join([*parts, "end"]).encode("utf-8", "surrogateescape"), shell)
    assert read is not None
    return read


def test_a_dump_of_zsh() -> None:
    read = dump(
        "zsh",
        "set -o nullglob\nset +o login\n",
        "typeset -g -i10 n=3\nexport -T PATH path=( /a )\ntypeset -g -aT PATH path=( /a )\n"
        "typeset -g x=$'a\\nb'\ntypeset -g -i10 SECONDS=3\ntypeset -g _zls_r=1\n",
        "f\ng\nzshexit\n",
        'f () {\n\techo "\n}\nh () {\n"\n}\ng () {\n\ttrue\n}\nzshexit () {\n\ttrue\n}\n',
        "alias -g G='| grep'\n",
        "/a b\n/usr\n",
        "077\n",
        "",
    )
    assert set(read.variables) == {"n", "PATH", "path", "x"}
    assert read.functions["f"] == 'f () {\n\techo "\n}\nh () {\n"\n}'
    assert set(read.functions) == {"f", "g"}
    assert read.aliases == {"alias -g G": "alias -g G='| grep'"}
    assert read.options == {"nullglob": "set -o nullglob"}
    assert read.folders == ("/a b", "/usr")
    assert read.umask == "077"


def test_zsh_writes_no_tables_of_its_own(tmp_path: Path) -> None:
    """Once zsh/parameter is loaded they are hidden variables, and `commands` is all that is on PATH."""
    writer = Path(zsh_ls.tasks.process.__file__).parent / "rc/session.zsh"
    loaded = "zmodload zsh/parameter; typeset -H mine='a secret'; source $1"
    env = {"PATH": os.defpath, "ZSH_LS_SAVE": f"{tmp_path}/"}
    subprocess.run(["zsh", "-fc", loaded, "zsh", writer], env=env, check=True)
    lines = (tmp_path / "before").read_text().splitlines()
    assert "typeset -H -g mine='a secret'" in lines
    assert not any(" commands=" in line for line in lines)


def test_a_dump_of_bash_with_exported_functions() -> None:
    read = dump(
        "bash",
        "set +o noclobber\nshopt -s extglob\n",
        'declare -x A="1"\ndeclare -a list=([0]="x")\ndeclare -ir PPID="1"\ndeclare -n ref="A"\n',
        "declare -fx f\ndeclare -f g\n",
        "f () \n{ \n    echo 1\n}\ng () \n{ \n    local x=1;\n}\n",
        "alias a='b'\n",
        "/\n",
        "0022\n",
        "g",
    )
    assert set(read.variables) == {"A", "list", "ref"}
    assert read.functions["f"].endswith("}\n\\builtin export -f f")
    assert read.local == {"x"}


@pytest.mark.parametrize("written", [b"", b"\0end", b"x\0" * 20, b"\xff" * 100])
def test_what_is_no_dump_is_none(written: bytes) -> None:
    assert read_dump(written, "zsh") is None


def test_what_the_shell_began_with_is_no_state() -> None:
    before = attrs.evolve(EMPTY, variables={"HOME": "export HOME=/h", "lost": "typeset lost=1"})
    after = attrs.evolve(EMPTY, variables={"HOME": "export HOME=/h", "x": "typeset x=1"})
    state = NEW.after(before, after)
    assert dict(state.variables) == {"x": "typeset x=1"}
    assert state.lost_variables == ("lost",)
    assert "unset lost" in state.code()[0]


def test_a_variable_of_the_request_is_not_the_sessions() -> None:
    old = attrs.evolve(NEW, variables={"A": "export A=session"})
    own = attrs.evolve(EMPTY, variables={"A": "export A=own"})
    assert old.after(own, own, own_names={"A"}).variables == {"A": "export A=session"}
    changed = attrs.evolve(EMPTY, variables={"A": "export A=changed"})
    assert old.after(own, changed, own_names={"A"}).variables == {"A": "export A=changed"}
    assert "export A=session" not in old.code({"A"})[0]


def test_what_would_end_or_print_the_reading_comes_last() -> None:
    options = {
        "xtrace": "set -o xtrace",
        "errexit": "set -o errexit",
        "nullglob": "set -o nullglob",
    }
    first, _, last = attrs.evolve(NEW, options=options).code()
    assert first == "set -o nullglob"
    assert last.splitlines() == [r"\builtin set -o errexit", r"\builtin set -o xtrace"]


def test_only_over_the_state_it_began_with_is_one_kept(tmp_path: Path) -> None:
    store = SessionStore(lambda: str(tmp_path))
    first = NEW.after(EMPTY, EMPTY)
    assert store.keep(first, over=None)
    assert not store.keep(first, over=None)
    second = first.after(EMPTY, EMPTY)
    assert store.keep(second, over=first)
    assert not store.keep(first.after(EMPTY, EMPTY), over=first)
    assert store.get("s") == second
    store.remove("s")
    assert not store.keep(second.after(EMPTY, EMPTY), over=second)


def test_a_file_that_is_damaged_is_no_session(tmp_path: Path) -> None:
    store = SessionStore(lambda: str(tmp_path))
    store.keep(NEW, over=None)
    for file in tmp_path.glob("*.json"):
        file.write_text("{")
    assert store.get("s") is None
    assert store.all() == []


def test_undecodable_bytes_survive(tmp_path: Path) -> None:
    store = SessionStore(lambda: str(tmp_path))
    value = b"typeset -g x=\xff".decode("utf-8", "surrogateescape")
    state = attrs.evolve(NEW, variables={"x": value})
    store.keep(state, over=None)
    assert store.get("s") == state

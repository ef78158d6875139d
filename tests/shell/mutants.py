"""Small scripts with one token changed, and how our parser's verdict on each compares with the shell's.

    python -m tests.shell.mutants [SEED [COUNT]]

prints the score of each dialect, and the mutants that are judged differently. The oracle for zsh is
`zcompile`, as in the program: `zsh -n` expands words, and so refuses texts whose syntax is right.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse

COMMON = r"""
if a; then b; elif c; then d; else e; fi
while read -r x; do echo "$x"; done < file
until a; do b; done
for x in a b c; do echo $x; done
case $x in a|b) c;; (d*) e; f;; *) g;; esac
f() { a; b; }
(a; b) | { c; d; } > file 2>&1
a && b || { c; exit 1; }
! a | b && c
x=$(a "$(b)") y=`c`
a <<E
b $(c)
E
{ a; b; } &
"""
BOTH = rf"""{COMMON}
[[ -n $x && ( $y == (a|b)* || ! -f "$z" ) ]] && a
[[ $x -eq 3 && "$y" != b ]] || a
[[ -f a || -d b ]]
[[ $x =~ ^[0-9]+$ ]] && a
[[ ! -e $x ]] && a
[[ $x < $y ]]
[[ -z $x ]] && [[ $y = a* ]]
[[ $x ]]
if [[ -n $x ]]; then a; fi
for ((i = 0; i < 3; i++)); do a; done
(( x > 2 && y )) && a
local -a x=(a b c)
x=(a b) y+=(c)
function f {{ a; }}
a <<<"$x" | b |& c
diff <(a) <(b)
coproc a
time a | b
select x in a b; do c; done
"""
ZSH = rf"""{BOTH}
for x (a b) c
for x in a b; {{ c }}
if [[ -n $x ]] {{ a }} elif (( y )) {{ b }} else {{ c }}
while (( x )) {{ a }}
repeat 3 do a; done
repeat 3 a
{{ a }} always {{ b }}
() {{ a $1 }} b
foreach x (a b)
a
end
case $x {{ a) b;; }}
a &!
x=( *(.Nom[1,3]) )
[[ $x == (#b)(*)/* ]]
[[ -n ${{(M)x:#a*}} || $x -nt $y ]]
f g() a
a[1,2]=(b) c[d]=e
"""
BASH = rf"""{BOTH}
x=([a]=b [c]=d)
f() (a; b)
[[ $x == @(a|b) ]]
a[1]=b
let x=3
case $x in a) b;& c) d;;& e) f;; esac
{{ a; }} {{x}}>file
"""
SOURCES = {
    Dialect.ZSH: (ZSH, "zsh"),
    Dialect.BASH: (BASH, "bash"),
    Dialect.SH: (COMMON, "dash"),
}
TOKEN = re.compile(
    r"""[ \t]+|\n|;;|&&|\|\||\$?\(\(|\)\)|\[\[|\]\]|"[^"\n]*"|[\w$.*+-]+|.""", re.DOTALL
)
INSERTED = (
    *(";", "&", "|", "&&", "||", "(", ")", "{", "}", "[[", "]]", "((", "))", ";;", "!", "<", ">"),
    *("then", "else", "elif", "fi", "do", "done", "case", "esac", "in", "for", "while", "if"),
    *("<<<", "-f", "-n", "-eq", "==", "=", "=~", "a", "$x", "$(a)", '"', "'", "`"),
)
ORACLES = {
    "zsh": "setopt noaliases; for f; do"
    " zcompile -U -- $f.zwc $f 2>/dev/null && print -r -- $f; done",
    # Of a faulty `[[` at the end bash complains and exits 0.
    "bash": 'for f; do bash -O extglob -n "$f" 2>&1 | grep -qv "warning: " || echo "$f"; done',
    "dash": 'for f; do dash -n "$f" 2>/dev/null && echo "$f"; done',
}


class Score(NamedTuple):
    """What the shell and the parser say of the mutants of one dialect.

    Attributes:
        mutants: how many were judged.
        refused: how many of them the shell refuses.
        passed: those that the shell refuses and we do not.
        accused: those that the shell takes and we call an error.
    """

    mutants: int
    refused: int
    passed: list[str]
    accused: list[str]

    def __str__(self) -> str:
        return (
            f"{self.mutants} mutants, {self.refused} refused by the shell: "
            f"{len(self.passed)} of these pass us in silence, "
            f"{len(self.accused)} are falsely called an error"
        )


def pieces(source: str) -> list[str]:
    """The commands of a source: whole lines, each with the lines that belong to its first command."""
    starts = {source.rfind("\n", 0, each.span.start) + 1 for each in parse(source).pipelines}
    bounds = [*sorted(starts), len(source)]
    return [source[at:to] for at, to in pairwise(bounds)]


def mutant(piece: str, chance: random.Random) -> str:
    """A piece with one token removed, doubled, moved, replaced or added."""
    tokens = TOKEN.findall(piece)
    at = chance.randrange(len(tokens))
    action = chance.choice(("remove", "double", "swap", "replace", "insert"))
    if action == "remove":
        del tokens[at]
    elif action == "double":
        tokens.insert(at, f"{tokens[at]} ")
    elif action == "swap":
        other = chance.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif action == "replace":
        tokens[at] = chance.choice(INSERTED)
    else:
        tokens.insert(at, f" {chance.choice(INSERTED)} ")
    return "".join(tokens)


def mutants(dialect: Dialect, seed: int, count: int) -> list[str]:
    """So many different mutants, the same for the same seed."""
    chance = random.Random(f"{seed} {dialect.value}")
    sources = pieces(SOURCES[dialect][0])
    found: dict[str, None] = {}
    while len(found) < count:
        found[mutant(chance.choice(sources), chance)] = None
    return list(found)


def accepted(shell: str, texts: Sequence[str]) -> list[bool]:
    """Whether the shell finds no error in each text; nothing of them is run."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{number}.txt") for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            Path(path).write_text(text)
        starter = ["zsh", "-fc"] if shell == "zsh" else ["bash", "-c"]
        told = subprocess.run(
            [*starter, ORACLES[shell], "oracle", *paths],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    fine = set(told.stdout.split())
    return [path in fine for path in paths]


def refused_by_us(text: str, dialect: Dialect) -> bool:
    """Whether the parser finds an error that the shell would not run."""
    return any(problem.fatal for problem in parse(text, dialect).problems)


def score(dialect: Dialect, seed: int, count: int) -> Score:
    """How the parser's verdicts compare with those of the shell of `dialect`."""
    texts = mutants(dialect, seed, count)
    fine = accepted(SOURCES[dialect][1], texts)
    ours = [refused_by_us(text, dialect) for text in texts]
    judged = list(zip(texts, fine, ours, strict=True))
    return Score(
        count,
        fine.count(False),
        [text for text, is_fine, refused in judged if not (is_fine or refused)],
        [text for text, is_fine, refused in judged if is_fine and refused],
    )


def main(arguments: Sequence[str]) -> None:
    """Print the score of each dialect, and what is judged differently."""
    numbers = [int(each) for each in arguments]
    seed, count = (*numbers, *(21, 1000)[len(numbers) :])
    for dialect in SOURCES:
        result = score(dialect, seed, count)
        print(f"{dialect.value}: {result}")
        for kind, texts in (("passed", result.passed), ("accused", result.accused)):
            for text in texts:
                print(f"  {kind}: {text.rstrip()!r}")


if __name__ == "__main__":
    main(sys.argv[1:])

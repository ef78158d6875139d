"""Scripts at random over the constructs that decide what becomes of a failure.

A seed gives the same script every time. Every external command has a name of its own (`c1`, `c2`),
so that a disagreement can be read; conditions of loops end, and nothing waits for time to pass.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from zsh_ls.model.syntax import Dialect

DEPTH = 3
# Scripts of these seeds also have functions as traps, `TRAPZERR`, anonymous functions, `;&`, `wait -n`, and
# `always` around a `return`; those of earlier ones stay as they were scored.
NEWER = 1_000_000
# Those of these seeds moreover have coprocesses, `select`, DEBUG and RETURN traps, `exec` that opens files,
# and variables that may be unset (`${x:?}`, `set -u`).
NEWEST = 2_000_000


def script(seed: int, dialect: Dialect) -> str:
    """The script of a seed: about ten commands."""
    return _Writer(random.Random(f"{dialect}{seed}"), dialect, seed).script()


class _Writer:
    def __init__(self, chance: random.Random, dialect: Dialect, seed: int) -> None:
        self.chance = chance
        self.dialect = dialect
        self.newer = seed >= NEWER
        self.newest = seed >= NEWEST
        self.count = 0
        self.functions: list[str] = []
        self.in_function = False
        self.in_loop = False
        self.budget = chance.randint(6, 18)

    @property
    def zsh(self) -> bool:
        return self.dialect is Dialect.ZSH

    def pick(self, choices: Sequence[tuple[int, Callable[[int], str]]], depth: int) -> str:
        """One of the choices, each as often as its number says."""
        weights = [weight for weight, _ in choices]
        return self.chance.choices(choices, weights)[0][1](depth)

    def script(self) -> str:
        lines = self.options()
        if self.chance.random() < 0.3:
            lines.append(self.trap())
        lines += [self.function() for _ in range(self.chance.choice((0, 0, 1, 1, 2)))]
        if self.newer and self.chance.random() < 0.4:
            lines.append(self.trapping_function())
        if self.newest and self.chance.random() < 0.3:
            lines.append(self.chance.choice(("set -u", "set -o nounset")))
        if self.newest and self.dialect is not Dialect.SH and self.chance.random() < 0.25:
            lines.append(f"trap '{self.name()}' DEBUG")
        while self.budget > 0:
            lines.append(self.statement(DEPTH))
        if self.functions and self.chance.random() < 0.7:
            lines.insert(len(lines), self.chance.choice(self.functions))
        if self.chance.random() < 0.25:
            lines.append(self.chance.choice(("exit 0", "exit", "exit $?", "exit 3")))
        return "\n".join(lines) + "\n"

    def options(self) -> list[str]:
        bash = [
            "set -e",
            "set -o pipefail",
            "shopt -s inherit_errexit",
            "shopt -s lastpipe",
            "set -E",
        ]
        zsh = [
            "set -e",
            "setopt pipefail",
            "setopt err_return",
            "setopt ERR_EXIT",
            "set -o pipefail",
        ]
        known = {Dialect.ZSH: zsh, Dialect.BASH: bash, Dialect.SH: ["set -e", "set -e"]}
        if self.chance.random() < 0.15:
            return []
        if self.chance.random() < 0.35:
            both = "set -e" if self.dialect is Dialect.SH else "set -euo pipefail"
            return [both]
        return self.chance.sample(known[self.dialect], self.chance.randint(1, 2))

    def change(self, _depth: int) -> str:
        """A change of options on the way."""
        common = ["set +e", "set -e"]
        if self.dialect is not Dialect.SH:
            common += ["set -o pipefail", "set +o pipefail"]
        if self.zsh:
            common += ["unsetopt err_exit", "setopt err_return", "setopt no_err_return"]
            if self.in_function:
                common += ["setopt localoptions", "emulate -L zsh"]
        return self.chance.choice(common)

    def trap(self) -> str:
        bodies = [self.name(), "exit 4", "exit", "exit 0", f"{self.name()}; {self.name()}"]
        events = ["EXIT"] if self.dialect is Dialect.SH else ["EXIT", "ERR"]
        event = self.chance.choice(events)
        if self.zsh and event == "ERR":
            event = self.chance.choice(("ERR", "ZERR"))
        return f"trap '{self.chance.choice(bodies)}' {event}"

    def function(self) -> str:
        name = f"f{len(self.functions)}"
        outside, self.in_function = self.in_function, True
        first = []
        if self.zsh and self.chance.random() < 0.2:
            first.append(self.chance.choice(("emulate -L zsh", "setopt localoptions errexit")))
        lines = [*first, *(self.statement(2) for _ in range(self.chance.randint(1, 3)))]
        if self.chance.random() < 0.25:
            lines.append(self.chance.choice(("return 0", "return", "return $?", "return 1")))
        self.in_function = outside
        self.functions.append(name)
        return f"{name}() {{\n" + "\n".join(lines) + "\n}"

    def name(self) -> str:
        self.count += 1
        self.budget -= 1
        return f"c{self.count}"

    def list(self, depth: int) -> str:
        return "\n".join(self.statement(depth) for _ in range(self.chance.choice((1, 1, 2))))

    def statement(self, depth: int) -> str:
        """One line of a script."""
        plain = [
            (20, lambda _: self.name()),
            (14, self.and_or),
            (7, self.pipeline),
            (6, self.assignment),
            (3, self.change),
            (3, self.status),
            (3, self.builtin),
            (2, self.background),
            (3, self.leave),
            (2, self.argument),
        ]
        nested = [
            (9, self.if_command),
            (4, self.loop),
            (3, self.case),
            (4, self.group),
            (4, self.subshell),
            (2 if self.zsh else 0, self.always),
        ]
        if self.newer:
            plain += [
                (2, self.first_job),
                (4 if self.zsh and self.in_function else 0, self.returning),
            ]
            nested += [(4 if self.zsh else 0, self.anonymous), (4, self.falling_case)]
        if self.newest:
            plain += [
                (4, self.opened),
                (5, self.unset),
                (3 if self.dialect is Dialect.BASH else 0, self.coprocess),
                (4 if self.dialect is Dialect.BASH and self.in_function else 0, self.return_trap),
            ]
            nested += [(4 if self.dialect is not Dialect.SH else 0, self.select)]
        return self.pick(plain if depth <= 0 or self.budget <= 0 else plain + nested, depth)

    def simple(self, depth: int) -> str:
        """What may stand in a list or a condition."""
        choices = [
            (12, lambda _: self.name()),
            (2, self.test),
            (2, self.group),
            (2, self.subshell),
            (1, self.assignment),
            (2, self.pipeline),
            (3, self.call),
        ]
        return self.pick(choices if depth > 0 else choices[:2], depth - 1)

    def call(self, depth: int) -> str:
        return self.chance.choice(self.functions) if self.functions else self.name()

    def test(self, _depth: int) -> str:
        self.budget -= 1
        tests = ["[ -n x ]", "test -e x"]
        if self.dialect is not Dialect.SH:
            tests += ["[[ -f x ]]", "(( 3 > 2 ))"]
        return self.chance.choice(tests)

    def and_or(self, depth: int) -> str:
        parts = [self.simple(depth)]
        for _ in range(self.chance.choice((1, 1, 1, 2))):
            ends = ["true", ":", "false"]
            ends += ["return", "return 1", "return 0"] if self.in_function else ["exit 1", "exit"]
            ends += ["continue", "break"] if self.in_loop else []
            right = self.chance.choice(ends) if self.chance.random() < 0.3 else self.simple(depth)
            parts += [self.chance.choice(("&&", "||")), right]
        negated = "! " if self.chance.random() < 0.1 else ""
        return _negated(negated, " ".join(parts))

    def pipeline(self, depth: int) -> str:
        parts = [self.name()]
        parts += [
            self.simple(min(depth, 1)) if self.chance.random() < 0.2 else self.name()
            for _ in range(self.chance.choice((1, 1, 2)))
        ]
        if self.chance.random() < 0.15:
            parts[-1] = "while read -r line; do " + self.name() + "; done"
        return ("! " if self.chance.random() < 0.1 else "") + " | ".join(parts)

    def assignment(self, depth: int) -> str:
        self.budget -= 1
        inner = self.chance.choice((self.name(), f"{self.name()}; {self.name()}", self.and_or(0)))
        if self.in_loop or self.in_function:
            inner = self.name()
        forms = [
            f"v=$({inner})",
            f'v="$({inner})"',
            f"v=`{self.name()}`",
            f"v=$({self.name()}) w=$({inner})",
        ]
        if self.in_function:
            forms += [f"local v=$({inner})"] if self.dialect is not Dialect.SH else []
        if self.dialect is not Dialect.SH:
            forms += [f"declare v=$({inner})"]
        return self.chance.choice([*forms, f"export V=$({inner})"])

    def argument(self, _depth: int) -> str:
        return self.chance.choice(
            (
                f'{self.name()} "$({self.name()})"',
                f'echo "$({self.name()})"',
                f"cat <<X\n$({self.name()})\nX",
            )
        )

    def status(self, depth: int) -> str:
        forms = [
            f"{self.name()}\nif [ $? -ne 0 ]; then {self.name()}; fi",
            f"{self.name()}\n[ $? -eq 0 ] || {self.name()}",
            f"{self.name()}; rc=$?\nif [ $rc -ne 0 ]; then {self.name()}; fi",
        ]
        forms += (
            [f"{self.name()} || return $?"] if self.in_function else [f"{self.name()} || exit $?"]
        )
        return self.chance.choice(forms)

    def builtin(self, _depth: int) -> str:
        self.budget -= 1
        return self.chance.choice(
            ("cd x", "echo x", "export X=1", "shift", "true", ". ./x", self.test(0))
        )

    def background(self, depth: int) -> str:
        job = self.chance.choice((self.name(), "{ " + f"{self.name()}; {self.name()}" + "; }"))
        wait = self.chance.choice(("wait", "wait $!", "wait"))
        return f"{job} &\n" + (f"{self.name()}\n" if self.chance.random() < 0.3 else "") + wait

    def leave(self, depth: int) -> str:
        if self.in_loop and self.chance.random() < 0.6:
            return self.name() + self.chance.choice((" || break", " || continue", " && continue"))
        if self.in_function:
            return self.name() + self.chance.choice((" || return 1", " || return", " && return"))
        return self.name() + self.chance.choice(
            (" || exit 1", " || exit", " || { echo no; exit 2; }")
        )

    def if_command(self, depth: int) -> str:
        negated = "! " if self.chance.random() < 0.15 else ""
        condition = self.chance.choice((self.simple, self.and_or, self.simple))(depth - 1)
        condition = _negated(negated, condition)
        text = f"if {condition}; then\n{self.list(depth - 1)}\n"
        if self.chance.random() < 0.2:
            text += f"elif {self.simple(0)}; then\n{self.list(depth - 1)}\n"
        if self.chance.random() < 0.4:
            text += f"else\n{self.list(depth - 1)}\n"
        return text + "fi"

    def loop(self, depth: int) -> str:
        outside, self.in_loop = self.in_loop, True
        body = self.list(depth - 1)
        heads = ["for i in 1 2", "for i in 1", f"while {self.name()}", f"until {self.name()}"]
        text = f"{self.chance.choice(heads)}; do\n{body}\ndone"
        self.in_loop = outside
        return text

    def case(self, depth: int) -> str:
        return f"case x in\n  x)\n{self.list(depth - 1)}\n;;\n  *) {self.name()} ;;\nesac"

    def group(self, depth: int) -> str:
        return "{\n" + self.list(depth - 1) + "\n}"

    def subshell(self, depth: int) -> str:
        loop, self.in_loop = self.in_loop, False
        text = f"(\n{self.list(depth - 1)}\n)"
        self.in_loop = loop
        return text

    def always(self, depth: int) -> str:
        return "{\n" + self.list(depth - 1) + "\n} always {\n" + self.list(0) + "\n}"

    def trapping_function(self) -> str:
        """A function that is a trap: by its name in zsh, or as the commands of one."""
        events = ["EXIT"] if self.dialect is Dialect.SH else ["EXIT", "ERR"]
        if self.zsh and self.chance.random() < 0.5:
            name = self.chance.choice(("TRAPZERR", "TRAPEXIT"))
            return f"{name}() {{\n{self.name()}\n}}"
        if not self.functions:
            return f"trap '{self.name()}' {events[-1]}"
        return f"trap {self.chance.choice(self.functions)} {self.chance.choice(events)}"

    def first_job(self, _depth: int) -> str:
        """A job, and a wait for the first of all to end."""
        wait = "wait -n" if self.dialect is Dialect.BASH else "wait $!"
        return f"{self.name()} &\n{wait}" + self.chance.choice(("", f" || {self.name()}"))

    def returning(self, _depth: int) -> str:
        """`always` around a `return`."""
        return f"{{\n{self.name()} || return 1\n{self.name()}\n}} always {{\n{self.name()}\n}}"

    def anonymous(self, depth: int) -> str:
        """zsh's function without a name."""
        outside, self.in_function = self.in_function, True
        loop, self.in_loop = self.in_loop, False
        text = "() {\n" + self.list(depth - 1) + "\n}"
        self.in_function, self.in_loop = outside, loop
        return text

    def falling_case(self, depth: int) -> str:
        """A `case` whose first arm falls through to the second one, where the shell has that."""
        end = ";;" if self.dialect is Dialect.SH else ";&"
        return f"case x in\n  x)\n{self.list(depth - 1)}\n{end}\n  y) {self.name()} ;;\nesac"

    def opened(self, _depth: int) -> str:
        """`exec` that opens a file."""
        self.budget -= 1
        return self.chance.choice(("exec 3<x", "exec 4>x", "exec 3<x || " + self.name()))

    def unset(self, _depth: int) -> str:
        """A look whether a variable is set."""
        self.budget -= 1
        look = self.chance.choice((': "${x:?}"', ': "${x:?no x}"', ': "$x"', ": ${x?}"))
        return self.chance.choice((look, look, f"{look} || {self.name()}", f"({look})"))

    def coprocess(self, depth: int) -> str:
        """A coprocess that reads and writes no pipe for long, and a wait for it."""
        job = self.chance.choice((self.name(), f"{{ {self.name()}; {self.name()}; }}"))
        return f"coproc {job} </dev/null\n" + self.chance.choice(("wait", "wait $!"))

    def return_trap(self, _depth: int) -> str:
        """A trap for the end of the function around."""
        return f"trap '{self.name()}' RETURN"

    def select(self, depth: int) -> str:
        """A menu with one answer, which is in a file: a pipe is read by the command of a DEBUG trap.

        bash makes a pipe of a here-document.
        """
        outside, self.in_loop = self.in_loop, True
        body = self.list(depth - 1)
        self.in_loop = outside
        end = self.chance.choice(("\nbreak", "\nbreak", ""))
        return f"select i in a b; do\n{body}{end}\ndone < answers"


def _negated(sign: str, text: str) -> str:
    """A list after `! ` or nothing; only bash takes `! !`."""
    return text if text.startswith("! ") else sign + text

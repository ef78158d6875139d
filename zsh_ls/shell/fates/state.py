"""What a shell knows while a script runs, as far as it decides what a failure does."""

from __future__ import annotations

from zsh_ls.lazy.typing import NamedTuple

# Why a node ended. NEXT: in the usual way; ERREXIT is an exit that the script did not write.
NEXT, EXIT, ERREXIT, RETURN, BREAK, CONTINUE = "", "exit", "errexit", "return", "break", "continue"
# Where zsh meets these in a function its EXIT traps act otherwise; `${name:?}` is the second.
ERREXIT_IN_FUNCTION, UNSET_IN_FUNCTION = f"{ERREXIT}()", f"{ERREXIT}(?)"
# Ends the signal of an `exit` that zsh met where errexit is ignored: it is ignored in the EXIT trap as well.
WHERE_IGNORED = " where errexit is ignored"
# A return that the script did not write: ERR_RETURN made it.
OPTION_RETURN = "return by option"


def leaves(signal: str) -> bool:
    """Whether the shell ends; the signal of a written `exit` tells which one it was."""
    return signal.startswith((EXIT, ERREXIT))


def returns(signal: str) -> bool:
    """Whether a function ends, by `return` or by ERR_RETURN."""
    return signal.startswith(RETURN)


MOST_VARIABLES = 12
# Beside the variables: the status of the last substitution, which zsh's `exec 3<file` takes for its own.
SUBSTITUTED = "$( )"
# The value of a variable in a function that was given one and does not look at it.
PASSED = -1
# Goes for the status of the last job among the names of variables that are of interest.
JOB = "$!"
# zsh has one flag of each for the whole shell, which each item of a list puts back as it begins: a compound
# command has ended, or `!` stands before the last pipeline (this_noerrexit in its source); the ZERR trap has
# run (donetrap).
COMPOUND, TRAPPED = 1, 2
# The number of a trap whose text is no constant.
COMPUTED = -2


class State(NamedTuple):
    """`status` is `$?`, `job` the status of `$!`; traps are numbers of the program's, -1 for none,
    `COMPUTED` for an ERR trap that cannot be told.

    `variables` has the statuses (numbers) that variables hold, by name, and that of SUBSTITUTED unless it
    is 0; `options` those that are on;
    `statuses` is `pipestatus`, in scripts that read it. `spent` says why zsh looks at the status of this
    item of a list no more, as far as it does not: `COMPOUND`, `TRAPPED`, or both.
    """

    status: int = 0
    options: frozenset[str] = frozenset()
    exit_trap: int = -1
    error_trap: int = -1
    job: int = 0
    variables: tuple[tuple[str, int], ...] = ()
    statuses: tuple[int, ...] = ()
    spent: int = 0

    def has(self, option: str) -> bool:
        """Whether an option is on."""
        return option in self.options

    def with_status(self, status: int) -> State:
        """The state with another status."""
        if status == self.status:
            return self
        return State(
            status,
            self.options,
            self.exit_trap,
            self.error_trap,
            self.job,
            self.variables,
            self.statuses,
            self.spent,
        )

    def value(self, name: str) -> int | None:
        """The status that a variable holds, None if that is not known."""
        value = dict(self.variables).get(name)
        return None if value == PASSED else value

    def with_value(self, name: str, value: int | None) -> State:
        """The state after an assignment."""
        values = dict(self.variables)
        values.pop(name, None)
        if value is not None:
            values[name] = value
        if len(values) > MOST_VARIABLES:
            # Each value of each variable is a state of its own: more would cost n * n.
            del values[min(values.keys() - {name})]
        return self._replace(variables=tuple(sorted(values.items())))

    def with_variables_of(self, names: frozenset[str] | None) -> State:
        """The state without the values of other variables than these, `JOB` among them; as it is for None."""
        if names is None or not (self.variables or self.job):
            return self
        kept = tuple(it for it in self.variables if it[0] in names or _base(it[0]) in names)
        job = self.job if JOB in names else 0
        if job == self.job and len(kept) == len(self.variables):
            return self
        return self._replace(variables=kept, job=job)

    def passing(self, names: frozenset[str]) -> State:
        """The state in which these variables have no values of their own."""
        if not self.variables:
            return self
        passed = tuple(
            (name, PASSED if _base(name) in names else it) for name, it in self.variables
        )
        return self if passed == self.variables else self._replace(variables=passed)

    def with_variables_around(self, names: frozenset[str], outside: State) -> State:
        """The state with the values that variables have in `outside`, except for these."""
        job = self.job if JOB in names else outside.job
        if not self.variables and not outside.variables and job == self.job:
            return self
        own = [it for it in self.variables if _base(it[0]) in names]
        if any(value == PASSED for _, value in own):
            before = dict(outside.variables)
            own = [(it, before[it] if value == PASSED else value) for it, value in own]
        others = [it for it in outside.variables if _base(it[0]) not in names]
        variables = tuple(sorted(own + others))
        if variables == self.variables and job == self.job:
            return self
        return self._replace(variables=variables, job=job)


def _base(name: str) -> str:
    """The variable that a name belongs to, which may be an element's."""
    return name.partition("[")[0]


class End(NamedTuple):
    """How a node ended, and in which state."""

    signal: str
    state: State


class Surroundings(NamedTuple):
    """What is around a node: whether a failure is looked at there, and what it runs in.

    `ignored` holds for errexit and error traps and in what is called; `returns_ignored` for
    ERR_RETURN, which takes effect again in a function. `kept` is the status that the shell had when
    its EXIT `trap` began.
    """

    ignored: bool = False
    returns_ignored: bool = False
    in_function: bool = False
    trap: str = ""
    kept: int = 0

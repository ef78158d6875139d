"""NEVERHANG at the door: a command that timed out three times in an hour has to wait (RUN-14)."""

from __future__ import annotations

from zsh_ls.alan import Alan
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.results import Circuit
from zsh_ls.model.words import Level

TRIAL = Insight(
    Level.WARNING,
    "NEVERHANG: Circuit HALF-OPEN: this command timed out before, this run is a trial. "
    "Success closes the circuit, a timeout opens it again.",
    "circuit-half-open",
)


async def gate(alan: Alan, command: str, circuit: Circuit | None) -> tuple[Insight, ...]:
    """What is to be said before `command` runs; raises Refused while its `circuit` is open.

    Of several runs that ask a half-open circuit at once, in whatever server,
    one is the trial; the others are refused.
    """
    if circuit is None:
        return ()
    if circuit.state == "open" or not await alan.trial(command):
        raise RequestRejected(_refusal(circuit))
    return (TRIAL,)


def _refusal(circuit: Circuit) -> str:
    reset = "Reset it with zsh/circuit (action reset) or `zsh-ls circuit reset`."
    if circuit.state == "half-open":
        return f"NEVERHANG: Circuit OPEN until the trial that is running has ended. {reset}"
    return (
        f"NEVERHANG: Circuit OPEN for this command after {circuit.timeouts} timeouts within an hour. "
        f"It may be tried again in {circuit.retry_in_s:.0f}s. {reset}"
    )

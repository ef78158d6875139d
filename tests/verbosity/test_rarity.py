"""Tests that the informative line of a long log is shown, in any language."""

import random
import uuid
from collections.abc import Callable

import pytest

from zsh_ls.verbosity.resolve import resolve
from zsh_ls.verbosity.values import ResolverInput

WORDS = "alpha bravo carbon delta ember fable gamma harbor island jungle kernel lumen".split()  # noqa: SIM905
NOISE: dict[str, Callable[[random.Random, int], str]] = {
    "counter": lambda r, n: f"processed batch {n} in {r.randint(0, 99)} ms",
    "uuid": lambda r, n: f"job {uuid.UUID(int=r.getrandbits(128))} done in {r.randint(1, 99)} ms",
    "request": lambda r, n: f"GET /{r.choice(WORDS)}/{r.getrandbits(32):x} 200 {r.randint(1, 999)}",
    "copy": lambda r, n: f"copied /{r.choice(WORDS)}/{r.choice(WORDS)} ({r.randint(1, 999)} bytes)",
    "json": lambda r, n: f'{{"t":{n},"id":"{r.getrandbits(40):x}","svc":"{r.choice(WORDS)}"}}',
    "stages": lambda r, n: r.choice([f"stage {n} ready", f"node {r.choice(WORDS)} joined"]),
}
TELLING = (
    "gateway refused the lease",
    "das Zertifikat ist abgelaufen",
    "錯誤: 無法連線",
    "E1234 near 7",
)


def _log(noise: str, telling: str, seed: int) -> str:
    chance = random.Random(seed)
    rows = [NOISE[noise](chance, n) for n in range(chance.choice([150, 700]))]
    rows.insert(chance.randrange(30, len(rows) - 60), telling)
    return "\n".join(rows)


@pytest.mark.parametrize("exit_status", [0, 1])
@pytest.mark.parametrize("noise", NOISE)
def test_one_telling_line_is_found_in_any_noise(noise: str, exit_status: int) -> None:
    for seed, telling in enumerate(TELLING):
        output = _log(noise, telling, seed)
        shown = resolve(ResolverInput("./deploy.sh", exit=exit_status, combined=output))
        assert telling in shown.output
        assert len(shown.output) < len(output) * 0.6


@pytest.mark.parametrize(
    ("row", "odd"),
    [
        ("shard {n} rows 1000", "shard {n} rows 0"),
        ("pod web-{n} ready 2/2", "pod web-{n} ready 1/2"),
        ("step {n} exit=0", "step {n} exit=137"),
        ("batch {n} in 7 ms", "batch {n} in 48211 ms"),
    ],
)
def test_a_number_that_alone_differs_is_found(row: str, odd: str) -> None:
    rows = [row.format(n=n) for n in range(600)]
    rows[300] = odd.format(n=300)
    for exit_status in (0, 1):
        shown = resolve(ResolverInput("./x.sh", exit=exit_status, combined="\n".join(rows)))
        assert rows[300] in shown.output.split("\n")


def test_a_counter_is_no_odd_number() -> None:
    output = "".join(f"row {n}\n" for n in range(1, 1001))
    assert (
        resolve(ResolverInput("seq 1000", exit=0, combined=output)).verbosity.omitted_lines == 975
    )

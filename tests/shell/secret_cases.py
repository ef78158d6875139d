"""Commands with secrets: the lines of tests/data/secrets filled with values made of pieces.

No secret, not even an invented one, stands in the repository: scanners would
rightly complain, and a literal could be learnt by heart by a rule.
"""

import random
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent.parent / "data" / "secrets"
ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
WORDS = (
    "correct",
    "horse",
    "battery",
    "staple",
    "violet",
    "harbour",
    "monsoon",
    "granite",
    "willow",
)

Make = Callable[[random.Random], str]


def of(alphabet: str, length: int, prefix: str = "") -> Make:
    return lambda rng: prefix + "".join(rng.choices(alphabet, k=length))


def password(rng: random.Random) -> str:
    return rng.choice(WORDS).title() + rng.choice("!_.+-") + "".join(rng.choices(ALNUM, k=7))


def phrase(rng: random.Random) -> str:
    return " ".join(rng.sample(WORDS, 3)) + "".join(rng.choices(string.digits, k=2))


def jwt(rng: random.Random) -> str:
    return "ey" + ".".join("J" + "".join(rng.choices(ALNUM, k=24)) for _ in range(3))


KINDS: dict[str, Make] = {
    "pw": password,
    "word": lambda rng: rng.choice(WORDS) + rng.choice(WORDS),
    "phrase": phrase,
    "opaque": of(ALNUM, 36),
    "base64": lambda rng: "".join(rng.choices(ALNUM, k=38)) + "==",
    "hex32": of(HEX, 32),
    "hex64": of(HEX, 64),
    "digits": of(string.digits, 8),
    "jwt": jwt,
    "github": of(ALNUM, 36, "gh" + "p_"),
    "gitlab": of(ALNUM, 20, "gl" + "pat-"),
    "aws_id": of(string.ascii_uppercase + string.digits, 16, "AK" + "IA"),
    "aws_secret": of(ALNUM + "/+", 40),
    "openai": of(ALNUM, 44, "s" + "k-proj-"),
    "stripe": of(ALNUM, 24, "s" + "k_live_"),
    "npm": of(ALNUM, 36, "np" + "m_"),
    "pypi": of(ALNUM, 60, "py" + "pi-"),
    "hf": of(ALNUM, 34, "h" + "f_"),
    "slack": lambda rng: "xo" + "xb-" + of(string.digits, 11)(rng) + "-" + of(ALNUM, 24)(rng),
    "slack_hook": lambda rng: (
        "T" + of(ALNUM, 8)(rng) + "/B" + of(ALNUM, 8)(rng) + "/" + of(ALNUM, 24)(rng)
    ),
    "vault": of(ALNUM, 24, "hv" + "s."),
}
PLACEHOLDER = re.compile(r"\{(" + "|".join(KINDS) + r")\}")


class SecretCase(NamedTuple):
    """A command, the secrets in it, and the line it was made of (its name in test reports)."""

    command: str
    secrets: tuple[str, ...]
    line: str


def lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text().splitlines() if line and line[0] != "#"]


def unfolded(line: str) -> str:
    """A heredoc is written on one line of the file."""
    return line.replace("\\n", "\n") if "<<" in line else line


def secret_cases(name: str) -> Iterator[SecretCase]:
    for line in lines(name):
        rng, secrets = random.Random(line), []

        def fill(found: re.Match[str], rng: random.Random = rng, made: list[str] = secrets) -> str:
            made.append(KINDS[found[1]](rng))
            return made[-1]

        command = unfolded(PLACEHOLDER.sub(fill, line))
        yield SecretCase(command, tuple(secrets), line)


def benign_cases(name: str) -> list[str]:
    return [unfolded(line) for line in lines(name)]

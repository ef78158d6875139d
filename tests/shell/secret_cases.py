"""Commands with secrets: the lines of tests/data/secrets, filled with generated values.

The repository contains no secret, not even an invented one: scanners would rightly
report it, and a rule could be written to match that literal instead of its form.
"""

import random
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from zsh_ls.shell.template.identity import identify

DATA = Path(__file__).parent.parent / "data" / "secrets"
ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
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

CATEGORY = "#: "  # before the name of the kind of command that follows
LINE_BREAK = "⏎"
TELLING_LENGTH = 9  # so much of a secret in one piece is a leak

Make = Callable[[random.Random], str]

# Shapes of values: what stands in angle brackets is an alphabet and a length, the rest is itself.
ALPHABETS = {
    "an": ALNUM,
    "hex": HEX,
    "HEX": HEX.upper(),
    "up": string.ascii_uppercase + string.digits,
    "low": string.ascii_lowercase + string.digits,
    "abc": string.ascii_lowercase,
    "d": string.digits,
    "url": ALNUM + "-_",
    "b64": ALNUM + "+/",
    "b32": BASE32,
    "nix": "0123456789abcdfghijklmnpqrsvwxyz",
    "b58": "".join(sorted(set(ALNUM) - set("0OIl"))),
}
SHAPE_PIECE = re.compile(r"<([a-zA-Z]+|b64:|b32:|b58:)(\d+)>")
VENDOR_SHAPES = dict(
    line.split(" ", 1) for line in (DATA / "vendor_shapes.tsv").read_text().splitlines() if line
)
HARMLESS_SHAPES = dict(
    line.split(" ", 1) for line in (DATA / "harmless_shapes.tsv").read_text().splitlines() if line
)


def shaped(shape: str) -> Make:
    """A function that makes values of a shape: `gsk_<an52>` is `gsk_` and 52 letters or digits."""

    def make(rng: random.Random) -> str:
        def piece(found: re.Match[str]) -> str:
            return "".join(rng.choices(ALPHABETS[found[1].rstrip(":")], k=int(found[2])))

        return SHAPE_PIECE.sub(piece, shape)

    return make


def of(alphabet: str, length: int, prefix: str = "") -> Make:
    return lambda rng: prefix + "".join(rng.choices(alphabet, k=length))


def password(rng: random.Random) -> str:
    return rng.choice(WORDS).title() + rng.choice("!_.+-") + "".join(rng.choices(ALNUM, k=7))


def phrase(rng: random.Random) -> str:
    return " ".join(rng.sample(WORDS, 3)) + "".join(rng.choices(string.digits, k=2))


def jwt(rng: random.Random) -> str:
    return "ey" + ".".join("J" + "".join(rng.choices(ALNUM, k=24)) for _ in range(3))


def hard(rng: random.Random) -> str:
    """A generated password with any sign that may stand in single quotes."""
    signs = rng.sample("$&@#%^*()[]{}~;:?,<>|", 5)
    kept = [*signs, *rng.choices(ALNUM, k=9)]
    rng.shuffle(kept)
    return rng.choice(ALNUM) + "".join(kept)


def uuid(rng: random.Random) -> str:
    return "-".join("".join(rng.choices(HEX, k=length)) for length in (8, 4, 4, 4, 12))


def private_key(rng: random.Random) -> str:
    dashes, name = "-" * 5, "OPENSSH PRIV" + "ATE KEY"
    body = ["".join(rng.choices(ALNUM + "+/", k=64)) for _ in range(4)]
    return "\n".join((f"{dashes}BEGIN {name}{dashes}", *body, f"{dashes}END {name}{dashes}"))


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
    "short": of(string.ascii_lowercase + string.digits, 8),
    "pin": of(string.digits, 6),
    "hard": hard,
    "uuid": uuid,
    "hex40": of(HEX, 40),
    "base32": of(BASE32, 32),
    "azure": lambda rng: of(ALNUM + "/+", 86)(rng) + "==",
    "digitalocean": of(HEX, 64, "do" + "p_v1_"),
    "tailscale": of(ALNUM, 28, "ts" + "key-auth-"),
    "age": of(BASE32, 58, "AGE-SEC" + "RET-KEY-1"),
    "telegram": lambda rng: of(string.digits, 10)(rng) + ":AA" + of(ALNUM + "_-", 33)(rng),
    "pem": private_key,
    "google": of(ALNUM + "_-", 35, "AI" + "za"),
    "hex16s": of(HEX, 16),
    **{name: shaped(shape) for name, shape in VENDOR_SHAPES.items()},
}
HARMLESS: dict[str, Make] = {
    "uuid_id": uuid,
    "sha1": of(HEX, 40),
    "hex8": of(HEX, 8),
    "hex10": of(HEX, 10),
    "hex12": of(HEX, 12),
    "hex16": of(HEX, 16),
    "hex64h": of(HEX, 64),
    "hex60": of(HEX, 60),
    "HEX16": of(HEX.upper(), 16),
    "HEX40": of(HEX.upper(), 40),
    "digits10": of(string.digits, 10, "7"),
    "epoch": of(string.digits, 8, "17"),
    "opaque44": of(ALNUM, 44),
    "base64ish": of(ALNUM + "/+", 43),
    "base32low": of(BASE32.lower(), 32),
    "base32low58": of(BASE32.lower(), 58),
    **{name: shaped(shape) for name, shape in HARMLESS_SHAPES.items()},
}
PLACEHOLDER = re.compile(r"\{(" + "|".join(KINDS | HARMLESS) + r")\}")


class SecretCase(NamedTuple):
    """A command, the secrets in it, and the line it was made from, which is its name in reports of tests."""

    command: str
    secrets: tuple[str, ...]
    line: str


def lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text().splitlines() if line and line[0] != "#"]


def categories(name: str) -> dict[str, str]:
    """The category of each line of a file ("" where the file names none)."""
    found, category = {}, ""
    for line in (DATA / name).read_text().splitlines():
        if line.startswith(CATEGORY):
            category = line.removeprefix(CATEGORY)
        elif line and line[0] != "#":
            found[line] = category
    return found


def unfolded(line: str) -> str:
    """The command that a line of the file stands for, with the line breaks of heredocs and of its own."""
    spread = line.replace(LINE_BREAK, "\n")
    return spread.replace("\\n", "\n") if "<<" in line else spread


def filled(line: str) -> SecretCase:
    rng, secrets = random.Random(line), []

    def fill(found: re.Match[str]) -> str:
        kind = found[1]
        value = (KINDS | HARMLESS)[kind](rng)
        if kind in KINDS:
            secrets.extend(value.split("\n")[1:-1] if kind == "pem" else [value])
        return value

    command = PLACEHOLDER.sub(fill, unfolded(line))
    return SecretCase(command, tuple(secrets), line)


def secret_cases(name: str) -> Iterator[SecretCase]:
    return map(filled, lines(name))


def benign_cases(name: str) -> list[str]:
    return [filled(line).command for line in lines(name)]


def leaks(case: SecretCase, text: str) -> bool:
    """Whether the text contains a secret, or so much of one that it helps to guess it."""
    return any(piece in text for secret in case.secrets for piece in pieces(secret))


def pieces(secret: str) -> Iterator[str]:
    length = min(TELLING_LENGTH, len(secret))
    return (secret[at : at + length] for at in range(len(secret) - length + 1))


def shown(command: str) -> str:
    """All fields of a command's identity except its text."""
    found = identify(command)
    ssh = (found.ssh.remote_template or "") if found.ssh else ""
    return "\n".join((found.template, found.base, found.command, *found.segments, ssh))

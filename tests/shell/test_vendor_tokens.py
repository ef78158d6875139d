"""Tokens of vendors: our own rules, those of gitleaks, and the tool that converts the latter."""

import json
import random
import re
import string
from importlib.resources import files
from re import _constants as ops
from re import _parser as parser
from typing import Any

import pytest

from tests.shell.secret_cases import ALNUM, VENDOR_SHAPES, shaped
from tools.update_vendor_tokens import beginnings, in_lines, python_pattern, translated
from zsh_ls.shell.redaction.redact import MARKER, mask_output, redact
from zsh_ls.shell.redaction.vendor_tokens import FORMS, MAKERS, entropy, names_its_vendor, tokens

FOLDER = files("zsh_ls.shell.redaction")
DATA = json.loads((FOLDER / "vendor_tokens.json").read_text())
RULES = {f"{number}-{rule['id']}": rule for number, rule in enumerate(DATA["tokens"])}
# Tokens that nothing tells but a name beside them.
NEED_A_NAME = {"okta", "launchdarkly_api"}


def drawn(parsed: Any, rng: random.Random) -> str:
    """A text that matches the pattern, made from its parsed form."""
    return "".join(_drawn(op, argument, rng) for op, argument in parsed)


def _drawn(op: Any, argument: Any, rng: random.Random) -> str:
    if op is ops.LITERAL:
        return chr(argument)
    if op is ops.MAX_REPEAT:
        low, high, inner = argument
        return "".join(drawn(inner, rng) for _ in range(rng.randint(low, min(high, low + 9))))
    if op is ops.SUBPATTERN:
        return drawn(argument[-1], rng)
    if op is ops.BRANCH:
        return drawn(rng.choice(argument[1]), rng)
    if op is ops.IN:
        allowed = [char for char in string.printable[:94] if _is_in(argument, char)]
        # What is drawn from letters and figures looks drawn; a class may hold signs beside them.
        return rng.choice([char for char in allowed if char in ALNUM] or allowed)
    if op is ops.ANY:
        return "."
    assert op in (ops.AT, ops.ASSERT_NOT), op
    return ""


def _is_in(argument: Any, char: str) -> bool:
    code = ord(char)
    return any(
        (kind is ops.LITERAL and value == code)
        or (kind is ops.RANGE and value[0] <= code <= value[1])
        or (kind is ops.CATEGORY and value is ops.CATEGORY_WORD and (char.isalnum() or char == "_"))
        or (kind is ops.CATEGORY and value is ops.CATEGORY_DIGIT and char.isdigit())
        for kind, value in argument
    )


@pytest.mark.parametrize("name", RULES)
def test_every_rule_of_gitleaks_finds_what_it_describes(name: str) -> None:
    rule, rng = RULES[name], random.Random(name)
    for _ in range(5):
        token = drawn(parser.parse(rule["pattern"]), rng)
        if entropy(token) < rule["entropy"] or len(token) < 20:
            continue
        assert redact(f"./tool {token} x") == f"./tool {MARKER} x"
        assert redact(f'curl "https://example.com/a?q={token}&b=1"').count(token[8:]) == 0
        assert token[8:] not in mask_output(f"line\nit is {token}, really\n")


@pytest.mark.parametrize("name", RULES)
def test_every_rule_of_gitleaks_is_tried_where_its_literal_stands_and_costs_little(
    name: str,
) -> None:
    rule = RULES[name]
    parsed = parser.parse(rule["pattern"])
    assert parsed.getwidth()[1] < 10_000
    assert re.compile(rule["pattern"]).groups == 0
    for seed in range(5):
        token = drawn(parsed, random.Random(seed))
        assert token.startswith(tuple(rule["literals"]), rule["before"]), token


@pytest.mark.parametrize("vendor", sorted(VENDOR_SHAPES.keys() - NEED_A_NAME))
def test_a_token_of_a_vendor_is_found_wherever_it_stands(vendor: str) -> None:
    rng = random.Random(vendor)
    token = shaped(VENDOR_SHAPES[vendor])(rng)
    word = f"'{token}'" if "$" in token else token
    for text in (
        f"./tool {word}",
        f"echo '{token}'|tee k",
        f"a;./tool -x={word};b",
        f"({word})",
    ):
        left = redact(text)
        assert token[8:20] not in left, text
        assert token[-9:] not in left, text


@pytest.mark.parametrize(
    "text",
    [
        *(f"{prefix} and more words of a sentence" for prefix in ("gsk_", "sk-", "xai-", "re_")),
        "ls sk-learn-baseline-lr0.001-wd0.01-seed42-epochs100",
        "rm -rf fc-cache-rebuild-for-all-users-on-host-12",
        "make re_build_everything_from_scratch_please_2",
        "docker pull alpine@sha256:" + "0123456789abcdef" * 4,
        "echo AKIAAAAAAAAAAAAAAAAAAAA glpat-xxxxxxxxxxxxxxxxxxxxxxxx",
        "git show 4b1d" + "0a1b2c3d" * 4 + "4e5f",
        "x" * 4_000,
    ],
)
def test_what_only_begins_like_a_token_is_none(text: str) -> None:
    assert list(tokens(text)) == []


HOSTILE = [
    *(
        "ey-",
        "sk-",
        "sk-proj-",
        "gsk_",
        "glpat-",
        "xoxe.xoxb-1-",
        "t1.",
        "-us",
        "Q~",
        "AKIA",
        "SG.",
    ),
    *(
        "eyaaaaaaaaaaaaaaaaaa.ey-",
        "sntrys_eyJpYXQiOaaaaaaaaaaaaaa",
        "://a:",
        "$a",
        "p=abcd;$p ",
        "/A0",
    ),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_repetitions_that_never_become_a_token_are_read_in_bounded_time(piece: str) -> None:
    redact(piece * (16_000 // len(piece)))
    mask_output(piece * (50_000 // len(piece)))


def test_a_secret_named_by_its_vendor_is_found_without_a_name_that_says_secret() -> None:
    rng = random.Random(7)
    value = "".join(rng.choices("0123456789abcdef", k=32))
    assert redact(f"CODECOV={value} ./upload") == f"CODECOV={MARKER} ./upload"
    assert not names_its_vendor("CODECOV_SHA", value)
    assert redact(f"CODECOV_SHA={value} ./upload") == f"CODECOV_SHA={value} ./upload"


def test_each_line_of_our_own_tables_has_all_its_columns() -> None:
    for line in MAKERS.strip().splitlines():
        least, *prefixes = line[20:].split()
        assert int(least) >= 20
        assert prefixes, line
    for line in FORMS.strip().splitlines():
        literal, before, pattern = line[14:].split()
        token = drawn(parser.parse(pattern), random.Random(line))
        assert token.startswith(literal, int(before)), line


def test_the_data_says_where_it_is_from_and_its_licence_lies_beside_it() -> None:
    source = DATA["source"]
    assert source["release"]
    assert re.fullmatch("[0-9a-f]{64}", source["sha256"])
    licence = (FOLDER / "vendor_tokens.license.txt").read_text()
    assert "MIT License" in licence
    assert "Copyright (c) 2019 Zachary Rice" in licence
    assert all(DATA["left_out"].values())
    assert (FOLDER / "vendor_tokens.json").read_text() == in_lines(DATA)


OF_GO = {
    "rules": [
        {
            "id": "a-token",
            "regex": r"""\b(acme_(?i)[a-z0-9]{20}|corp-[[:alnum:]]{20,})(?:[\x60'"\s;]|\\[nr]|$)""",
            "entropy": 3,
            "keywords": ["acme_"],
        },
        {
            "id": "b-named",
            "regex": r"""(?i)[\w.-]{0,50}?(?:bcorp)(?:[ \t\w.-]{0,20})[\s'"]{0,3}"""
            r"""(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-z0-9]{32})(?:[\x60'"\s;]|\\[nr]|$)""",
        },
        {"id": "generic-api-key", "regex": "x"},
        {"id": "some-client-id", "regex": "x"},
    ]
}


def test_rules_in_the_syntax_of_go_become_bounded_patterns_without_groups() -> None:
    made = translated(OF_GO)
    assert made["tokens"] == [
        {
            "id": "a-token",
            "literals": ["acme_", "corp-"],
            "before": 0,
            "pattern": "(?:acme_(?i:[a-z0-9]{20})|(?i:corp-[A-Za-z0-9]{20,2000}))(?![A-Za-z0-9])",
            "entropy": 3,
        }
    ]
    assert made["named"] == [{"id": "b-named", "names": "(?:bcorp)", "value": "(?i:[a-z0-9]{32})"}]
    assert set(made["left_out"]) == {"generic-api-key", "some-client-id"}


def test_a_rule_that_begins_with_nothing_is_refused_not_guessed_at() -> None:
    with pytest.raises(ValueError, match="nothing to begin with"):
        translated({"rules": [{"id": "c", "regex": "[a-z]{40}", "keywords": []}]})


@pytest.mark.parametrize(
    ("go", "python"),
    [
        (r"a(?i)b|c", r"a(?i:b)|(?i:c)"),
        (r"(?i)x(y(?-i)z)w", r"(?i:x(?:y(?-i:z))w)"),
        (r"(?P<n>a+)b*\z", r"(?:a{1,2000})b{0,2000}\Z"),
        (r"[]+*]{3,}\+", r"[]+*]{3,2000}\+"),
    ],
)
def test_the_translation_of_go_s_syntax(go: str, python: str) -> None:
    assert python_pattern(go) == python


def test_the_literals_a_pattern_begins_with() -> None:
    assert beginnings(r"(?:ab|c[de])f\d") == {"abf", "cdf", "cef"}
    assert beginnings(r"x?y") == {""}

"""Templates of the commands in tests/data/templates.tsv; no template contains a value."""

import re
import string
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zsh_ls.shell.template.identity import identify
from zsh_ls.shell.template.tables import KNOWN_PROGRAMS, USUAL_SUB_COMMANDS

TABLE = Path(__file__).parent.parent / "data" / "templates.tsv"
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize(("command", "template", "base"), ROWS, ids=[row[0] for row in ROWS])
def test_a_command_has_its_template(command: str, template: str, base: str) -> None:
    found = identify(command)
    assert found.template == template
    assert found.base == base


# A letter no table has makes a word unknown, whatever else is in it.
VALUES = st.text(alphabet=string.ascii_letters + string.digits + "_", min_size=3, max_size=12).map(
    lambda text: f"q{text}q7"
)
PLACES = [
    "mytool {v}",
    "mytool {v} {v}",
    "mytool -p {v}",
    "mytool -p{v}",
    "mytool -{v}",
    "mytool --password {v}",
    "mytool --name={v}",
    "mytool -- {v}",
    "mytool '{v}'",
    'mytool "{v} {v}"',
    "mytool $({v})",
    "mytool <<< {v}",
    "mytool > {v}",
    "mytool <<E\n{v}\nE",
    "NAME={v} mytool",
    "sudo -u {v} mytool",
    "env {v}={v} mytool {v}",
    "mytool # {v}",
    "mytool a{v}b.{v}",
    "ssh {v} mytool",
    "ssh host {v}",
    "ssh host {v} {v}",
    "ssh -i {v} host 'mytool {v}'",
    "sh -c 'mytool {v}'",
    "mytool | mytool {v}",
    "for x in {v}; do mytool; done",
    "case {v} in a) mytool;; esac",
    "git push {v}",
    "git commit -m {v}",
    "git -c {v} status",
    "docker run {v}",
    "kubectl get {v}",
    "kubectl -n {v} get pods",
    "pass {v}",
    "openssl {v}",
    "bash {v}",
    "python -c {v}",
    "python {v}",
    "grep -e{v} x",
    "mysql -p{v}",
    "curl -u{v}",
    "find . -name {v}",
    "xargs -I {v} mytool {v}",
    "make CC={v}",
    "arr=({v} {v}); mytool",
    "mytool {v} && cd {v}",
]


@pytest.mark.parametrize("place", PLACES)
@settings(max_examples=20)
@given(value=VALUES)
def test_no_value_is_in_a_template(place: str, value: str) -> None:
    found = identify(place.replace("{v}", value))
    ssh = (found.ssh.remote_template or "") if found.ssh else ""
    for text in (found.template, found.base, *found.segments, ssh):
        assert value.lower() not in text.lower()


# The first word of a program nobody knows may be a usual sub-command: those are a closed list.
USUAL = "|".join(map(re.escape, sorted(USUAL_SUB_COMMANDS)))


@given(st.text(max_size=60), st.text(max_size=60))
@example("pr", "")
def test_an_unknown_programs_template_has_but_its_name_and_option_names(a: str, b: str) -> None:
    found = identify(f"mytool {_quoted(a)} --name {_quoted(b)}")
    assert re.fullmatch(
        rf"mytool( ({USUAL}))?( \*| --name| --[A-Za-z][A-Za-z0-9-]*(=\*)?| --(\*)?| -[A-Za-z*]\*?)*",
        found.template,
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "") + "'"


def test_the_known_programs_are_names_of_programs() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_.+\[-]+", name) for name in KNOWN_PROGRAMS)


def test_a_template_is_never_longer_than_its_limit() -> None:
    many = " | ".join(f"program{number:03}-with-a-long-name" for number in range(6))
    assert len(identify(many).template) <= 200

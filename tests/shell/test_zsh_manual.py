"""What zsh's manual says of parts of a text, without the manual being installed."""

from __future__ import annotations

import pytest

from zsh_ls.shell.zsh_manual.lookup import command, manual, mentions, option

# A text, and the words of it that the manual tells of with the entries' names.
TOLD = {
    "setopt extendedglob no_nomatch": {"extendedglob": ["extendedglob"], "no_nomatch": ["nomatch"]},
    "unsetopt CASE_GLOB; echo case": {"CASE_GLOB": ["caseglob"]},
    "set -o pipefail": {"pipefail": ["pipefail"]},
    "set -euo pipefail": {"-euo": ["errexit", "unset"], "pipefail": ["pipefail"]},
    "set -e; set -- -f": {"-e": ["errexit"]},
    "set -A words -f": {},
    "[[ -f $x && ! -d y ]] && ls -f": {"-f": ["-f"], "-d": ["-d"]},
    "if [ a -nt b ]; then tar -nt f; fi": {"-nt": ["-nt"]},
    "test -s log || print -s x": {"-s": ["-s"]},
    'lines=("${(@f)$(<file)}")': {"(@f)": ["@", "f"]},
    "print ${(s:/:j:,:)x} ${(l:10::0:)n}": {"(s:/:j:,:)": ["s", "j"], "(l:10::0:)": ["l"]},
    "echo $pipestatus $? $1": {"pipestatus": ["pipestatus"], "?": ["?"]},
    "ls *(.om[1])": {".om[1]": [".", "o"]},
    "rm -f **/*(#qN.mh-2)": {"N.mh-2": ["N", ".", "m"]},
    "print ${f:t:r}": {":t:r": ["t", "r"]},
    "ls (#i)readme*": {"i": ["i"]},
    "echo 'setopt: $pipestatus ${(f)x}'": {},
    "foo(bar)": {},
    "case $x in (a|b) ;; esac": {},
    "f() { echo hi }": {},
}


@pytest.mark.parametrize("text", TOLD)
def test_the_parts_of_a_text_that_the_manual_tells_of(text: str) -> None:
    found = {
        text[it.span.start : it.span.end]: [one.name for one in it.entries] for it in mentions(text)
    }
    assert found == TOLD[text]


def test_the_manual_is_whole_and_says_things() -> None:
    kinds = {kind for kind, _ in manual()}
    assert kinds >= {
        "option",
        "parameter",
        "expansion flag",
        "glob qualifier",
        "test",
        "builtin",
        "function",
    }
    assert sum(kind == "option" for kind, _ in manual()) > 180
    for one in manual().values():
        assert one.text
        assert one.page.startswith("zsh")
        assert "\\" not in one.heading


def test_an_option_is_known_however_it_is_written() -> None:
    written = ("extendedglob", "EXTENDED_GLOB", "noextendedglob", "no_Extended_Glob")
    assert len({option(name) for name in written}) == 1
    assert option("nosuchoption") is None
    styles = command("zstyle")
    assert styles is not None
    assert "styles" in styles.text

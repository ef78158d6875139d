"""Which shells' syntax errors are reported for a text, and for which of its lines."""

import pytest

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.error_policy import is_case_arm, lines_read, syntax_authorities
from zsh_ls.shell.syntax.parser import parse

ZSH, BASH, SH = Dialect.ZSH, Dialect.BASH, Dialect.SH


@pytest.mark.parametrize(
    ("first_line", "name", "dialect", "expected"),
    [
        ("#!/bin/zsh", "x", ZSH, (ZSH,)),
        ("#!/usr/bin/env bash", "x", BASH, (BASH,)),
        ("#!/bin/sh", "x.sh", SH, (SH, BASH)),
        ("#!/usr/bin/env sh", "x", SH, (SH, BASH)),
        ("#!/bin/dash", "x.sh", SH, (SH,)),
        ("#!/bin/bash", "x.sh", BASH, (BASH,)),
        ("#!/bin/bash", "x.zsh", BASH, (BASH, ZSH)),
        ("#!/bin/sh", "x.plugin.zsh", SH, (SH, ZSH, BASH)),
        ("#!/bin/zsh", "x.bash", ZSH, (ZSH, BASH)),
        ("#!/bin/ksh -p", "x.sh", SH, ()),
        ("#!/bin/busybox sh", "x", SH, ()),
        ("#!/usr/bin/env bats", "x", BASH, ()),
        ("@test 'x' {", "x.bats", BASH, ()),
        ("a", "x.ksh", SH, ()),
        ("a", "x.sh", SH, (SH, BASH, ZSH)),
        ("a", "x.sh", BASH, (BASH, SH, ZSH)),
        ("a", "x.bash", BASH, (BASH,)),
        ("a", ".bashrc", BASH, (BASH,)),
        ("a", "x.zsh", ZSH, (ZSH,)),
        ("a", None, SH, (SH, BASH, ZSH)),
        ("#!/bin/bash\nalias ll='ls -l'", "alias.sh", BASH, (BASH, ZSH)),
        ("a", "/home/x/fragments/arguments.sh", BASH, ()),
        ("#!/bin/bash", "tools/build-template.sh", BASH, ()),
        ("#! /bin/sh /usr/share/dpatch/dpatch-run", "browser.dpatch", SH, ()),
        ("https://example.org/wiki/(resizing)", "ffmpeg.sh", BASH, ()),
    ],
)
def test_a_shell_that_surely_reads_it_judges_alone(first_line, name, dialect, expected):
    assert syntax_authorities(f"{first_line}\n", dialect, name) == expected


def test_what_a_framework_for_tests_rewrites_is_not_judged():
    text = '#!/usr/bin/env zsh\nsource helper.zsh\nT_SUB "adds" ((\n  t_ok $?\n))\n'
    assert syntax_authorities(text, ZSH, "add.t") == ()


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/bash\nsudo systemsetup -setnetworktimeserver <your.time.server>\n",
        "#!/bin/bash -e\ngit checkout {branch}\nfetch() {{\n  git fetch $1\n}}\nfetch origin\n",
        '#!/bin/bash\nload helpers\n@test "it is up" {\n  run ping -c 1 db\n}\n',
        '<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN">\n',
    ],
)
def test_a_text_that_no_shell_is_to_read_has_no_errors(text):
    assert syntax_authorities(text, Dialect.BASH, "x.sh") == ()


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/bash\nsort <in >out\nfi\n",
        "#!/bin/bash\n# ssh <host>\necho '<host>'\nfi\n",
        "#!/bin/bash\nfetch() {{\n  git fetch ${1}\n}}\n",
    ],
)
def test_redirections_and_comments_are_no_gaps_to_fill_in(text):
    assert syntax_authorities(text, Dialect.BASH, "x.sh") == (Dialect.BASH,)


def test_the_arms_of_a_case_are_a_piece_of_a_script():
    assert is_case_arm("# a label\nfirefox|firefox2)\n  name=Firefox\n  ;;\n")
    assert is_case_arm("*)\n  exit 1\n  ;;\nesac\necho done\n")
    assert not is_case_arm("a )\n")
    assert not is_case_arm("echo a\nfirefox)\n name=x\n ;;\n")
    assert not is_case_arm("#!/bin/sh\na)\n ;;\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('#!/bin/sh\nexec wish "$0" -- "$@"\nif {[catch x]} {\n}\n', 2),
        ('#!/bin/sh\ntest "$BASH" || exec bash "$0" "$@"\nx=(a)\n', 2),
        ('#!/bin/sh\nif a; then\n exec /bin/zsh -f "$0"\nfi\nx=(a)\n', 4),
        ("#!/bin/sh\ntest a || exec make\nx=(a)\n", 4),
        ("#!/bin/sh\na\nexit 0\n)(\n", 3),
        ("#!/bin/sh\na || exit 1\n)\n", 4),
        ("#!/bin/sh\na &&\nexit 1\n)\n", 5),
        ("#!/bin/sh\nexec 2>/dev/null\n)\n", 4),
        ("#!/bin/sh\nif a; then exit; fi\n)\n", 4),
        ("exit\n)\n", 3),
        ('#!/bin/sh\n"exec" "python3" "$0" "$@"\ndef f(a):\n', 2),
        ("#!/bin/sh\n''''exec python3 -u \"$0\" # '''\ndef f(a):\n", 2),
        ("#!/bin/sh\n''':'\nif a; then exec python3 \"$0\"; fi\n'''\ndef f(a):\n", 3),
        ("#!/bin/sh\na || exec python3 x.py\n)\n", 4),
    ],
)
def test_what_stands_behind_its_end_is_not_read(text, lines):
    assert lines_read(parse(text, SH)) == lines


@pytest.mark.parametrize("name", ["lib.zsh.bak", "lib.orig", "install.sh~", "install.sh_backup"])
def test_a_copy_that_was_put_aside_is_run_by_nobody(name):
    assert syntax_authorities("#!/bin/bash\nfi\n", Dialect.BASH, name) == ()


def test_the_text_of_a_makefile_is_no_script():
    recipes = "date:\n\t@echo $(shell date)\n\ntest:\n\ttar -cf x.tar *\n"
    assert syntax_authorities(f"ls *\n{recipes}", SH, "backup.sh") == ()
    assert syntax_authorities("#!/bin/sh\ncat <<X\na:\n\tb\nX\nfi\n", SH, "x.sh") != ()

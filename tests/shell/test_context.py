"""The context of pipelines: what checks their status, what they run in, which options are set."""

import pytest

from zsh_ls.model.context import Context, Setting, StatusCheck
from zsh_ls.model.syntax import Dialect, SubstitutionKind
from zsh_ls.shell.status.context import context_of, contexts
from zsh_ls.shell.syntax.parser import parse

ANY = object()
# Of the prototype's study: source, and of some pipelines their number of segments, who checks
# them, the substitution or "subshell" around, the function, errexit and pipefail.
STUDY = [
    (
        "if a | b; then c; fi",
        {"a | b": (2, "condition", "", "", 0, 0), "c": (1, "none", "", "", 0, 0)},
    ),
    (
        "a && b || c",
        {
            "a": (1, "and", "", "", 0, 0),
            "b": (1, "or", "", "", 0, 0),
            "c": (1, "none", "", "", 0, 0),
        },
    ),
    ("set -e\n! grep x f", {"! grep x f": (1, "negated", "", "", 1, 0)}),
    ("set -euo pipefail\na | head -1", {"a | head -1": (2, "none", "", "", 1, 1)}),
    ("setopt ERR_EXIT pipe_fail\na|b|c", {"a|b|c": (3, "none", "", "", 1, 1)}),
    ("x=$(a | b)", {"a | b": (2, "none", "$()", "", 0, 0)}),
    (
        "local x=$(a)",
        {"a": (1, "none", "$()", "", 0, 0), "local x=$(a)": (1, "none", "", "", 0, 0)},
    ),
    ("f() { a | b }", {"a | b": (2, "none", "", "f", 0, 0)}),
    (
        "( cd x; a )",
        {"cd x": (1, "none", "subshell", "", 0, 0), "a": (1, "none", "subshell", "", 0, 0)},
    ),
    (
        "while read -r l; do a; done < <(b | c)",
        {
            "read -r l": (1, "condition", "", "", 0, 0),
            "a": (1, "none", "", "", 0, 0),
            "b | c": (2, "none", "<()", "", 0, 0),
        },
    ),
    (
        "a | while read x; do b; done",
        {"read x": (1, "condition", "", "", 0, 0), "b": (1, "none", "", "", 0, 0)},
    ),
    (
        "cat <<EOF | b\n$(c)\nEOF\nd",
        {
            "cat <<EOF | b": (2, "none", "", "", 0, 0),
            "c": (1, "none", "$()", "", 0, 0),
            "d": (1, "none", "", "", 0, 0),
        },
    ),
    (
        "cat <<'EOF'\n$(c) | x\nEOF\nd",
        {"d": (1, "none", "", "", 0, 0), "cat <<'EOF'": (1, "none", "", "", 0, 0)},
    ),
    ("for i (a b) c $i | d", {"c $i | d": (2, "none", "", "", 0, 0)}),
    (
        "if [[ -n $x ]] { a } else { b | c }",
        {"a": (1, "none", "", "", 0, 0), "b | c": (2, "none", "", "", 0, 0)},
    ),
    ("() { a } b | c", {"a": (1, "masked", None, "()", 0, 0)}),
    ('print ${(f)"$(a | b)"}', {"a | b": (2, "none", "$()", "", 0, 0)}),
    (
        "print *(.Nom[1,3]) **/*(#q.) | wc",
        {"print *(.Nom[1,3]) **/*(#q.) | wc": (2, "none", "", "", 0, 0)},
    ),
    (
        "diff =(a | b) =(c)",
        {"a | b": (2, "none", "=()", "", 0, 0), "c": (1, "none", "=()", "", 0, 0)},
    ),
    (
        "{ a } always { b | c }",
        {"a": (1, "none", "", "", 0, 0), "b | c": (2, "none", "", "", 0, 0)},
    ),
    ("repeat 3 a | b", {"a | b": (2, "none", "", "", 0, 0)}),
    (
        "case $x in (a|b) c | d ;; *) e ;& esac",
        {"c | d": (2, "none", "", "", 0, 0), "e": (1, "none", "", "", 0, 0)},
    ),
    (
        '[[ $x == (a|b)* && $y =~ "c|d" ]] || die "x | y"',
        {'die "x | y"': (1, "none", "", "", 0, 0)},
    ),
    ("a |& b 2>&1 |\n # note\n c", {"a |& b 2>&1 |\n # note\n c": (3, "none", "", "", 0, 0)}),
    (
        "set -e\nset +e\na\nset -e\nb",
        {"a": (1, "none", "", "", 0, 0), "b": (1, "none", "", "", 1, 0)},
    ),
    ("(set -e; a); b", {"a": (1, "none", "subshell", "", 1, 0), "b": (1, "none", "", "", 0, 0)}),
    (
        "echo \"x | y\" 'a && b' \\| c # d | e",
        {"echo \"x | y\" 'a && b' \\| c": (1, "none", "", "", 0, 0)},
    ),
    ("(( x > 1 || y )) && a <1-5> | b", {"a <1-5> | b": (2, "none", "", "", 0, 0)}),
    (
        "until a; do b; done &|\nc",
        {"a": (1, "condition", None, "", 0, 0), "c": (1, "none", "", "", 0, 0)},
    ),
    ("{ a; b } && c", {"a": (1, "and", "", "", 0, 0), "c": (1, "none", "", "", 0, 0)}),
    (
        "echo `a | b` $((1|2)) ${x:-$(c)}",
        {"a | b": (2, "none", "$()", "", 0, 0), "c": (1, "none", "$()", "", 0, 0)},
    ),
    ("time a | b", {"time a | b": (2, "none", "", "", 0, 0)}),
    ("coproc a | b\nc", {"c": (1, "none", "", "", 0, 0)}),
    (
        "a=(x $(b) # it's\n y)\nc | d",
        {"b": (1, "none", "$()", "", 0, 0), "c | d": (2, "none", "", "", 0, 0)},
    ),
    (
        "function f g { a; }; x=1 y | z",
        {"a": (1, "none", "", None, 0, 0), "x=1 y | z": (2, "none", "", "", 0, 0)},
    ),
    (
        'alias -g L="| less"; a >&2 2>/dev/null && b > >(c)',
        {"a >&2 2>/dev/null": (1, "and", "", "", 0, 0), "c": (1, "none", ">()", "", 0, 0)},
    ),
]


def found(text, dialect=Dialect.ZSH, **options):
    script = parse(text, dialect)
    placed = contexts(script, **options)
    return {script.source(each.pipeline.span): each for each in reversed(placed)}


def summary(placed):
    context = placed.context
    around = {"`": "$()"}.get(context.substitution or "", (context.substitution or "") + ")")
    alone = len(placed.pipeline.segments) == 1
    where = around if context.substitution else "subshell" if context.subshell and alone else ""
    options = (context.errexit is Setting.ON, context.pipefail is Setting.ON)
    checked = context.checked.value
    return (len(placed.pipeline.segments), checked, where, context.function or "", *options)


@pytest.mark.parametrize(("text", "expected"), STUDY)
def test_the_snippets_of_the_study(text, expected):
    placed = found(text)
    for source, wanted in expected.items():
        for seen, want in zip(summary(placed[source]), wanted, strict=True):
            assert want is None or seen == want, source


def checked(text, dialect=Dialect.ZSH):
    return {source: each.context.checked.value for source, each in found(text, dialect).items()}


CHECKED = [
    ("if a; then b; else c; fi", {"a": "condition", "b": "none", "c": "none"}),
    ("if a; b; then c; fi", {"a": "condition", "b": "condition"}),
    ("if a; then b; elif c; then d; fi", {"c": "condition", "d": "none"}),
    ("if [[ a ]] { b }", {"[[ a ]]": "condition", "b": "none"}),
    ("until a; do b; done", {"a": "condition", "b": "none"}),
    ("while { a; b }; do c; done", {"a": "condition", "b": "condition", "c": "none"}),
    ("! { a; b }", {"a": "negated"}),
    ("{ a | b } || c", {"a | b": "or", "c": "none"}),
    ("( a; b ) && c", {"a": "and", "b": "and"}),
    ("for x in 1; do a; done || b", {"a": "or"}),
    ("case x in a) b;; esac && c", {"b": "and"}),
    ("{ a; b } | c", {"a": "masked", "b": "masked"}),
    ("set -o pipefail; { a; b } | c", {"a": "none"}),
    ("a | { b; c }", {"b": "none"}),
    ("if f; then :; fi; f() { a }", {"a": "none"}),
    ("x=$(a) || b", {"a": "or"}),
    ("if [[ $(a) ]] { b }", {"a": "condition"}),
    ("echo $(a) | b", {"a": "none"}),
    ("() { a } && b", {"a": "and"}),
    ("{ a } always { b }", {"a": "none", "b": "none"}),
    ("a && b && c", {"a": "and", "b": "and", "c": "none"}),
]


@pytest.mark.parametrize(("text", "expected"), CHECKED)
def test_who_checks_a_status(text, expected):
    seen = checked(text)
    assert {source: seen[source] for source in expected} == expected


OFF, ON, MAYBE = "off", "on", "maybe"
ERREXIT = [
    ("#!/bin/zsh -e\na", "a", ON),
    ("#!/usr/bin/env -S zsh -eu\na", "a", ON),
    ("set -e; a", "a", ON),
    ("set -o errexit; a", "a", ON),
    ("set -euo pipefail; a", "a", ON),
    ("set -uo err_exit; a", "a", ON),
    ("set -ou errexit; a", "a", ON),
    ("setopt ERR_EXIT; a", "a", ON),
    ("setopt errexit; a", "a", ON),
    ("setopt no_err_exit; a", "a", OFF),
    ("setopt -e; a", "a", ON),
    ("unsetopt NO_errexit; a", "a", ON),
    ("set -e; unsetopt errexit; a", "a", OFF),
    ("set -e; set +e; a", "a", OFF),
    ("set -e; set +o errexit; a", "a", OFF),
    ("set -- -e; a", "a", OFF),
    ("set x -e; a", "a", OFF),
    ("echo set -e; a", "a", OFF),
    ("(set -e; b); a", "a", OFF),
    ("(set -e; a)", "a", ON),
    ("set -e & a", "a", OFF),
    ("set -e | b; a", "a", OFF),
    ("b | set -e; a", "a", ON),
    ("x=$(set -e); a", "a", OFF),
    ("if b; then set -e; fi; a", "a", MAYBE),
    ("if b; then set -e; else set -e; fi; a", "a", MAYBE),
    ("b && set -e; a", "a", MAYBE),
    ("for x in 1; do set -e; done; a", "a", MAYBE),
    ("set -e; b && set -e; a", "a", ON),
    ("{ set -e }; a", "a", ON),
    ("() { set -e }; a", "a", ON),
    ("f() { set -e }; a", "a", OFF),
    ("f() { set -e }; f; a", "a", MAYBE),
    ("f() { emulate -L zsh; set -e }; f; a", "a", OFF),
    ("f() { setopt localoptions errexit; a }; f", "a", ON),
    ("f() { setopt local_options; set -e }; f; a", "a", OFF),
    ("set -e; emulate zsh; a", "a", OFF),
    ("set -e; f() { emulate -L zsh; a }; b", "a", OFF),
    ("f() { emulate -L zsh -o err_exit; a }", "a", ON),
    ("set -e; emulate sh -c b; a", "a", ON),
    ("set -e; f() { a }; f", "a", ON),
    ("set -e; f() { a }; if f; then b; fi", "a", MAYBE),
    ("set -e; f() { a }; f || b", "a", MAYBE),
    ("set -e; f() { a }; g() { f }; g || b", "a", MAYBE),
    ("set -e; f() { a }; g() { f }; g || b; f", "a", ON),
    ("set -e; f() { a }; g() { f }; g", "a", ON),
    ("set -e; f() { a }", "a", ON),
    ("set -e; f() { a }; $SUDO b", "a", ON),
    ('set -e; f() { a }; "${step}_pass"', "a", MAYBE),
    ("set -e; x=$(a)", "a", ON),
    ("set -e; cat <(a)", "a", ON),
]


@pytest.mark.parametrize(("text", "source", "expected"), ERREXIT)
def test_where_errexit_holds(text, source, expected):
    assert found(text)[source].context.errexit == expected


def test_a_sourced_file_may_find_any_option_set():
    context = found("a", sourced=True)["a"].context
    assert (context.errexit, context.pipefail) == (MAYBE, MAYBE)
    assert found("set -e; a", sourced=True)["a"].context.errexit == ON
    assert found("emulate -L zsh; a", sourced=True)["a"].context.errexit == OFF


def test_bash_clears_errexit_in_command_substitutions_unless_told_otherwise():
    assert found("set -e; x=$(a)", Dialect.BASH)["a"].context.errexit == OFF
    kept = "shopt -s inherit_errexit; set -e; x=$(a)"
    assert found(kept, Dialect.BASH)["a"].context.errexit == ON
    assert found("set -e; (a)", Dialect.BASH)["a"].context.errexit == ON


def test_zsh_runs_the_last_segment_itself_and_bash_none():
    text = "a | { b; c; }"
    assert not found(text)["b"].context.subshell
    assert found(text, Dialect.BASH)["b"].context.subshell
    assert found("{ a; } | b")["a"].context.subshell
    assert not found("a | b")["a | b"].context.subshell


def test_what_a_pipeline_is_in():
    text = "f() { x=$(g() { a }; g) }; (b); c & { d; e } &\n${ h; }"
    placed = found(text)
    assert placed["a"].context == Context(function="g")
    assert placed["g"].context.function == "f"
    assert placed["g"].context.substitution is SubstitutionKind.COMMAND
    assert placed["b"].context.subshell
    assert placed["c"].context.background
    assert placed["d"].context.background
    assert placed["d"].context.subshell
    assert not placed["h"].context.subshell
    assert placed["h"].context.checked is StatusCheck.NONE


def test_pipelines_know_their_neighbours():
    placed = found("if a; then b; c; fi; d")
    each = placed["b"]
    assert each.siblings[each.position] is each.pipeline
    assert len(each.siblings) == 2


def test_the_innermost_pipeline_at_an_offset():
    text = "a; { b | c $(d) }"
    placed = contexts(parse(text))
    at = {offset: context_of(placed, offset) for offset in (0, 5, 14)}
    spans = {offset: each.pipeline.span for offset, each in at.items() if each}
    assert {offset: text[slice(*span)] for offset, span in spans.items()} == {
        0: "a",
        5: "b | c $(d)",
        14: "d",
    }
    assert context_of(contexts(parse("a  ")), 3) is None


def test_nested_beyond_the_depth_cap_is_walked_without_an_exception():
    assert contexts(parse("{ " * 5000 + "a" + " }" * 5000))
    assert contexts(parse("$(" * 5000))

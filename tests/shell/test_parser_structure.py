"""The tree of each construct, written with the text of each range instead of its offsets."""

import pytest

from tests.shell.outline import messages, outline
from zsh_ls.model.syntax import Dialect, Role, SegmentKind, SubstitutionKind
from zsh_ls.shell.syntax.parser import parse

ANY_SHELL = {
    "a | b": ["a ¦ b"],
    "a|b|c # | d": ["a ¦ b ¦ c"],
    "  a  |  b  ": ["a ¦ b"],
    "a && b || c; d": ["a &&", "b ||", "c", "d"],
    "a &&\n\n # why\n b": ["a &&", "b"],
    "a |\n # note\n b": ["a ¦ b"],
    "a & b": ["a &", "b"],
    "a && b &\nc": ["a && &", "b &", "c"],
    "! a | b": ["! a ¦ b"],
    'x=1 y="a b" cmd arg': ['x=1 y="a b" cmd arg'],
    "x=1": ["x=1"],
    ">f": [">f"],
    ">f a <g | b 2>&1": [">f a <g ¦ b 2>&1"],
    "echo \"x | y\" 'a && b' \\| c # d | e": ["echo \"x | y\" 'a && b' \\| c"],
    "echo a\\\n b \\\n | c": ["echo a\\\n b ¦ c"],
    "if a; then b; elif c; then d; else e; fi | f": [
        "if a; then b; elif c; then d; else e; fi ¦ f",
        "a",
        "b",
        "c",
        "d",
        "e",
    ],
    "while a; do b; done <f": ["while a; do b; done <f", "a", "b"],
    "until a; do b; done": ["until a; do b; done", "a", "b"],
    "for x in a b; do c; done": ["for x in a b; do c; done", "c"],
    "for x\ndo c; done": ["for x\ndo c; done", "c"],
    "for x; do c; done": ["for x; do c; done", "c"],
    "for x in; do c; done": ["for x in; do c; done", "c"],
    "case $x in a|b) c | d ;; *) e ;; esac; f": [
        "case $x in a|b) c | d ;; *) e ;; esac",
        "c ¦ d",
        "e",
        "f",
    ],
    "case $x in (a) b;; (c | d) e\nesac": ["case $x in (a) b;; (c | d) e\nesac", "b", "e"],
    "case a in esac": ["case a in esac"],
    "f() { a; }": ["f() { a; }", "a"],
    "f ()\n{ a; }": ["f ()\n{ a; }", "a"],
    "f() ( a )": ["f() ( a )", "( a )", "a"],
    "f() if a; then b; fi": ["f() if a; then b; fi", "if a; then b; fi", "a", "b"],
    "( a; b ) && c": ["( a; b ) &&", "a", "b", "c"],
    "{ a; b; } >f | c": ["{ a; b; } >f ¦ c", "a", "b"],
    "echo $(a | b) `c | d` ${x:-$(e)}": [
        "echo $(a | b) `c | d` ${x:-$(e)}",
        "a ¦ b",
        "c ¦ d",
        "e",
    ],
    'echo "$(a "$(b "c")")"': ['echo "$(a "$(b "c")")"', 'a "$(b "c")"', 'b "c"'],
    "echo $((1|2)) $(( $(a) + 1 ))": ["echo $((1|2)) $(( $(a) + 1 ))", "a"],
    "echo $( (a) | b )": ["echo $( (a) | b )", "(a) ¦ b", "a"],
    "echo $((a); b)": ["echo $((a); b)", "(a)", "a", "b"],
    "cat <<EOF | b\n$(c) | x\nEOF\nd": ["cat <<EOF ¦ b", "c", "d"],
    "cat <<'EOF'\n$(c) | x\nEOF\nd": ["cat <<'EOF'", "d"],
    "cat <<-EOF\n\ta | b\n\tEOF\nd": ["cat <<-EOF", "d"],
    "cat <<A <<B\n1\nA\n2\nB\nd": ["cat <<A <<B", "d"],
    "if a; then cat <<E; fi\nx\nE\nb": ["if a; then cat <<E; fi", "a", "cat <<E", "b"],
    "cat <<E\na\\\nE\nE\nb": ["cat <<E", "b"],
    'echo ${x#*\\}} ${y%"}"} | b': ['echo ${x#*\\}} ${y%"}"} ¦ b'],
    "a\r\nb | c\r\n": ["a", "b ¦ c"],
    "if a\r\nthen b\r\nfi\r\n": ["if a\r\nthen b\r\nfi", "a", "b"],
    "cat <<E\r\nx | y\r\nE\r\nb\r\n": ["cat <<E", "b"],
    "echo if then fi": ["echo if then fi"],
    "echo a#b #c": ["echo a#b"],
    "a;b": ["a", "b"],
    "": [],
    "# only\n\n": [],
    "é | 𝔘 && ü": ["é ¦ 𝔘 &&", "ü"],
}

NOT_SH = {
    "a |& b": ["a ¦ b"],
    "a &>f | b": ["a &>f ¦ b"],
    "a &>>f": ["a &>>f"],
    "a >|f <>g 2>&- {fd}>h": ["a >|f <>g 2>&- {fd}>h"],
    'a <<<"x | y" | b': ['a <<<"x | y" ¦ b'],
    "diff <(a | b) >(c)": ["diff <(a | b) >(c)", "a ¦ b", "c"],
    '[[ $x == @(a|b)* && $y =~ "c|d" ]] || die "x | y"': [
        '[[ $x == @(a|b)* && $y =~ "c|d" ]] ||',
        'die "x | y"',
    ],
    "[[ ( -n $a || -z $b ) && $c < $d ]] | e": ["[[ ( -n $a || -z $b ) && $c < $d ]] ¦ e"],
    "[[ -n $x &&\n -n $y ]] && a": ["[[ -n $x &&\n -n $y ]] &&", "a"],
    "[[ $x =~ ^(a|b c)$ ]]; d": ["[[ $x =~ ^(a|b c)$ ]]", "d"],
    "(( x > 1 || y )) && a": ["(( x > 1 || y )) &&", "a"],
    "for (( i=0; i<3; i++ )); do a; done": ["for (( i=0; i<3; i++ )); do a; done", "a"],
    "for (( ;; )) { a; }": ["for (( ;; )) { a; }", "a"],
    "((a); b)": ["((a); b)", "(a)", "a", "b"],
    "x=(a $(b) # it's\n c)\nd": ["x=(a $(b) # it's\n c)", "b", "d"],
    "local x=(a b) y": ["local x=(a b) y"],
    "x+=(a) y[1]=2 z[$(b)]+=3 c": ["x+=(a) y[1]=2 z[$(b)]+=3 c", "b"],
    "function f { a; }": ["function f { a; }", "a"],
    "function f() { a; }; b": ["function f() { a; }", "a", "b"],
    "select x in a b; do c; done": ["select x in a b; do c; done", "c"],
    "time a | b": ["t a ¦ b"],
    "coproc a | b": ["c a ¦ b"],
    "case x in a) b ;& c) d ;; esac": ["case x in a) b ;& c) d ;; esac", "b", "d"],
    "echo $[1|2] | a": ["echo $[1|2] ¦ a"],
    "echo $'a\\'b | c' | d": ["echo $'a\\'b | c' ¦ d"],
    'echo "${x:-"a | b"}" | c': ['echo "${x:-"a | b"}" ¦ c'],
    "echo ${ a | b; } | c": ["echo ${ a | b; } ¦ c", "a ¦ b"],
    'echo "${ a | b; }" x${| c; }y | d': [
        'echo "${ a | b; }" x${| c; }y ¦ d',
        "a ¦ b",
        "c",
    ],
}

ZSH = {
    "a |& b | c &|\nd": ["a ¦ b ¦ c &|", "d"],
    "a &!\nb": ["a &!", "b"],
    "a >&| f >>! g 2>&1": ["a >&| f >>! g 2>&1"],
    "if [[ -n $x ]] { a } else { b | c }": [
        "if [[ -n $x ]] { a } else { b | c }",
        "[[ -n $x ]]",
        "a",
        "b ¦ c",
    ],
    "if [[ a ]] { b } elif (( c )) { d }": [
        "if [[ a ]] { b } elif (( c )) { d }",
        "[[ a ]]",
        "b",
        "(( c ))",
        "d",
    ],
    "if (( x )) a | b": ["if (( x )) a | b", "(( x ))", "a ¦ b"],
    "while (( x )) { a }": ["while (( x )) { a }", "(( x ))", "a"],
    "while (a) b": ["while (a) b", "(a)", "a", "b"],
    "for x (a b) c $x | d": ["for x (a b) c $x | d", "c $x ¦ d"],
    "for x y (a b) { c }; d": ["for x y (a b) { c }", "c", "d"],
    "for x in a b; c": ["for x in a b; c", "c"],
    "for x (\n a # one\n b\n) c": ["for x (\n a # one\n b\n) c", "c"],
    "foreach x (a b)\n c\nend; d": ["foreach x (a b)\n c\nend", "c", "d"],
    "repeat 3 a | b": ["repeat 3 a | b", "a ¦ b"],
    "repeat 3 do a; done": ["repeat 3 do a; done", "a"],
    "() { a } b | c": ["() { a } b ¦ c", "a"],
    "() { a } b >f": ["() { a } b >f", "a"],
    "function { a } b": ["function { a } b", "a"],
    "function f g { a }; b": ["function f g { a }", "a", "b"],
    "f() a; b": ["f() a", "a", "b"],
    "function f\na | b; c": ["function f\na | b", "a ¦ b", "c"],
    "{ a } always { b | c }": ["{ a } always { b | c }", "a", "b ¦ c"],
    "{a b}": ["{a b}", "a b"],
    "{ echo a{b,c} }": ["{ echo a{b,c} }", "echo a{b,c}"],
    "case $x in (a|b) c | d ;| *) e ;& esac": [
        "case $x in (a|b) c | d ;| *) e ;& esac",
        "c ¦ d",
        "e",
    ],
    "case $x { a) b ;; }; c": ["case $x { a) b ;; }", "b", "c"],
    "case $x in (a|b)|(c)) d ;; (e)* ) f; esac": [
        "case $x in (a|b)|(c)) d ;; (e)* ) f; esac",
        "d",
        "f",
    ],
    "print *(.Nom[1,3]) **/*(#q.) | wc": ["print *(.Nom[1,3]) **/*(#q.) ¦ wc"],
    "print (a|b c)* ^(x|y) | z": ["print (a|b c)* ^(x|y) ¦ z"],
    'print ${(f)"$(a | b)"} | c': ['print ${(f)"$(a | b)"} ¦ c', "a ¦ b"],
    "print ${(s:|:)x} ${x//(a|b)/;} $#x | c": ["print ${(s:|:)x} ${x//(a|b)/;} $#x ¦ c"],
    "print ${${x:-{a}}#b} | c": ["print ${${x:-{a}}#b} ¦ c"],
    "print $x[(r)a*] $x[1,-2] | b": ["print $x[(r)a*] $x[1,-2] ¦ b"],
    "diff =(a | b) =(c)": ["diff =(a | b) =(c)", "a ¦ b", "c"],
    "x==(a | b)": ["x==(a | b)", "a ¦ b"],
    "local x==(<<<'') y; b": ["local x==(<<<'') y", "<<<''", "b"],
    "a <1-5> | b": ["a <1-5> ¦ b"],
    "print <-> | b": ["print <-> ¦ b"],
    "private x=(a; b) | c": ["private x=(a; b) ¦ c"],
    "local -a x=( $(a) )\nb": ["local -a x=( $(a) )", "a", "b"],
    "nocorrect a | b": ["nocorrect a ¦ b"],
    "x=foo} | b": ["x=foo} ¦ b"],
    "print 'it''s | a' | b": ["print 'it''s | a' ¦ b"],
    "print 'it''' | b": ["print 'it''' ¦ b"],
    "f() { if [[ a ]] { b }; }": ["f() { if [[ a ]] { b }; }", "if [[ a ]] { b }", "[[ a ]]", "b"],
    "a && ; b": ["a &&", "b"],
    "if x=1 { a } else { b }": ["if x=1 { a } else { b }", "x=1", "a", "b"],
    "{ if a; then b; fi}": ["{ if a; then b; fi}", "if a; then b; fi", "a", "b"],
    "{ for x in 1; do a; done}": ["{ for x in 1; do a; done}", "for x in 1; do a; done", "a"],
    "repeat 2 a & b": ["repeat 2 a &", "a", "b"],
    "for x (1) a && b & c": ["for x (1) a && b &", "a &&", "b", "c"],
    "for x () { a } b": ["for x () { a } b", "() { a } b", "a"],
    "echo $$(a)": ["echo $$(a)", "a"],
    "x=1 | y=2 && z=3": ["x=1 ¦ y=2 &&", "z=3"],
    ">f | a": [">f ¦ a"],
}

BASH = {
    "coproc NAME { a; }": ["c { a; }", "a"],
    "coproc a b": ["c a b"],
    "time -p a | b": ["t a ¦ b"],
    "case x in a) b ;;& c) d ;; esac": ["case x in a) b ;;& c) d ;; esac", "b", "d"],
    "echo @(a|b c) !(x) | d": ["echo @(a|b c) !(x) ¦ d"],
    "echo } | b": ["echo } ¦ b"],
    "x[1 + 2]=3 a": ["x[1 + 2]=3 a"],
    "f ( ) { a; }": ["f ( ) { a; }", "a"],
    "@() { a; }; @ b": ["@() { a; }", "a", "@ b"],
    "function f () ( a )": ["function f () ( a )", "( a )", "a"],
    "if ((x)); then a; fi": ["if ((x)); then a; fi", "((x))", "a"],
    "if(true); then a; fi": ["if(true); then a; fi", "(true)", "true", "a"],
    "echo ${x:-{} | b": ["echo ${x:-{} ¦ b"],
    "end; repeat 3; foreach": ["end", "repeat 3", "foreach"],
    "for x in a; { b; }": ["for x in a; { b; }", "b"],
    "echo 12>f": ["echo 12>f"],
}

SH = {
    "time a | b": ["time a ¦ b"],
    "coproc a": ["coproc a"],
    "echo $[ a ] | b": ["echo $[ a ] ¦ b"],
}


def cases():
    for dialects, table in (
        (tuple(Dialect), ANY_SHELL),
        ((Dialect.ZSH, Dialect.BASH), NOT_SH),
        ((Dialect.ZSH,), ZSH),
        ((Dialect.BASH,), BASH),
        ((Dialect.SH,), SH),
    ):
        for dialect in dialects:
            for text, expected in table.items():
                yield pytest.param(text, dialect, expected, id=f"{dialect}-{text[:40]!r}")


@pytest.mark.parametrize(("text", "dialect", "expected"), list(cases()))
def test_pipelines_segments_and_ranges(text, dialect, expected):
    assert outline(text, dialect) == expected


@pytest.mark.parametrize(("text", "dialect", "expected"), list(cases()))
def test_good_text_has_no_problem(text, dialect, expected):
    assert messages(text, dialect) == []


def test_a_segment_tells_its_words_assignments_and_redirections_apart():
    text = "x=1 y=(a b) 2>f cmd --opt 'two words' >>g"
    script = parse(text)
    (segment,) = script.pipelines[0].segments
    assert segment.command_word == "cmd"
    assert [script.source(word) for word in segment.words] == ["cmd", "--opt", "'two words'"]
    assert [(each.name, script.source(each.value)) for each in segment.assignments] == [
        ("x", "1"),
        ("y", "(a b)"),
    ]
    assert [
        (each.descriptor, each.operator, script.source(each.target))
        for each in segment.redirections
    ] == [("2", ">", "f"), ("", ">>", "g")]


def test_compound_commands_say_what_opens_them():
    words = {
        "(a)": "(",
        "((1))": "((",
        "((a); b)": "(",
        "{ a }": "{",
        "[[ a ]]": "[[",
        "if a; then b; fi": "if",
        "() { a }": "()",
        "f() { a }": "",
        "x=1": "",
    }
    assert {text: parse(text).pipelines[0].segments[0].command_word for text in words} == words


def test_the_bodies_of_a_loop_and_an_if_have_their_roles():
    loop = parse("while a; do b; done").pipelines[0].segments[0]
    assert [body.role for body in loop.bodies] == [Role.CONDITION, Role.BODY]
    branches = parse("if a; then b; elif c; then d; else e; fi").pipelines[0].segments[0]
    assert [body.role for body in branches.bodies] == [
        Role.CONDITION,
        Role.BODY,
        Role.CONDITION,
        Role.BODY,
        Role.BODY,
    ]


def test_substitutions_belong_to_the_segment_they_stand_in():
    script = parse("a $(b) | c <(d) | { e =(f) }")
    kinds = [[each.kind for each in s.substitutions] for s in script.pipelines[0].segments]
    assert kinds == [[SubstitutionKind.COMMAND], [SubstitutionKind.INPUT], []]
    inner = script.pipelines[0].segments[2].bodies[0].pipelines[0].segments[0]
    assert [each.kind for each in inner.substitutions] == [SubstitutionKind.FILE]


def test_code_in_arithmetic_is_found_once():
    script = parse("(( $(a) )) && echo $(( $(b) ))")
    found = [s.substitutions for p in script.pipelines for s in p.segments]
    assert [len(each) for each in found] == [1, 1]


def test_comments_functions_and_heredocs_are_listed():
    script = parse("# one\nf() { a } # two\ncat <<E # three\n$(b)\nE\n")
    assert [script.source(comment) for comment in script.comments] == ["# one", "# two", "# three"]
    assert [script.source(each.words[0]) for each in script.functions] == ["f"]
    (heredoc,) = script.heredocs
    assert (heredoc.delimiter, heredoc.quoted) == ("E", False)
    assert script.source(heredoc.body) == "$(b)\n"
    assert script.source(heredoc.redirection) == "<<E"
    assert len(heredoc.substitutions) == 1


@pytest.mark.parametrize("text", ["case x in a) b ;& c) d ;; esac"])
def test_the_subject_of_a_case_is_its_word(text):
    script = parse(text)
    segment = script.pipelines[0].segments[0]
    assert segment.kind is SegmentKind.CASE
    assert [script.source(word) for word in segment.words] == ["x"]

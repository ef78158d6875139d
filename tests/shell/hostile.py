"""Texts that are hard to parse: deep nesting, repetition, constructs that never close."""

REPEATED = [
    "(", "((", "((\n", "(( $((", "{", "{\n", "${", "${a\"\n", "${a'\n", "$(", '"$(', '"$(a\n',
    '"${a\n', "$((", "echo $((x)\n", "$[", "`", "`a ", "`( ", '"', '"\n', "'", "$'", "$'a\n",
    "[[ ", "[[\n", "]]", "x[", "x[\n", "x[$(", "a=(", "a=(\n", "x=$(", "<", ">", "< ", "<(", "=(",
    "a(", "a(\n", "a(b|", "{a", "{a,", "a}", "}}", "x} x ", ")", "}", "} ", ";", ";;", ";&", "|",
    "||", "&&", "&", "a|", "a&&", "a&", "!", "! ", "time ", "coproc ", "nocorrect ", "if ", "fi;",
    "if x\nthen\n", "else ", "while ", "until x\n", "repeat 1 ", "for x in ", "for x (", "for ((",
    "foreach ", "select x ", "case x in ", "case x in a) ", "case x in (a|", "f() ", "() ",
    "function ", "{ } always { ", "<<EOF ", "cat <<EOF\n", "cat <<'EOF'\n$(", "cat <<E\nE\n", "\\",
    "\\\n", "a\\\n", "#", "#\n", "\0", "\r", "\r\n", "\x1b[0m", "\u2028", "\ud800", "é", "$", "$$(",
    "2>&1 ", "1", "*", "~", "^", "=", "a=", ">&", "&>", "<<<", "{fd}>", "for)", "for<", "end ",
]  # fmt: skip
MEGABYTE_LINES = ["a" * 10**6, "a " * 100_000, '"' + "a" * 10**6, '"a" ' * 200_000, "é|" * 40_000]
TOKENS = [
    "if", "then", "fi", "for", "x", "in", "do", "done", "case", "esac", "(", ")", "((", "))", "{",
    "}", "[[", "]]", '"', "'", "`", "$(", "${", "$((", "<<E", "E", "\n", "\n", " ", " ", ";", ";;",
    "&", "&&", "|", "||", "|&", "<", ">", ">&", "=(", "a=", "a=(", "a[", "repeat", "foreach", "end",
    "select", "function", "()", "f()", "always", "!", "time", "coproc", "\\", "#", "$", "*", "<(",
    ">(", "~", "else", "elif", "while", "until", "\0", "\r\n", "é", "2>", "$[", "]", "-", "&!", "&>",
    "<<<", "<<-", "\t",
]  # fmt: skip

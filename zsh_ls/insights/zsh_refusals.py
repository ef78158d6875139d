"""What zsh refuses and bash takes: what zsh says of it, and the way out (RUN-19). One entry a refusal."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import attrs, re

LAST_LINES = 200
"""How many of the last lines are looked at."""
LINE_CHARACTERS = 500
MOST_TOLD = 3
"""How much of a line is looked at: zsh's own are short, and patterns stay fast."""


@attrs.frozen
class Refusal:
    """What zsh refuses: the line it says it by, the text that led there, and what to do instead.

    `said` is matched against whole lines of output, `text` against the command; `advice` may name
    the groups of both.
    """

    said: re.Pattern[str]
    advice: str
    text: re.Pattern[str] | None = None


def _refusal(said: str, advice: str, text: str = "", place: str = r"\S*:") -> Refusal:
    line = re.compile(rf"(?:\S+:)?{place}?\s*(?:{said})")
    return Refusal(line, advice, re.compile(text, re.MULTILINE) if text else None)


REFUSALS = (
    _refusal("no matches found: .+", "an unmatched pattern is an error; quote it"),
    _refusal(
        "= not found",
        "a word == is read as the path of a command named =; write =, or [[ ... == ... ]]",
        r"(?:^|\s)==(?:\s|$)",
    ),
    _refusal(
        r"(?P<name>\S+) not found",
        "a word that begins with = is read as the path of a command; quote '={name}'",
        r"(?:^|\s)=(?=[^\s=])",
    ),
    _refusal(
        "-p: no coprocess",
        "read -p reads from a coprocess; write read 'name?prompt'",
        r"\bread\s+-\w*p",
    ),
    _refusal("bad option: -a", "read -a is read -A", r"\bread\s+-\w*a"),
    _refusal("command not found: shopt", "shopt is bash's, zsh has setopt"),
    _refusal(
        "command not found: (?P<name>mapfile|readarray)",
        '{name} is bash\'s; write lines=("${{(@f)$(command)}}")',
    ),
    _refusal(
        "command not found: (?P<name>compgen|complete|compopt|bind|caller|help)",
        "{name} is a builtin of bash alone",
    ),
    _refusal(
        "read-only variable: (?P<name>status)", "{name} is read-only, it is $?; use another name"
    ),
    _refusal(
        r"command not found: .+",
        "path is $PATH as an array, and assigning to it loses every command; use another name",
        r"(?:^|[;&|]\s*|\s)path=(?!\()",
    ),
    _refusal(
        "bad substitution",
        "${{!name}} is ${{(P)name}}, and ${{!name[@]}} is ${{(k)name}}",
        r"\$\{!\w",
    ),
    _refusal(
        "bad substitution",
        "${{name^^}} is ${{(U)name}}, and ${{name,,}} is ${{(L)name}}",
        r"\$\{\w+(?:\[[^]]*\])?(?:\^|,)",
    ),
    _refusal("bad substitution", "${{name@Q}} is ${{(q)name}}", r"\$\{\w+(?:\[[^]]*\])?@\w"),
    _refusal(
        "bad option: -n",
        "there are no references by declare -n; write ${{(P)name}}",
        r"\b(?:declare|typeset|local)\s+-\w*n",
    ),
    _refusal(
        r"%\(: invalid directive", "printf has no %(...)T; use date +FORMAT", r"printf\b.*%\("
    ),
    _refusal(
        r"invalid option\(s\)", "functions cannot be exported by export -f", r"\bexport\s+-\w*f"
    ),
    _refusal("bad option: -P", "type -P is whence -p", r"\btype\s+-\w*P"),
    _refusal("job not found: -n", "wait has no -n; wait for a job by its number", r"\bwait\s+-n"),
    _refusal("undefined signal: RETURN", "there is no trap on RETURN; use EXIT in the function"),
    _refusal(
        "no such option: (?P<name>posix|errtrace|functrace|histexpand)",
        "{name} is an option of bash alone",
    ),
    _refusal(
        r"no such file or directory: /dev/(?P<name>tcp|udp)/.*", "there is no /dev/{name}; use nc"
    ),
    _refusal("command not found: -p", "time has no -p", r"\btime\s+-p"),
    _refusal(
        r"no such file or directory: (?P<name>[^/\s]+)",
        "a file without a folder is looked for in $PATH; write . ./{name}",
        r"(?:^|[;&|]\s*)\.\s+[^/\s]+(?:\s|$)",
        place=r"\.:\d+:",
    ),
    _refusal("parse error near `}'", "a coprocess has no name", r"\bcoproc\s+\w+\s*\{"),
    _refusal("condition expected: (?P<name>[<>])", "[ has no {name}; write [[ ... {name} ... ]]"),
)
_NAME = r"\$(?:(?P<name>[A-Za-z_]\w*)|\{(?P<braced>[A-Za-z_]\w*)\})"
_QUOTED = re.compile(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_UNQUOTED_WORD = re.compile(rf"(?<![^\s;|&(]){_NAME}(?=[\s;|&)]|$)")
_ASSIGNED_ELSEWHERE = re.compile(r"\b(?:for|select|read(?:\s+-\w+)*)\s+(?P<name>[A-Za-z_]\w*)")
# What programs and zsh say of a word with white space in it, as one word.
_ONE_WORD = (
    re.compile(
        r"""(?:['"‘](?P<q>[^'"’]*\s[^'"’]*)['"’]|'[^']*'\$'\\n'.*|: (?P<b>[^:]*\s[^:]*)):"""
        r""" (?:No such file or directory|cannot open.*)"""
    ),
    re.compile(r"(?:command not found|no such file or directory): (?P<b>\S+ .+)"),
    re.compile(r"invalid option -- ['‘] ['’]"),
)


def refused(command: str, output: str) -> Iterator[str]:
    """What zsh refused of `command`, and the way out; `output` is what the run said."""
    lines = [line.strip()[:LINE_CHARACTERS] for line in output.splitlines()[-LAST_LINES:]]
    explained: dict[str, str] = {}
    for refusal in REFUSALS:
        if refusal.text is not None and not refusal.text.search(command):
            continue
        left = (line for line in lines if line not in explained)
        found = next(filter(None, map(refusal.said.fullmatch, left)), None)
        if found is not None and len(explained) < MOST_TOLD:
            explained[found.string] = refusal.advice.format(**found.groupdict())
    if explained:
        yield from dict.fromkeys(explained[line] for line in lines if line in explained)
        return
    name = _unsplit(command, lines)
    if name is not None:
        yield f"${name} is one word, it is not split at spaces; write ${{={name}}}"


def _unsplit(command: str, lines: list[str]) -> str | None:
    """The variable whose value some program took for one word, None without one."""
    # What stands in quotes is no word of its own; its length stays.
    bare = _QUOTED.sub(lambda it: "q" * len(it[0]), command)
    others = {found["name"] for found in _ASSIGNED_ELSEWHERE.finditer(bare)}
    names = [it["name"] or it["braced"] for it in _UNQUOTED_WORD.finditer(bare)]
    name = next((it for it in names if it not in others), None)
    if name is None:
        return None
    for line in lines:
        for pattern in _ONE_WORD:
            found = pattern.search(line)
            if found is None:
                continue
            value = next(filter(None, found.groupdict().values()), "")
            # A word that was quoted in the command is one because its writer wanted so.
            if not value or f'="{value}"' in command or f"='{value}'" in command:
                return name
            if value not in command:
                return name
    return None

"""Draw findings of `zsh-ls check` on foreign repositories by a seed, to be judged blind.

    python -m tests.evidence.sample export LIST MIRRORS CHECKOUTS
    python -m tests.evidence.sample draw LIST FINDINGS.json CHECKOUTS DRAWN.tsv SHEET.md
    python -m tests.evidence.sample figure JUDGED.tsv
    python -m tests.evidence.sample still LIST FINDINGS.json CHECKOUTS JUDGED.tsv

LIST is `repositories-N.tsv`. MIRRORS has a folder `owner+name` for each repository, in which lies a
git directory; `export` writes the texts of each listed commit below CHECKOUTS. FINDINGS.json is what
`zsh-ls check --format json CHECKOUTS` printed. `draw` writes the table, and a sheet for judges that
names no rule. The table's verdicts (`useful`, `useless`, `wrong`) are filled in by hand; `figure`
sums them up, and `still` sums up those alone that FINDINGS.json still has. That is no fresh figure where
rules were mended for the draw: it shows what the mends took away, and what they lost.
"""

from __future__ import annotations

import csv
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse

TOTAL = 100
ZSH_AT_LEAST = 30
PER_RULE = 15
# A repository with a thousand scripts by one hand would be most of the sample.
PER_REPOSITORY = 8
# How much of a script a judge sees, in lines: a script of so many whole, of a longer one its head, a function
# of so many whole or else those on either side, and at most so many that name the function.
WHOLE_SCRIPT = 80
HEAD = 8
WHOLE_FUNCTION = 120
CONTEXT_LINES = 20
NAMING_LINES = 8
# A line that may decide what a failure comes to wherever it stands.
OPTION_LINE = re.compile(r"\s*(set\s+[-+]|setopt|unsetopt|emulate|shopt|trap)\b")
LARGEST_TEXT = 2 * 1024 * 1024
COLUMNS = ("number", "repository", "commit", "path", "line", "dialect", "rule", "message", "code")
JUDGED_COLUMNS = ("verdict_a", "verdict_b", "worse")
VERDICTS = ("useful", "useless", "wrong")

Row = dict[str, str]
HERE = Path(__file__).parent


def judged() -> list[Row]:
    """The judged findings of all draws that the rules still have (`no-longer-said.tsv` lists the others)."""
    gone: dict[str, set[str]] = {}
    for line in (HERE / "no-longer-said.tsv").read_text().splitlines()[1:]:
        draw, _, listed = line.partition("\t")
        gone[draw] = set(listed.split())
    found = []
    for table in sorted(HERE.glob("findings-*.tsv")):
        draw = table.stem.removeprefix("findings-")
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        numbers = {row["number"] for row in rows}
        assert gone.get(draw, set()) <= numbers
        found += [
            row for row in rows if row["worse"] and row["number"] not in gone.get(draw, set())
        ]
    return found


def repositories(listing: Path) -> tuple[int, dict[str, str]]:
    """The seed, and the commit of each repository."""
    lines = listing.read_text().splitlines()
    seed = int(lines[0].removeprefix("# seed "))
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return seed, dict(rows[1:])


def export(listing: Path, mirrors: Path, checkouts: Path) -> None:
    """Write the texts of each commit; a snapshot may lack large files, which are passed over."""
    for repository, commit in repositories(listing)[1].items():
        folder = repository.replace("/", "+")
        mirror = mirrors / folder / "repo"
        git = ["git", "--git-dir", str(mirror / ".git" if (mirror / ".git").is_dir() else mirror)]
        tree = subprocess.run(
            [*git, "ls-tree", "-r", "-z", "--full-tree", commit], capture_output=True, check=True
        ).stdout.decode("utf-8", "surrogateescape")
        entries = [entry.split("\t", 1) for entry in tree.split("\0") if entry]
        with subprocess.Popen(
            [*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as reader:
            assert reader.stdin is not None
            assert reader.stdout is not None
            for entry, path in entries:
                mode, _, blob = entry.split()
                if not mode.startswith("100"):
                    continue  # a link or a submodule
                reader.stdin.write(f"{blob}\n".encode())
                reader.stdin.flush()
                told = reader.stdout.readline().split()
                if told[-1] == b"missing":
                    continue
                text = reader.stdout.read(int(told[-1]) + 1)[:-1]
                if text and b"\0" not in text and len(text) <= LARGEST_TEXT:
                    target = checkouts / folder / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(text)


def draw(found: list[Row], seed: int) -> list[Row]:
    """Those of `found` that are judged: first the zsh share, then of all, in an order by the seed."""
    found = sorted(
        found, key=lambda row: (row["repository"], row["path"], int(row["line"]), row["rule"])
    )
    random.Random(seed).shuffle(found)
    drawn: list[Row] = []
    rules: Counter[str] = Counter()
    sources: Counter[str] = Counter()
    # A line that stands in many copies of a script is judged once.
    copies: set[tuple[str, str, str]] = set()
    passes = (
        (
            [row for row in found if row["dialect"] == Dialect.ZSH.value],
            ZSH_AT_LEAST,
            PER_REPOSITORY,
        ),
        (found, TOTAL, PER_REPOSITORY),
        # Where too few are left, more of one repository are better than none.
        (found, TOTAL, TOTAL),
    )
    for candidates, until, per_repository in passes:
        for row in candidates:
            if len(drawn) >= until:
                break
            free = rules[row["rule"]] < PER_RULE and sources[row["repository"]] < per_repository
            copy = (row["repository"], row["rule"], row["code"])
            if free and copy not in copies:
                drawn.append(row)
                copies.add(copy)
                rules[row["rule"]] += 1
                sources[row["repository"]] += 1
    random.Random(seed).shuffle(drawn)
    return drawn


def rows_of(findings: Any, checkouts: Path, commits: dict[str, str]) -> list[Row]:
    """The findings that `zsh-ls check --format json` printed, as rows of the table."""
    rows, dialects = [], {}
    for each in findings:
        path = Path(each["file"]).resolve()
        folder, _, inside = str(path.relative_to(checkouts.resolve())).partition("/")
        repository = folder.replace("+", "/")
        text = path.read_text("utf-8", "replace")
        if path not in dialects:
            dialects[path] = dialect_of(text, name=str(path)).value
        line = int(each["line"])
        code = (text.split("\n")[line - 1 : line] or [""])[0].strip()
        rows.append(
            {
                "repository": repository,
                "commit": commits[repository],
                "path": inside,
                "line": str(line),
                "dialect": dialects[path],
                "rule": each["rule"],
                "message": " ".join(each["message"].split()),
                "code": " ".join(code.split())[:200],
            }
        )
    return rows


def shown_lines(text: str, dialect: Dialect, line: int, message: str) -> list[int]:
    """The numbers (from 1) of the lines that a judge of a finding on `line` sees, in order.

    They are a part of the script that a rule's author cannot choose: the function around, or so many lines;
    the script's head, what sets options and traps, what calls the function, and lines the message names.
    """
    lines = text.split("\n")
    if len(lines) <= WHOLE_SCRIPT:
        return list(range(1, len(lines) + 1))
    shown = set(range(1, HEAD + 1))
    shown |= set(range(line - CONTEXT_LINES, line + CONTEXT_LINES + 1))
    shown |= {at for at, code in enumerate(lines, 1) if OPTION_LINE.match(code)}
    for named in re.findall(r"\bline (\d+)", message):
        shown |= set(range(int(named) - 2, int(named) + 3))
    for function in parse(text, dialect).functions:
        first = text.count("\n", 0, function.span.start) + 1
        last = text.count("\n", 0, function.span.end) + 1
        if first <= line <= last:
            if last - first < WHOLE_FUNCTION:
                shown |= set(range(first, last + 1))
            named = re.search(r"[\w.:-]+", lines[first - 1].replace("function ", ""))
            name = re.compile(rf"(?<![\w.:-]){re.escape(named[0])}(?![\w.:-])") if named else None
            calls = [at for at, code in enumerate(lines, 1) if name and name.search(code)]
            shown |= {first, *calls[:NAMING_LINES]}
    return sorted(at for at in shown if 1 <= at <= len(lines))


def sheet(drawn: list[Row], checkouts: Path) -> str:
    """What a judge sees: where it is, the lines that matter and the message, without the rule's name."""
    parts = []
    for number, row in enumerate(drawn, 1):
        path = checkouts / row["repository"].replace("/", "+") / row["path"]
        text = path.read_text("utf-8", "replace")
        lines = text.split("\n")
        line = int(row["line"])
        shown, before = [], 0
        for at in shown_lines(text, Dialect(row["dialect"]), line, row["message"]):
            if at != before + 1:
                shown.append("       [...]")
            shown.append(f"{'>' if at == line else ' '}{at:5} {lines[at - 1][:240]}")
            before = at
        if before != len(lines):
            shown.append("       [...]")
        code = "\n".join(shown)
        parts.append(
            f"## {number}\n\n{row['repository']} at {row['commit'][:10]}, `{row['path']}`, line "
            f"{line} ({row['dialect']}; {len(lines)} lines)\n\n"
            f"Message: {row['message']}\n\n~~~~\n{code}\n~~~~\n"
        )
    return "\n".join(parts)


def figure(judged: list[Row]) -> str:
    """How many are useful, useless and wrong by the worse verdict: of all, of zsh, by rule."""
    lines = []
    groups = [("all", judged), ("zsh", [row for row in judged if row["dialect"] == "zsh"])]
    groups += [
        (rule, [row for row in judged if row["rule"] == rule])
        for rule in sorted({row["rule"] for row in judged})
    ]
    for name, rows in groups:
        counts = Counter(worse(row) for row in rows)
        share = 100 * counts["useful"] / len(rows) if rows else 0
        told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS)
        lines.append(f"{name}: {len(rows)}: {told} ({share:.0f}% useful)")
    return "\n".join(lines)


def still_said(judged: list[Row], found: list[Row]) -> tuple[list[Row], list[Row]]:
    """The judged rows that are among `found`, and the useful ones that are not."""
    places = {_place(row) for row in found}
    kept = [row for row in judged if _place(row) in places]
    lost = [row for row in judged if row not in kept and worse(row) == "useful"]
    return kept, lost


def _place(row: Row) -> tuple[str, str, str, str]:
    return row["repository"], row["path"], row["line"], row["rule"]


def worse(row: Row) -> str:
    """The worse of both verdicts of a row."""
    return max(row["verdict_a"], row["verdict_b"], key=VERDICTS.index)


def main(arguments: list[str]) -> None:
    """Do what the first argument names."""
    action, *paths = arguments
    named = [Path(path) for path in paths]
    if action == "export":
        export(*named)
    elif action == "draw":
        listing, findings, checkouts, table, judges = named
        seed, commits = repositories(listing)
        drawn = draw(rows_of(json.loads(findings.read_text()), checkouts, commits), seed)
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(
                file, (*COLUMNS, *JUDGED_COLUMNS), delimiter="\t", lineterminator="\n", restval=""
            )
            writer.writeheader()
            writer.writerows({"number": str(at)} | row for at, row in enumerate(drawn, 1))
        judges.write_text(sheet(drawn, checkouts))
    elif action == "figure":
        with named[0].open(newline="") as file:
            print(figure(list(csv.DictReader(file, delimiter="\t"))))
    elif action == "still":
        listing, findings, checkouts, table = named
        found = rows_of(json.loads(findings.read_text()), checkouts, repositories(listing)[1])
        with table.open(newline="") as file:
            kept, lost = still_said(list(csv.DictReader(file, delimiter="\t")), found)
        print(figure(kept))
        print("useful and no longer said:", ", ".join(row["number"] for row in lost) or "none")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

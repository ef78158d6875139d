"""What the façade says of documents: insights, hints, hovers, actions, completions, lenses."""

from __future__ import annotations

from enum import StrEnum

from zsh_ls.lazy import attrs
from zsh_ls.model.answer import Answer
from zsh_ls.model.insight import Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.startup import StartupRequest
from zsh_ls.shell.symbols.arguments import Arguments


@attrs.frozen
class Edit:
    """One replacement in a document: `span` of the text before it becomes `text`."""

    span: Span
    text: str


@attrs.frozen
class DocumentInsight:
    """An insight where it stands now: characters of the document's current text."""

    span: Span
    insight: Insight
    is_error: bool = False


@attrs.frozen
class LineHint:
    """A few words behind a line, at the character `offset`; `details` is all that is known of it.

    Of history `~47s · 92% of 12`, of a rehearsal `would remove build: 212 files`.
    """

    offset: int
    text: str
    details: str = ""


@attrs.frozen
class Hover:
    """What is to be said of the word at `span`: what it does, and what follows if it fails (FATE-8)."""

    span: Span
    answer: Answer | None
    fate: str = ""


class ActionKind(StrEnum):
    """What an action does to a document, or has done with it."""

    FIX = "fix"
    IGNORE = "ignore"
    FIX_ALL = "fix all"
    RUN = "run"
    EXPLAIN = "explain"
    WHY = "why"
    START = "start"


@attrs.frozen
class Action:
    """Something that can be done about `span`: edits of the text, or running or explaining it.

    `about` is the insight it answers to, where there is one. `command` is what is run or explained
    where that is not the text at `span`: in a block of another file; `folder` is where, if that is not as
    for any line of the document. `task_id` is of the failed run that
    is asked about. `start` is what START measures.
    """

    kind: ActionKind
    title: str
    span: Span
    replacements: tuple[Replacement, ...] = ()
    about: DocumentInsight | None = None
    command: str | None = None
    folder: str | None = None
    task_id: str | None = None
    start: StartupRequest | None = None


@attrs.frozen
class ScriptNeeds:
    """What a person is asked before a script or a line runs.

    `shell` is what it is written for; `stands_in` is the kind that would run it where that is not installed.
    """

    shell: str
    stands_in: str | None = None
    arguments: Arguments = attrs.field(factory=Arguments)


class CompletionKind(StrEnum):
    """What a completion names."""

    FUNCTION = "function"
    BUILTIN = "builtin"
    KEYWORD = "keyword"
    COMMAND = "command"
    SUB_COMMAND = "sub-command"
    FLAG = "flag"
    PARAMETER = "parameter"
    OPTION = "option"
    FILE = "file"
    FOLDER = "folder"
    TARGET = "target"
    BRANCH = "branch"
    LETTER = "letter"
    SNIPPET = "snippet"


@attrs.frozen
class Completion:
    """One way to go on; `detail` is a few words of what it is, `""` where nobody said.

    A snippet `inserts` a text of the protocol's syntax, with places to fill in.
    """

    kind: CompletionKind
    label: str
    detail: str = ""
    inserts: str = ""


@attrs.frozen
class Completions:
    """What may stand at `span`; not `is_complete` where more letters would bring more."""

    span: Span
    found: tuple[Completion, ...] = ()
    is_complete: bool = True


class LensKind(StrEnum):
    """What a code lens offers."""

    SCRIPT = "script"
    TRACE = "trace"
    FAILURES = "failures"
    START = "start"
    REHEARSE = "rehearse"
    BLOCK = "block"


@attrs.frozen
class Lens:
    """Something that can be asked of the script as a whole, at its beginning.

    `says` is what memory knows of it, `median 12.0s · 3 fails in a row`, often nothing; of FAILURES,
    which runs nothing, how many commands fail unnoticed. START measures the start of `shell`, a `login`
    shell where the file is read by those alone. BLOCK runs `command`, the shell inside another file, and
    stands where the block is announced, `at`; or what reads a file that no shell does.
    """

    kind: LensKind
    span: Span
    says: str = ""
    shell: str = ""
    login: bool = False
    command: str = ""
    at: int | None = None

"""Questions what a command or one of its options does: `what does -p do in mkdir`, `explain tar -xzf`.

They are read when no family knows the question, and answered by the manual page where there is one.
"""

from __future__ import annotations

from zsh_ls.lazy import attrs, re

_OPTION = r"(?P<option>-{1,2}[A-Za-z0-9][\w-]*)"
# No command begins with a word that makes another question of it.
_OTHER = (
    r"(?!(?:why|what|how|when|where|which|who|that|this|these|it|the|my|me|an?|did|do|does|was|were|is|are|ha[sd]|"
    r"have|will|would|should|could|can)\b)"
)
_COMMAND = rf"(?P<command>{_OTHER}[a-z_][\w.+-]*(?: (?:-{{1,2}}[\w:.=-]*\w|[a-z][a-z-]*)){{0,5}}?)"
_COURTESY = (
    r"(?:(?:please|kindly|hey|hi|hello|so|and|um+|uh+|(?:can|could|would|will) you(?: please| kindly)?"
    r"|tell me|i (?:want|need|would like) to know|i wonder|do you know)[ ,]+)*"
)
_NOUN = r"(?:option|flag|switch)"
_DOES = r"(?:actually |really |exactly )?(?:do(?:es)?|mean(?:s)?|stands? for)"
# `what does the -p flag do in`, and the way of asking that is Spanish, Italian or Portuguese.
_OF_OPTION = (
    r"(?:what|explain(?: what)?|describe)(?:'?s| is| does| do| means| wants to say)?(?: the)?"
    rf" (?:{_NOUN} )?{_OPTION}(?: {_NOUN})?(?: {_DOES}| is| for)* (?:in|of|for|with|by|to|on|after)"
)
_FORMS = tuple(
    re.compile(
        rf"{_COURTESY}{form}(?: do| mean| for)?(?:,? (?:please|thanks))?[\s?.!]*", re.IGNORECASE
    )
    for form in (
        rf"{_OF_OPTION} {_COMMAND}",
        rf"(?:what|explain what|describe what) (?:does |do )?(?:the command )?{_COMMAND} {_DOES}",
        rf"what is (?:the command )?{_COMMAND} (?:good )?for",
        rf"(?:explain|describe)(?: the command)? {_COMMAND}",
    )
)


@attrs.frozen
class Asked:
    """The command that is asked about, and the option where only that is."""

    command: str
    option: str | None = None


def asked_about(question: str) -> Asked | None:
    """What the question asks the meaning of; None for any other question."""
    text = " ".join(question.split())
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is not None:
            command, option = found["command"], found.groupdict().get("option")
            words = command.split()
            if option is None and len(words) == 2 and words[1].startswith("-"):
                option = words[1]  # `what does grep -v mean` asks about no more than that
            return Asked(command, option)
    return None

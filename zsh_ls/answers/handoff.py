"""Prompts for passing a question to the editor's language model, and validation of its reply (ANS-4).

`is_for_model` says whether to ask. The model is asked with `prompt`; a reply that
breaks the form is asked for once more with `prompt_again`, which names the
first broken rule; `reply_answer` makes the answer, marked `llm`, or says what
was broken.
"""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.model.answer import Answer

from .ask import understand
from .build import build, plan_failed
from .form import MAX_SUMMARY_LINES, parse, validate
from .markup import Breach

FORM = f"""\
Answer in exactly this form and with nothing before or behind it:

[SUMMARY]
One or two lines: the answer itself.

[DETAILS]
The explanation.

[COMMANDS]
$ a command for the user
# a command for root

Rules:
- [SUMMARY] has at most {MAX_SUMMARY_LINES} lines and no blank line.
- [DETAILS] is required. Leave [COMMANDS] out where no command helps.
- [COMMANDS] has one command a line, each begins with `$ ` or `# `, nothing else.
- One blank line between sections, none right below a section's name, no white space at line ends.
- Allowed are bold, italic, inline code, fenced code, lists and `##` headings.
- Refused are `#` headings, horizontal rules, block quotes, tables and emoji.
- List items of one line stand without blank lines between them.
- Say that you do not know where you do not know."""


def is_for_model(question: str, given: Answer) -> bool:
    """Whether to ask a language model: no family matches the question.

    What a family read and could not answer (a command that never ran, a card
    without a driver) is a matter of facts that no model has.
    """
    return given.kind == "fallback" and not understand(question).matches


def prompt(question: str) -> str:
    """The prompt: the form, then the question."""
    return f"{FORM}\n\nThe question is of a person at a shell:\n{question.strip()}"


def prompt_again(question: str, reply: str, breaches: Sequence[Breach]) -> str:
    """The second and last prompt: the first rule that the reply breaks, and the reply."""
    first = breaches[0]
    breach_text = (
        f"Line {first.line} of your last reply breaks the rule {first.rule}: {first.message}."
    )
    return f"{prompt(question)}\n\n{breach_text}\nYour last reply was:\n{reply.strip()}"


def broken_rules(reply: str) -> tuple[Breach, ...]:
    """The reply's breaches of the form and its kind; blank lines around it are ignored."""
    return validate(reply.strip(), "llm")


def reply_answer(reply: str) -> Answer:
    """The answer in a model's last reply; an error that names the broken rule if it is invalid."""
    breaches = broken_rules(reply)
    sections = parse(reply.strip()).sections
    if sections is None or breaches:
        first = breaches[0]
        return plan_failed(
            f"the model's reply breaks the rule {first.rule} on line {first.line}: {first.message}",
            ["Ask with simpler words.", "Ask one of the questions that `zsh-ls ask` lists."],
        )
    return build("llm", sections)

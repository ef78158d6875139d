"""Rule `foreign-pipestatus`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.lazy import re
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level

IN_BASH = re.compile(r"\$\{#?pipestatus\b[^}]*\}|\$pipestatus\b(?:\[(\d+)\])?")
IN_ZSH = re.compile(r"\$\{#?PIPESTATUS\b[^}]*\}|\$PIPESTATUS\b")
BASH_INDEX = re.compile(r"\$\{PIPESTATUS\[(\d+)\]\}")
FIRST_IN_BASH = re.compile(r"\$\{pipestatus\[0\]\}|\$pipestatus\[0\]")
ZSH_INDEX = re.compile(r"\$\{?pipestatus\[(\d+)\]\}?")
COUNTED_FROM_0 = r"\b(?:ksh_?arrays|KSH_?ARRAYS)\b|\bemulate\s+(?:-\w+\s+)*(?:k|ba)?sh\b"
BOTH_SHELLS = r"\b(?:ZSH_VERSION|BASH_VERSION|ksh_?arrays|KSH_ARRAYS|emulate)\b"


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def foreign_pipestatus(model: ScriptModel) -> Iterator[Insight]:
    """The array of a pipeline's exits has another name in the other shell.

    bash has `PIPESTATUS`, counted from 0, zsh `pipestatus`, counted from 1. A
    name the shell does not know is empty, and compares as success; so does
    `$pipestatus[0]`.

        #!/bin/zsh
        make | tee log
        made=$pipestatus[0]
        #    ^^^^^^^^^^^^^^ warning: pipestatus[0] is empty: zsh counts from 1
        exit ${PIPESTATUS[0]}
        #    ^^^^^^^^^^^^^^^^ warning: zsh has no PIPESTATUS: its name is pipestatus, counted from 1

    A script that asks which shell it runs in is for both:

        #!/bin/zsh
        make | tee log
        [ -n "$BASH_VERSION" ] && exit ${PIPESTATUS[0]}
        exit $pipestatus[1]
    """
    in_zsh = model.dialect is Dialect.ZSH
    name = "PIPESTATUS" if in_zsh else "pipestatus"
    if in_zsh and "pipestatus[0]" in model.text and not model.mentions(COUNTED_FROM_0):
        for span in model.found_in_code(FIRST_IN_BASH):
            first = Fix("Write $pipestatus[1]", (Replacement(span, "$pipestatus[1]"),))
            none = "pipestatus[0] is empty: zsh counts from 1"
            yield Insight(Level.WARNING, none, span=span, fix=first)
    if model.dialect is Dialect.SH or name not in model.text or model.mentions(BOTH_SHELLS):
        return
    # Without a first line a `.sh` may be a piece of a zsh script.
    if not in_zsh and not model.shebang:
        return
    if model.mentions(
        rf"(?<![\w$]){name}(?:\[[^]]*\])?\+?=|\b(?:local|typeset|declare)\b[^\n]*\b{name}\b"
    ):
        return
    message = (
        "zsh has no PIPESTATUS: its name is pipestatus, counted from 1"
        if in_zsh
        else "bash has no pipestatus: its name is PIPESTATUS, counted from 0"
    )
    for span in model.found_in_code(IN_ZSH if in_zsh else IN_BASH):
        # A line that takes either array, whichever there is, is for both shells.
        line = model.line_at(span.start)
        if "PIPESTATUS" not in line or "pipestatus" not in line:
            fix = _fix(model.source(span), span)
            yield Insight(Level.WARNING, message, span=span, fix=fix)


def _fix(text: str, span: Span) -> Fix | None:
    if found := BASH_INDEX.fullmatch(text):
        replacement = f"${{pipestatus[{int(found[1]) + 1}]}}"
    elif (found := ZSH_INDEX.fullmatch(text)) and int(found[1]) > 0:
        replacement = f"${{PIPESTATUS[{int(found[1]) - 1}]}}"
    else:
        return None
    return Fix(f"Write {replacement}", (Replacement(span, replacement),))

"""Rule `errexit-on-no-file`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import has_flag, has_glob
from zsh_ls.lazy import re
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect, Segment, SegmentKind
from zsh_ls.model.words import Level

# However an option that makes an unmatched glob harmless is spelt: NULL_GLOB, no_nomatch, …
HARMLESS = r"(?i)null_?glob|no_?no_?match|unsetopt[^\n;]*\bno_?match|setopt[^\n;]*\bno_?glob\b"
OWN_FOLDER = re.compile(r"\$\{?0\b|\(%\)|%[xN]\b|\$ZSH_ARGZERO")
VARIABLE = re.compile(r"\"?\$\{?(\w+)")
# Between two loops these may take the files away, or the folder.
CHANGES = r"\b(?:rm|mv|cd|pushd|popd)\b"
LOOP = re.compile(r"for(?:each)?\s+\w+\s+(?:in\s+(?P<words>[^;\n]+))")


@rule(RuleKind.STATIC, Level.WARNING, unproven=True, judged="6 of 9", is_off=True)
def errexit_on_no_file(model: ScriptModel) -> Iterator[Insight]:
    """In zsh under `errexit`, `rm -f *.tmp` ends the script where there is no such file.

    zsh does not hand an unmatched pattern on as bash does: the command is not
    run at all and exits 1 ("no matches found"), whatever `-f` would forgive.

        #!/usr/bin/env zsh
        set -e
        rm -f build/*.tmp
        #     ^^^^^^^^^^^ warning: with no match zsh does not run rm, and errexit ends the script
        make

    The fix adds the qualifier `(N)`, with which a pattern may match nothing:

        #!/usr/bin/env zsh
        set -e
        rm -f build/*.tmp(N)
        make
    """
    if model.dialect is not Dialect.ZSH:
        return
    found: list[Insight] = []
    looped: list[tuple[PipelinePlace, str]] = []
    for place in model.fatal:
        only = place.only
        if only is None:
            continue
        words = model.words(only)
        if only.kind is SegmentKind.FOR:
            for span in _looped(model, only):
                pattern = model.source(span)
                if not _has_matched(model, looped, place, pattern):
                    found.append(_insight(span, "zsh stops here"))
                looped.append((place, pattern))
        elif words[:1] == ("rm",) and has_flag(words, "f", "--force"):
            found += (
                _insight(word, "zsh does not run rm")
                for word in only.words[1:]
                if _may_match_nothing(model.source(word))
            )
    if found and not model.mentions(HARMLESS):
        yield from found


def _insight(span: Span, consequence: str) -> Insight:
    return Insight(
        Level.WARNING,
        f"with no match {consequence}, and errexit ends the script",
        span=span,
        fix=Fix("Let the pattern match nothing", (Replacement(Span(span.end, span.end), "(N)"),)),
    )


def _looped(model: ScriptModel, segment: Segment) -> list[Span]:
    """The patterns that a loop goes over."""
    header = LOOP.match(model.source(segment.span))
    if header is None:
        return []
    start = segment.span.start + header.start("words")
    words = re.finditer(r"\S+", header["words"])
    return [
        Span(start + word.start(), start + word.end())
        for word in words
        if _may_match_nothing(word[0])
    ]


def _has_matched(
    model: ScriptModel, looped: list[tuple[PipelinePlace, str]], place: PipelinePlace, pattern: str
) -> bool:
    """Whether something is there: the script keeps it, made it, or would have stopped above."""
    if pattern.endswith(".zwc") and model.mentions(r"\bzcompile\b", end=place.span.start):
        return True
    name = VARIABLE.match(pattern)
    if name is not None and _is_beside_the_script(model, name[1]):
        return True
    return any(
        before == pattern
        and above.around == place.around[: len(above.around)]
        and not model.mentions(CHANGES, above.span.end, place.span.start)
        for above, before in looped
    )


def _is_beside_the_script(model: ScriptModel, name: str, depth: int = 2) -> bool:
    """Whether a variable is set to the script's own folder or one below, which its project keeps."""
    values = re.findall(rf"(?m)^[^\n#]*\b{name}=([^\n;]+)", model.text)
    if not values:
        return False
    for value in values:
        held = VARIABLE.match(value)
        beside = OWN_FOLDER.search(value) is not None
        deeper = depth > 0 and held is not None and held[1] != name
        if not beside and not (
            deeper and held is not None and _is_beside_the_script(model, held[1], depth - 1)
        ):
            return False
    return True


def _may_match_nothing(word: str) -> bool:
    return has_glob(word) and not word.endswith((")", ".zsh"))

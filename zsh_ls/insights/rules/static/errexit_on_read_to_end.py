"""Rule `errexit-on-read-to-end`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.lazy import re
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level

NUL_DELIMITER = re.compile(r"-[A-Za-z]*d(?:''|\"\")")
COUNTED = re.compile(r"-[A-Za-z]*[nNk]\d*")
# What writes the NUL that is waited for.
NUL_WRITTEN = re.compile(r"\\0|\\x00|-print0|\s-z\b|--null|-0\b|/proc/")


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def errexit_on_read_to_end(model: ScriptModel) -> Iterator[Insight]:
    """Under `errexit`, `read -d ''` reads everything and then ends the script.

    It waits for a NUL character, finds the end of the input instead, and exits
    1 although the variable is filled.

        #!/bin/bash
        set -e
        read -r -d '' usage < usage.txt
        #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: read -d '' exits 1 at the end of its input
        echo "$usage"

    The fix lets that exit pass. In a loop's condition it is how the loop ends:

        #!/bin/bash
        set -e
        while read -r -d '' file; do
          echo "$file"
        done < <(find . -print0)
    """
    for place in model.fatal:
        only = place.only
        if only is None or model.command(only) != "read":
            continue
        if not _reads_to_end(model.words(only)) or NUL_WRITTEN.search(model.source(only.span)):
            continue
        if model.stops(only):
            yield model.warning(
                "read -d '' exits 1 at the end of its input, and errexit ends the script",
                place.span,
                only,
                model.appended(place, " || true", "Let the exit pass"),
            )


def _reads_to_end(words: Sequence[str]) -> bool:
    # With a count it is done when it has so many characters.
    if any(COUNTED.fullmatch(word) for word in words):
        return False
    pairs = pairwise(words)
    apart = any(re.fullmatch(r"-[A-Za-z]*d", one) and two in {"''", '""'} for one, two in pairs)
    return apart or any(NUL_DELIMITER.fullmatch(word) for word in words)

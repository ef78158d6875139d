"""Rule `errexit-on-no-file`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.place import Place
from zsh_ls.insights.reading import Reading
from zsh_ls.insights.registry import Kind, rule
from zsh_ls.insights.script_words import has_flag, has_glob
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.model.words import Level

# However an option that makes an unmatched glob harmless is spelt: NULL_GLOB, no_nomatch, …
HARMLESS = r"(?i)null_?glob|no_?no_?match|unsetopt[^\n;]*\bno_?match|setopt[^\n;]*\bno_?glob\b"


@rule(Kind.STATIC, Level.WARNING, unproven=True)
def errexit_on_no_file(reading: Reading) -> Iterator[Insight]:
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
    if reading.dialect is not Dialect.ZSH or reading.mentions(HARMLESS):
        return
    for place in reading.places:
        for word in _forgiven_globs(reading, place):
            yield Insight(
                Level.WARNING,
                "with no match zsh does not run rm, and errexit ends the script",
                span=word,
                fix=Fix(
                    "Let the pattern match nothing", (Replacement(Span(word.end, word.end), "(N)"),)
                ),
            )


def _forgiven_globs(reading: Reading, place: Place) -> list[Span]:
    only = place.only
    if only is None or not place.ends_the_script:
        return []
    words = reading.words(only)
    if words[:1] != ("rm",) or not has_flag(words, "f", "--force"):
        return []
    return [
        word
        for word in only.words[1:]
        if has_glob(reading.source(word)) and not reading.source(word).endswith(")")
    ]

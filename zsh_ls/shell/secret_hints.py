"""A quick look at a command: most hold nothing that any rule about secrets begins with.

What is passed over here is never read for secrets, so a rule that begins with
something new needs its hint here (`tests/shell/test_redact.py` compares both ways).
"""

from __future__ import annotations

import re

from .secret_names import HINT
from .secret_programs import LETS_IN, PROGRAMS, READS_SECRET
from .secret_text import MAY_SPEAK
from .vendor_tokens import LONG_STRETCH

# Words, options, assignments, pipes and lists; quotes, URLs, `user:password` and streams are read.
_PLAIN = re.compile(r"[A-Za-z0-9_./,+@ =|&;\n-]*")
_LETTER_P = re.compile(r"(?:^|\s)-[pP]\s")
_USER = re.compile(r"(?:^|\s)-(?:[uUl]\s|-?user|-?login)")
_PROGRAM = re.compile(
    r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted({*PROGRAMS, *READS_SECRET}))) + r")(?![\w-])"
)
_WORDS = re.compile("|".join([*sorted(LETS_IN), "creds", "identity"]))
_TOKEN = re.compile(LONG_STRETCH)
_HINTS = (_TOKEN, HINT, _PROGRAM, _WORDS, MAY_SPEAK)


def holds_no_secret(text: str) -> bool:
    """Whether a command is plain and no rule finds anything to begin with in it."""
    if not _PLAIN.fullmatch(text) or any(hint.search(text) for hint in _HINTS):
        return False
    return not (_LETTER_P.search(text) and _USER.search(text))

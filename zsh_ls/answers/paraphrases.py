"""Roundabout ways to say what the cues say in a word: `always or only sometimes` asks what is flaky.

Each rewrites the form of a question and no more: what it asks for, and every condition, stays.
"""

from __future__ import annotations

from zsh_ls.lazy import re

_THING = r"(?P<thing>[\w.+/-]+)"
_NOW_AND_THEN = (
    r"(?:sometimes|comes? and goes?|now and then|now and again|at random|on and off|flaky)"
)
_ALWAYS_OR_NOT = (
    r"\b(?:(?:properly|really|truly|always|just|actually) )*(?:broken|break(?:s|ing)?|fail(?:s|ing)?|red|"
    r"always)(?: always)?,? or (?:whether |if )?(?:is |does |do |are )?(?:it |they )?"
    rf"(?:just |only |merely )*{_NOW_AND_THEN}\b"
)
_WISH = (
    rf"^i (?:want|need|wish) to (?:have|get|install) {_THING} (?:onto|on|in) (?:this|my|the)"
    r" (?:machine|computer|box|system|laptop)\b.*$"
)
_FORMS: tuple[tuple[str, str], ...] = (
    # Either it always fails, or only sometimes.
    (_ALWAYS_OR_NOT, "flaky"),
    (rf"^{_THING},? (?:do|have) (?:i|we) (?:have|got) (?:it|that)\b.*$", r"is \g<thing> installed"),
    (rf"^{_THING} there\??$", r"is \g<thing> installed"),
    (_WISH, r"install \g<thing>"),
    (r"\bpass\w* (?:vs\.?|versus|and|against) fail\w*\b", "how often failed"),
    (r"\bshould i (?:be worried|worry|be concerned) about\b", "is full"),
    (r"\bwithout (?:a |any )?(?:single )?(?:problem|trouble|error|hitch|issue|failure)s?\b", "successfully"),
    (r",? and (?:what|how) is it called\b", ""),
    (r"\bdid (?:i|we) let (.+?)(?: run)? (?:go(?: on)?|run)\b", r"did \1 take"),
    (r"\bin this (?:very )?moment\b", "right now"),
    (r"\bat (1?\d|2[0-3])([0-5]\d)\b", r"at \1:\2"),
    (r"\bwith (?:which|what) (?:number|code|value)\b", "with which exit code"),
    (r"\b(?:what|which) (?:number|id) has the task of\b", "what is the task id of"),
    (r"^if it is no (?:trouble|bother),? ", ""),
    (r"^(?:please )?(?:could|can|may|might) (?:i|we) know,? ", ""),
)  # fmt: skip
_COMPILED = tuple((re.compile(form, re.IGNORECASE), instead) for form, instead in _FORMS)


def rephrased(text: str) -> str:
    """A plain question with roundabout forms in plain words."""
    for form, instead in _COMPILED:
        text = form.sub(instead, text)
    return text.strip()

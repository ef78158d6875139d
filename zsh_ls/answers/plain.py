"""Takes from a question what is not asked: courtesy, sounds of speech, sentences beside the matter.

A sentence or clause is only left out where it cannot hold a condition: one that names another person,
machine or time, or says `if` or `without`, stays, and then nobody knows the question.
"""

from __future__ import annotations

from zsh_ls.lazy import re

_SOUNDS = re.compile(
    r"\b(?:u+m+|u+h+|e+r+m?|hmm+|(?<!would )(?<!do )(?<!did )(?<!if )(?<!thing )you know|i mean|"
    r"i guess|i think|i swear|i fear|or something|or"
    r" whatever|kinda|"
    r"kind of|sort of|sorta|wtf|lol|omg|btw|by the way|for me|at all|by any"
    r" chance|perhaps|maybe|possibly|kindly|"
    r"in the end|if i may ask|may i ask|out of curiosity|if you (?:can|could)|i'?m afraid|would you"
    r" say|"
    r"ever so much|if you still have (?:it|that)(?: somewhere)?|even|the (?:heck|hell)|on earth|"
    r"^is there (?:a|any) chance that|"
    r"^(?:(?:yeah|right|well|so|like|let'?s see|let me see|i forget|i forgot|i can'?t remember|"
    r"remind me)[\s,]+)+|"
    r"(?<!\bi )(?<!\bwe )"
    r"like(?= (?:/\w|(?:all|since|at|it|a|what|why|when|how|is|are|did|does|the|eleven|twelve|ten)\b)))\b",
    re.IGNORECASE,
)
_YOU = r"(?:(?:could|can|would|will|might|may|do|did) (?:you|i)|you (?:could|can|might|would))"
_SOFT = (
    r"(?:,? (?:please|kindly|possibly|perhaps|maybe|just|quickly|also|happen to|be able to|mind|"
    r"be (?:so |a )?(?:kind|dear|good)(?: enough| as)?(?: to| and)?|ask you to|trouble you to|love"
    r" to|like to|want to))*"
)
_TELL = (
    r"(?:tell(?:ing)?|show(?:ing)?|remind(?:ing)?|let(?:ting)?|read|giv(?:e|ing)|say|explain|check|name|"
    r"know|remember|ask|see)"
)
# Behind the last of these the question itself begins.
_FRAME = re.compile(
    rf"(?:\b{_YOU}{_SOFT},? {_TELL}(?: me)?(?: please)?(?: know)?(?: again)?"
    r"|\bwould you mind (?:telling|checking|showing|letting|saying|looking|"
    r"reminding)(?: up)?(?: me)?(?: know)?"
    r"|\b(?:could|can|may|might) i (?:trouble|bother) you (?:for|to (?:say|tell|show|check))(?: me)?"
    r"|\bis there any (?:chance|way)(?: that)? you (?:could|can|might) (?:tell|show|check|say)(?: me)?"
    r"|\bi(?:'?m| am| was)? (?:do )?wonder(?:ing)?"
    r"|\bi(?:'?d| would) (?:love|like|be grateful|be interested|be glad|want)(?: to)? (?:know|"
    r"hear|see|learn)"
    r"|\bi (?:want|need|wish)(?: to)? know"
    r"|\bwould it be (?:all right|alright|ok|okay|possible) to ask"
    r"|\b(?:may|might|could) i ask"
    r"|\b(?:would|is) it be possible to (?:see|show|know|tell)|\bis it possible to"
    r" (?:see|show|know|tell)"
    r"|\bplease"
    r"),?(?: please,?)?(?: whether| if(?= (?:you|i|the|it|my|we)\b))?,? ",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,;]*\b(?:(?:,? ?yes )?or no(?:t| not)?|please|pls|plz|thanks|thank you|thx|may i ask|if you please|"
    r"do you (?:happen to )?know|(?:i think )?it (?:was|were) (?:like |about |maybe )?(?:one|two|"
    r"three|four|five|"
    r"six|ten|\d+)|,? and if not,? (?:how|what)[^?]*|if (?:you (?:don'?t|do not|wouldn'?t) mind|"
    r"that'?s (?:something|anything) you know|you know(?: that| it)?"
    r"|you (?:could|can|would)|that'?s (?:ok|okay|all right|possible)|possible)"
    r"|i (?:do )?(?:not|don'?t|can'?t|cannot) (?:remember|recall|know)(?: it| anymore|"
    r" any more)?)[\s?.!]*$",
    re.IGNORECASE,
)
# What every run comes to, and what everybody ought to know.
_END_OF_RUN = re.compile(
    r",? \b(?:(?:before|until|till|til|when) (?:i|it|they) (?:was |got )?(?:stopped|killed|gave"
    r" up|cancell?ed|interrupted|ended|ends|"
    r"crashed|crashes|died|dies|failed|fails|broke|breaks|stops|cut off|"
    r"timed out|hit (?:its|"
    r"the) limit)(?: it| them| that| this| up)?"
    r"|that i (?:ought to|should|need to) know(?: about)?)[\s?.!]*$",
    re.IGNORECASE,
)
# A clause of courtesy before the question: `I'm embarrassed to ask, but …`, `If you don't mind, …`.
_LEAD = re.compile(
    r"^(?:(?:(?:i|i'?m|i'?d|it|this|forgive|sorry|hope|if (?:you|it|i)) [^?]*?,? but )"
    r"|(?:if (?:you (?:do not|don'?t|would not|wouldn'?t|could|can)|it isn'?t|i may)[^,?]*,)"
    r"|(?:before i [^,?]*,))\s*(?=\S)",
    re.IGNORECASE,
)
# Courtesy before the question that can be nothing else.
_COURTESY = re.compile(
    r"^(?:if you(?:'?d| would) be so (?:kind|good)|when(?:ever)? you (?:have|get) (?:a|"
    r"one) (?:second|moment|minute|sec|chance)"
    r"|(?:this is )?(?:an? )?(?:silly|stupid|odd|dumb|quick|strange|simple) question|"
    r"i (?:am having|have) (?:one|a) (?:small )?"
    r"(?:doubt|question)|one (?:small |last |more )?question)[\s,:.]+(?:but )?(?=\S)",
    re.IGNORECASE,
)
# A clause that gives the asker's reason, or the other half of `… or not`.
_ASIDE = re.compile(
    r",? \b(?:because(?! of)|so that|so i|since i|as i|as in|it feels|i feel|i want|i wanna|"
    r"i need (?:it|that|this) (?:to|for)|i"
    r" always|i never|(?<=, )i stopped|was it(?! (?:that|good|ok|okay|green|red|fine|successful))|or(?="
    r" (?:not|what|no|is|did|do|was|has|have|can|wait|am|are|it|somebody|someone|anybody)\b))\b"
    r" (?P<said>[^?]*)[\s?.!]*$",
    re.IGNORECASE,
)
_SAID_BEFORE = re.compile(
    r"\b(?:if|isn't|don't|didn't|wasn't|can't|couldn't|haven't|hadn't|wouldn't|not|n't|no|it|too|much)\b",
    re.IGNORECASE,
)
_FOR_WHOM = re.compile(
    r"\b(?:for|to) (?:a|my|our|the) (?:colleague|boss|friend|manager|report|team|customer)s?\b",
    re.IGNORECASE,
)
# What was before, told beside the question: `like they were fine an hour ago`.
_WAS_FINE = re.compile(
    r",? (?:(?:like|though|although|even though) (?:they|it) (?:was|were|worked|passed|ran) [^?]*"
    r"|(?<!because )(?<!that )(?<!if )(?<!when )(?<!while )"
    r"(?:but )?(?:they|it) (?:was|were) (?:all )?(?:fine|ok|okay|green|good|working|passing)\b[^?]*)$",
    re.IGNORECASE,
)
# Said twice: `what's um what's running`.
_TWICE = re.compile(
    r"\b((?:what|who|how|where|when|why|which|that|is|the|did|it|so|and)(?:'s)?)"
    r"(?:,? (?:u+m+|u+h+|e+r+m?))*,? \1\b(?!')",
    re.IGNORECASE,
)
_HOW_TO_HAVE = re.compile(
    r"\bhow (?:(?:i|we|one|you) (?:would|could|should|might|can|may)|(?:would|could|should|might|can) "
    r"(?:i|we|one|you)) (?:(?:go about|best) )?(?:install(?:ing)?|set(?:ting)? up) ",
    re.IGNORECASE,
)
_WISHES = re.compile(r"\bi(?:'d| would) like to (?=have|get|install)", re.IGNORECASE)
_OR_I = re.compile(r"\bor (?:do|did|should|can) i\b", re.IGNORECASE)
_IS_IT = re.compile(r"\b(?:is|was|are|did|does|has) (?:it|they|that|this|there)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[\w)`'\"][.!?])\s+(?=[A-Z\"`])|(?<=[!?])\s+")
_GREETING = re.compile(
    r"^(?:(?:hey|hi|hello|there|good (?:day|morning|evening|afternoon)(?: to"
    r" you)?|okay|ok|so|well|and|to|"
    r"excuse me|pardon me|"
    r"sorry to (?:bother|trouble|disturb) you|"
    r"but|please|yo|sorry|look|honestly|then|thanks|thank you)\b[\s,!.]*)+",
    re.IGNORECASE,
)
# What may be a condition, or another place, person or time.
_CONDITION = re.compile(
    r"\b(?:if|unless|except|without|only|other|another|else|not|counting|his|her|their|him|them|"
    r"she|he|they|"
    r"colleagues?|boss|friends?|laptop|mac|macbook|phone|prod|production|staging|server|container|vm|"
    r"next|tomorrow|last|when|while|in \d{4}|january|february|march|april|june|july|"
    r"august|september|october|december|as root|sudo)\b|n't\b|\d",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z,;:] )(?!I\b|I'|ALAN|CI\b)[A-Z][a-z]+")
_DAYS = frozenset(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"])
_ASKS = re.compile(
    r"\b(?:why|what|which|who|whose|when|how|where)\b|^(?:show|list|print|explain|install|name)\b"
    r"|^(?:is|are|am|did|do|does|has|have|was|were|can|any)\b",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """The question proper in a text that was typed or said; what cannot be left out stays."""
    sentences = [part.strip() for part in _SENTENCE.split(text.strip()) if part.strip()]
    proper = [it for it in map(_proper, sentences) if it]
    requests = {_proper(it) for it in sentences if _FRAME.search(it) or it.endswith("?")}
    asking = [it for it in proper if _ASKS.search(it) or it in requests]
    # A mere statement beside a question is left out.
    kept = [it for it in proper if it in asking or not asking or not _is_said_beside(it)]
    return " ".join(kept) or text.strip()


def _is_said_beside(statement: str) -> bool:
    """Whether a statement next to a question can be left out; of oneself more may be said."""
    if re.match(r"(?:i|i'm|it|my)\b", statement, re.IGNORECASE):
        statement = _SAID_BEFORE.sub("", statement)
        statement = re.sub(r"(?<=[a-z ])[A-Z][a-z]+ expert", "", statement)
        statement = _FOR_WHOM.sub("", statement)
    return _is_beside(statement)


def _proper(sentence: str) -> str:
    """A sentence without what surrounds its question."""
    words = _HOW_TO_HAVE.sub("how to install ", _TWICE.sub(r"\1", _GREETING.sub("", sentence)))
    words = re.sub(r"\s+,", ",", re.sub(r"\s{2,}", " ", _SOUNDS.sub("", words))).strip(" ,")
    words = _END_OF_RUN.sub("", _TAIL.sub("", words))
    words = _WISHES.sub("i want to ", _WAS_FINE.sub("", _COURTESY.sub("", words)))
    lead = _LEAD.match(words)
    if lead and _is_beside(_SAID_BEFORE.sub("", lead[0])):
        words = _GREETING.sub("", words[lead.end() :])
    aside = _ASIDE.search(words)
    if (
        aside
        and _is_beside(_SAID_BEFORE.sub("", aside["said"]))
        and (_ASKS.search(words[: aside.start()]) or _IS_IT.search(words) or _OR_I.search(words))
    ):
        words = words[: aside.start()]
    frames = [it for it in _FRAME.finditer(words) if it.end() < len(words)]
    for frame in reversed(frames):
        if _is_beside(words[: frame.start()]) or not _names_anybody(words[: frame.start()]):
            words = words[frame.end() :]
            break
    return _GREETING.sub("", words).strip(" ,.?!")


def _names_anybody(words: str) -> bool:
    """Whether the words before a request are more than courtesy (`if it isn't too much trouble`)."""
    return not re.fullmatch(
        r"\s*(?:(?:if|it|is|isn'?t|wouldn'?t|would|do|don'?t|not|too|much|trouble|you|mind|i|"
        r"hope|me|asking|this|an?|"
        r"odd|silly|question|forgive|thing|the|to|ask|but|sorry|bother|seem|remember|and|again|"
        r"all|your|for|help|so|far|of|"
        r"little|embarrassed|'m|i'm|could|be|happen|know|was|wondering|wonder|would|see|like|"
        r"love|grateful|interested|by|any|chance)[\s,.]*)*",
        words,
        re.IGNORECASE,
    )


def _is_beside(words: str) -> bool:
    """Whether words can be left out: they hold no condition, and name nobody."""
    return not _CONDITION.search(words) and not set(_NAME.findall(words)) - _DAYS

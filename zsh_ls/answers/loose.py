"""Reads questions that are put in any order of words: by cues, and by words that name what is asked about.

Every word has to be one that says nothing, a cue that the intent allows, a time, or a part of a name that
memory knows. One that is none of these is a condition that nobody understood: then the intent does not match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from zsh_ls.lazy import attrs, re

from .clock import Clock, take_clock, take_since
from .window import FoundWindow, Window, find_window
from .words import QuestionWord, noun_stem, stem, words_of

Subject = Literal["none", "maybe", "needed"]

_TABLE = """\
# Says nothing about what is asked. Not here: `not`, `if`, `will`, `would`, `should`, `other`, `else`.
stop: =went | =wanted | a | an | the | my | our | me | i | we | you | your | it | its | this | that
    | these | those | there | am | is | do | have | of | on | in | at | for | to | by | with | into
    | over | within | about | any | some | all | every | and | so | then | now | just | really |
    actually | exactly | ever | again | already | still | right | earlier | recently | lately | back
    | can | could | may | might | get | be there | out of | up to | right now | at the moment | at
    present | currently | moment | roughly | about | around | approximately | please | hey | hi | ok
    | okay | well | as | much | many time | one | ones | part | own | us | but | somehow | itself |
    even | something | anything | everything | altogether | total | gave | give | let | tell |
    inside | at any point | at any time | remind | know | see | which | what | yet | ago | very |
    bit | a bit | through | whether | it was | myself | use | try | tried | manage | try to | manage
    to | happen to | want to | go ahead | mine | onto | suppose to | be suppose to
from: from
machine*: machine | computer | box | system | pc | host | thing
wrong: wrong | what be wrong
why: why | reason | how come | reason for | what's up with | be up with | up with | what caused |
    cause | because | because of what | what trip | what trip up | which step | at which step |
    which line | at which line | what go wrong | what happen | what become | what break | complain |
    the matter | go wrong | where do it fail | become of | happen to | what stop
status: finish | succeed | pass | work | get to the end | reach the end | make it to the end | go
    well | run well | go through | complete | ok | okay | fine | good | green | succeeded | really |
    end up | result | outcome | come back with | good or bad | pass or fail | green or red | how do
    it go | how do that go | ok or not
fail: fail | failure | break | broken | be red | red | crash | error | die | not work | not pass |
    not succeed | abort | not go through | not build | would not build | would not run | would not
    start | would not work | not finish | not connect | not get | go red | stop | bad | give up |
    unsuccessful | trip | trip up | not know | no more green | go wrong |
    not green | reject | problem | choke | bomb | blow up | traceback | exception | trouble | fall
    over | issue | not start | not reach | time out | stop work | be not make | let me down | not
    found | not go | turn red | not respond | not anymore
how: how
go: go
silent: no output | say nothing | print nothing | nothing print | give nothing | show nothing |
    write nothing | nothing | empty | blank | be silent | stay silent
not: not
no-change: without i change | without i change anything | without i change nothing | without change
    anything | i change nothing | nothing change | without any change
they: they | them
most: most | the most
error: error | error message | message | traceback | exception | trace | stack trace
pass: reachable | answer | respond | reply | go good | pass | work | succeed | be green | green | go
    through | be ok | good | fine | reach | be fine | successful | successfully | function | go well
    | all green | all right | be good | connect | success | run fine | be reachable
when: when | since what time | from when | when be it | what time | how long ago | since when | at
    what time | what day | which day | on which day | in which hour | at which hour | which hour |
    what hour
last: last | latest | most recent | previous | last time | the last time | final | newest | recent
first: first | the first | very first | oldest | earliest
how-long: how long | since how long | after how long | after how much time | how much of time | sec
    | secs | how much time | how many second | how many minute | duration | time | how long time |
    long | run time | runtime | how fast | how slow | speed | eta
take: be going | go on | =going | take | need | last | require | run | cost | spend | =making | wait
    | for
usual: usually | usual | normally | normal | typical | typically | average | on average | in general
    | generally | avg | mean | median | tend | tend to | approx | usualy | expected | expect
how-often: out of | how often | how many time | how many | count | number of time | how frequently |
    number | how much time | times
rate: rate | percentage | percent | ratio | share | how reliable | reliability | frequency | success
    rate | failure rate
ran: =made | run | execute | launch | start | do | type | use | call | issue | execution | happen |
    =doing | work on | be up to | enter | open | edit | perform
where: where | which folder | what folder | which directory | what directory | which project | what
    project | which repo | which place | what dir | which dir | whereabouts
run-noun: run | runs | execution | time | invocation | attempt
show: show | explain | print | display | list | give | read | see | view | read out
output: =lines | put on the screen | put on screen | come out | output | log | say | print | printed
    | write | =said | result | text | message | trace | traceback | stdout | stderr | what do it say
test*: test | spec | testcase | unit test
which: which | what | name | list | show | kind of | kind
exit: exit | rc | exit code | exit status | status code | return code | error code | code | status |
    exitcode | return status
ended-with: end with | exit with | finish with | come back with | return | give back | end in | give
    me
meaning: significance | mean | meaning | stand for | signify | tell | explain | what be | definition
    | what do | say
running: =running | =runs | in progress | =run | underway | executing | going on | =going on | still
    going | going
now: now | right now | at the moment | currently | at present | moment | still
by-hand: by hand | with my hand | with my own hand | manually | by myself
kill: =killed | kill | get killed | interrupt | cancel | abort | stop by hand | stop | terminated |
    ctrl-c | cancelled | end early
timeout: time out | run out of time | timed out | timeout | time limit | hang | hung | too long |
    stuck | take too long | freeze
here: here | in here | in this folder | this folder | this directory | this project | in this
    project | this repo
commands*: command | commands | cmd | program | process | project | folder | directory
all-of: all | everything | every | each
list: list | list of
thing: thing | things | stuff
remembered: you remember | remember | in memory | you know of | recorded | on record
history: history | overview | summary | short overview | short | brief | recap | rundown
port*: port | tcp port | udp port | tcp | ports
listen: listen | sit | use | occupy | block | hold | hog | bind | run | have | own | serve | take |
    answer | be | =using | seem | attach | live
free: free | available | unused | in use | open | busy | taken | used | occupied | idle | empty
pid: pid | process id | process number | id
process: process | program | app | application | service | whatever | who | whose | somebody |
    someone | anyone | anybody | something | anything | nobody
installed: =installed
how-to: how be that do | how do that work | how | how to | how do i | how can i | how should i |
    best way | way
install: =install | =installing | get | have | set up | add | =setup
version: version | release | which release | what release | version of | which version | what
    version
flaky: flaky | unreliable | intermittent | unstable | sometimes | random | randomly | flakiest | now
    and then | reliable | stable | flakyness | be good | be bad | come and go | without change
changed: diff | change | differ | different | modify | edit | touch | new | between
far-back: how far back | far back
reach: reach | go back | begin | start | go
memory-of: record | memory | history | recollection | recording
longest: longest | most long | most long time | most time | maximum | max | slowest | at worst
shortest: shortest | quickest | fastest | minimum | least time | most short | most short time
task-id: id | number | task id | identifier | task number | task
before: before | right before | just before
or: or
lacks: lack | miss | missing
shell: shell | the shell
behind: after | right after | just after
always: always | keep | keep on | constantly | every time | all the time
signal: signal | signal number
since: since | after | from | between
commit: commit | make commit | make some commit | make any commit | check in
memory*: memory | ram | mem
disk*: disk | disc | disk space | drive | storage | space | partition | volume | ssd | place
full: full | nearly full | almost full | run out | run out of | how full | fill up | low | left |
    free | used | usage | fill | nearly | almost | how much | available | remain | big | size |
    anywhere | room | remaining | enough | utilization
amount: how many gb | how many gig | how many gigabyte | gb | gig | gigabyte | to play with | rest |
    =rests | how much | how many | amount | how big | total | size | how | left | free | available |
    used | usage | in use | occupied | remain | =use | be there | use | be left
cpu*: cpu | processor | core | cores | chip | thread
load*: load | load average | loadavg
busy: busy | slow | sluggish | loaded | work hard
gpu*: gpu | graphic card | graphics card | video card | vram | graphics | gpu memory | video memory
    | card
swap*: swap | swap space | swap file
model: model | build in | built in | built into | kind | type | name | brand | what kind | inside |
    have | which
worked-ever: ever work | ever ok | ever good | ever function | ever pass | ever succeed | work |
    pass | succeed | success | ever go through | function
now-not: now not | now they do not | now it do not | not any more | not anymore | no longer | now
    they do | do not any more | and now not
uptime: still up | up | be up | running | how long | alive | start
uptime-word: uptime
have: have | be there | there be | exist | exists
ordinal: couple | few | several | some | last | recent | latest
file: file | what file | which file | line | which line | where | place | location
deploy-error: error
together: together | altogether | in all | in total | all together | overall | so far | since the
    begin"""


def _cues() -> dict[str, tuple[str, ...]]:
    lines = _TABLE.replace("\n    ", " ").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return {name: tuple(part.strip() for part in phrases.split("|")) for name, phrases in pairs}


_CUES = _cues()
Key = tuple[str, ...]


def _index() -> dict[Key, frozenset[str]]:
    index: dict[Key, set[str]] = {}
    for name, phrases in _CUES.items():
        for phrase in phrases:
            key: Key = tuple(map(stem, phrase.replace("'s", " is").split()))
            if phrase.startswith("="):
                key = ("=", phrase[1:])
            elif name.endswith("*"):
                key = ("*", *map(noun_stem, phrase.split()))
            index.setdefault(key, set()).add(name.rstrip("*"))
    return {key: frozenset(cues) for key, cues in index.items()}


_PHRASES = _index()
_LONGEST = max(map(len, _PHRASES))
STOPS = frozenset(word for phrase in _CUES["stop"] for word in phrase.lstrip("=").split())
WORDS = frozenset(
    word.lstrip("=").lower()
    for phrases in _CUES.values()
    for phrase in phrases
    for word in phrase.split()
)


def cues_of(words: Sequence[QuestionWord]) -> frozenset[str]:
    """Every cue that these words may be as a phrase."""
    keys: list[Key] = [tuple(word.stem for word in words), ("*", *(word.noun for word in words))]
    if len(words) == 1:
        keys.append(("=", words[0].text.lower()))
    return frozenset().union(*(_PHRASES.get(key, ()) for key in keys))


@attrs.frozen
class LooseQuestion:
    """A question's words without its time, which is `window`, and the words of it."""

    text: str
    words: tuple[QuestionWord, ...]
    window: Window | None = None
    clock: Clock | None = None

    @classmethod
    def of(cls, text: str) -> LooseQuestion:
        """The question in a plain text."""
        timeless, since = take_since(text)
        timeless, clock = take_clock(timeless)
        words = tuple(words_of(timeless))
        found: FoundWindow | None = find_window([word.stem for word in words], months=True)
        if found is None or since is not None:
            return cls(text, words, _since(since) if since else None, clock)
        return cls(text, (*words[: found.start], *words[found.end :]), found.window, clock)


def _since(clock: Clock) -> Window:
    """From the latest such time of day until now."""
    hour, minute = divmod(clock.minutes, 60)
    return Window(f"since {hour}:{minute:02}", since_minutes=clock.minutes, open_end=True)


@attrs.frozen
class LooseMatch:
    """What an intent finds: its cues, the words that name something, the time."""

    cues: frozenset[str]
    left: tuple[str, ...]
    window: Window | None
    clock: Clock | None
    weight: int
    text: str = ""


@attrs.frozen
class Intent:
    """What a question has to say (`needs`: one of each group, by different words), and may say."""

    needs: tuple[frozenset[str], ...]
    may: frozenset[str]
    subject: Subject = "none"

    @property
    def allowed(self) -> frozenset[str]:
        """Every cue that this intent can explain."""
        return frozenset({"stop"}).union(*self.needs, self.may)


def intent(needs: str, may: str = "", *, subject: Subject = "none") -> Intent:
    """An intent from words: `intent("why|fail", "last", subject="maybe")`."""
    groups = tuple(frozenset(group.split("|")) for group in needs.split())
    return Intent(groups, frozenset(may.split()), subject)


def match(wanted: Intent, question: LooseQuestion) -> LooseMatch | None:
    """The match of an intent with a question; None where a need is missing."""
    tiles: list[frozenset[str]] = []
    left: list[str] = []
    at, words, allowed = 0, question.words, wanted.allowed
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            cues = cues_of(words[at : at + length]) & allowed
            if cues and words[at].stem:
                tiles.append(cues)
                at += length
                break
        else:
            left.append(words[at].text)
            at += 1
    if not _assignable(wanted.needs, tiles):
        return None
    if (left and wanted.subject == "none") or (not left and wanted.subject == "needed"):
        return None
    cues = frozenset().union(*tiles)
    return LooseMatch(
        cues, tuple(left), question.window, question.clock, len(wanted.needs), question.text
    )


def _assignable(needs: Sequence[frozenset[str]], tiles: Sequence[frozenset[str]]) -> bool:
    if not needs:
        return True
    return any(
        needs[0] & tile and _assignable(needs[1:], [*tiles[:at], *tiles[at + 1 :]])
        for at, tile in enumerate(tiles)
    )


_DEEDS = re.compile(
    r"^(?:(?:can|could|will|would) you |go ahead and |(?:be|you) .{0,20} and"
    r" )?(?:kill|stop|rerun|re-run|restart|start|run|delete|remove|erase|send|"
    r"free"
    r" (?:up|port|the|my|some)|uninstall|reinstall|clean|fix|repair|build|deploy|push|pull|commit|launch|"
    r"execute|abort|cancel|terminate|retry|repeat|"
    r"undo|revert|close|shut|open|download|upload|copy|move|rename|format|edit|write|create|make|update|upgrade|"
    r"test|call|mail|post)\b"
    r"(?! (?:history|time|duration|count|output|log|error|status|take|usual|fail|result|failure|"
    r"rate|last|ok|okay|fine|good|"
    r"ever|green|red|done|finished|passed|passing|failed|failing|broken|still))",
    re.IGNORECASE,
)
_DEED_WORDS = re.compile(
    r"\b(?:rerun|re-run|restart|once more|start .* again|run .* again"
    r" (?:for|please|now)|delete|erase)\b",
    re.IGNORECASE,
)
# What a machine elsewhere has or writes: none of it is known here.
_ELSEWHERE = re.compile(
    r"\b(?:on|of|at|from) (?:the|our|my|that) (?:staging|production|prod|live|remote|build|ci|web|mail|"
    r"file|db|database|office|test|backup) (?:server|host|machine|box|cluster|node|vm|system)s?\b"
    r"|\b(?:staging|prod|production|nginx|apache|access|audit|kernel|system) logs?\b",
    re.IGNORECASE,
)
# What somebody thought or felt; `was I able to` and `am I running out of` are of the machine.
_OF_A_MIND = re.compile(
    r"^(?:and |so |but )?(?:was|were|am|are) (?:i|we) (?!running|out|low|able|allowed|"
    r"using|on|in|up|connected)\w"
    r"|\b(?:my|our) (?:(?:own|real|main|true) )?(?:reasons?|motives?|intentions?|purpose|idea|plan|goal|mood|"
    r"excuse|aim|hope|thoughts?|feelings?|opinion)\b"
    r"|\b(?:did|do|was|am) (?:i|we) (?:really )?(?:feel|think|mean|hope|expect|intend|like|believe)",
    re.IGNORECASE,
)
# What a thing of a kind has at all: `how long is a python`, `how big is an image`.
_OF_ANY = re.compile(
    r"\bhow (?:long|big|fast|slow|old|large|tall|heavy|high|much) (?:is|are|was) an? ",
    re.IGNORECASE,
)
# The future, wishes, conditions, comparisons.
_NEVER_KNOWN = re.compile(
    r"\b(?:will|gonna|going to|would|should|shall|if|unless|except|without(?! changing| change|"
    r" i)|tomorrow|next|faster|slower|"
    r"better|worse|than|instead|compared|versus|vs|other|another|else(?!'s)|everyone|everybody|"
    r"only|elsewhere|"
    r"colleague|colleagues|customers?|users|people)\b",
    re.IGNORECASE,
)


# How to do something, but for what is shown or installed; and what is always so on a day.
_HOW_TO = re.compile(
    r"\bhow (?:to|(?:do|can|should|would|might|could) (?:i|we|you))\b"
    r"(?!.*\b(?:install|get|set ?up|see|find|know|check|show|tell|list)\b)",
    re.IGNORECASE,
)
_INSTALLS = re.compile(r"\binstall(?:ed|ing)?\b", re.IGNORECASE)
_PURPOSE = re.compile(r"\bused for\b|\bgood for\b|\ba thing\b", re.IGNORECASE)
_HABIT = re.compile(
    r"\bdo(?:es)?\b.*\bon (?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE
)
# `the image wouldn't build` tells of what was.
_WOULD_NOT = re.compile(r"\bwould(?:n't| not)\b", re.IGNORECASE)


def is_beyond(text: str) -> bool:
    """Whether a plain question asks for a deed, for the future, or under a condition."""
    if (
        (_HOW_TO.search(text) and not _INSTALLS.search(text))
        or _PURPOSE.search(text)
        or _HABIT.search(text)
        or _ELSEWHERE.search(text)
        or _OF_A_MIND.search(text)
        or _OF_ANY.search(text)
    ):
        return True
    told = _WOULD_NOT.sub("does not", text)
    return bool(_DEEDS.search(told) or _DEED_WORDS.search(told) or _NEVER_KNOWN.search(told))

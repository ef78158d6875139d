"""The vocabulary of questions: a table of concepts and their phrases.

A word that stands in no concept a pattern names cannot be explained by it, and
a pattern that cannot explain every word of a question does not read it. So a
phrase belongs to a concept only where it means that whatever stands around it:
`how`, `why`, `who`, `not` and `should` alone change what is asked. Phrases are
stemmed; `=killed` is that very form, for where `kill` asks another thing. The
table has a line a concept, with phrases between bars, and indented lines go on;
those of a concept with a star are nouns, which `loading` and `driving` are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .software import MANAGER_WORDS, SOFTWARE
from .words import QuestionWord, noun_stem, stem

_TABLE = """\
# Says nothing about what is asked.
glue: a | an | the | my | our | me | i | we | you | is | do | have | of | on | in | at | for | to
    | it | its | this | that | these | those | there | here | any | some | all | what | which |
    and | just | now | really | actually | exactly | ever | can i see | can we see | find out |
    how do i check | how do i see | how do i show | how do i list | how do i find out |
    how do i find | how do i know | how can i check | how can i see | how can i list |
    how can i find out | how can i find | how to check | how to see | how to list | how to show |
    how to find out | how to find | how do we check | what about | how about | one | ones |
    information | info | details | overview | =show | =tell | =give | =list | =print |
    =display | =check | =see | =find | look at | =view | =report | tell me about | list of
polite: please | hey | hi | hello | ok | okay | so | well | thanks | thank you | quick question |
    can you | could you | would you | will you | let us | let me | let me know | i want to |
    i need to | i would like to | we want to | we need to | want to know | would like to know |
    like to know | like to see | want to see | need to know | i wonder | do you know |
    can you tell me | could you tell me | help me | sir | alan | quickly | i want to know |
    i would like to know | i need to know | we want to know | we need to know | i want to see |
    i would like to see | i need to see | let us see | do you happen to know | tell me | any idea
    | i am wondering | can you show me | could you show me | can you find out | can you check |
    could you check | please tell me
what: what | which
definite: the | my | our | this | that | current | here | me
now: now | right now | currently | current | at the moment | at present | presently
machine*: machine | computer | system | server | laptop | box | pc | workstation | mac | macbook |
    device | hardware | vm | host
have: have | be there | exist | has got | be in | be installed | installed
check: =check | look at | =show | =verify | =inspect | =list | =view
status: status | state | situation | health | condition | statistics | stats | statistic |
    overview | report | summary | details

# What is asked of a command.
how-long: how long | how much time | how many seconds | how many minutes | how many hours |
    for how long | what time
how-slow: how slow | how fast | how quick | how quickly | slow | fast
take: take | need | run | last | execute | finish | complete | require | end | go on | cost |
    use up
be-done: done | finished | ready | over | through | completed
wait-for: wait | wait for | to wait for | expect
duration: duration | runtime | run time | running time | execution time | elapsed time |
    time needed | length of time | how long | time taken by | time taken | time spent on |
    time spent by | estimate | estimated time | eta | time estimate | p90 | median |
    median duration | average duration | 90th percentile | time to run | time to complete |
    time to finish
time: time | timing | time needed
typical: typical | typically | usual | usually | normal | normally | average | on average | median
    | mean | p90 | generally | in general | expected | roughly | approximately | around | about |
    most of the time | tend | tend to | estimated | estimate | likely | on median |
    on a normal day | in most cases | always | ever | often | frequently | sometimes | regularly |
    rarely | mostly
future: will | would | going to | can i expect | should i expect | to expect | should i | until |
    before | again | this time | next time
how-often: how often | how many times | how frequently | how frequent | how regularly |
    number of times | how many time
number: number | count | total | how many | total number | number of | amount
runs: runs | executions | invocations | times | run | execution | invocation
run: run | execute | use | used | invoke | call | launch | start | type | issue | trigger | be run
i-ran: =ran | did i run | have i run | i run | did we run | have we run | do i run | =executed |
    did i execute | have i executed | did i use | have i used | did i type | have i typed |
    i typed | i executed | did i call | =used | did you run | did i do | have i done | did we do |
    i did
history: history | log
did: =did | =has | =have
command*: command | program | script | job | task | step | call | run
commands*: command | commands | program | script | cmd | cmds | command line | commandline |
    pattern | job | task | =runs | =executions
tasks*: task | job | command | run | cmd | script | =runs
remember: remember | know | recorded | stored | in memory | in history | in your memory |
    in the history | recall | seen | logged | see
already: already | now | ever | still | keep | yet | recently | lately | ago | so far | exactly |
    past | be
fail: fail | failed | failure | break | error | go wrong | crash | crashed | errored | be broken |
    not work | unsuccessful | not succeed | not successful | blow up | fall over | do not work |
    do not succeed | exit non-zero | exit nonzero | time out | timed out | timeout |
    unsuccessfully | return an error | give an error | end in error | end with an error | go red |
    be red
timed-out: time out | timed out | timeout
red: red | green
failures: failures | failure | failed commands | failed command | failed runs | failed run |
    failed tasks | crashes | failing commands | errors i had | broken commands
happened: get | happen | occur | come up | while i was away | there be | see
succeed: succeed | success | work | pass | be green | go green | successful | successfully |
    go well | go through | be ok | fine | succeeded | without error
rate: rate | ratio | percentage | percent | chance | probability | odds | likelihood | how likely
    | share | statistics | stats
reliable: reliable | reliability | how reliable | stable | how stable | trustworthy | dependable |
    stability | how reliably | reliably
why: why | for what reason | reason | how come | what caused | cause | because of what
last: last | latest | most recent | most recently | recent | recently | lately | previous | newest
    | just now | last time | the last time | final | just | most lately
last-time: last time | the last time | most recent time | latest time | last run of |
    last execution of
since-when: since when | for how long | since what time | from when | at what point | how long |
    since which day | when
begin: start | begin | stop | first | cease | become | began | start to | begin to | first start |
    turn
when: when | what time | how long ago | at what time | what day | on which day | which day
anything: anything | something | things | everything | thing | one | stuff

# What runs now, what was killed.
running: =running | =runs | in progress | ongoing | in flight | going on | executing | underway |
    under way | not finished | unfinished | in the background | still going | be up to | =run |
    =pending
active: =active | =open | alive | =live | background | in the background
still: still | yet | currently | left | now | right now | at the moment | in progress | as well |
    else | background | in the background | already | here
kill: =killed | =kills | did i kill | did we kill | have i killed | i killed | i kill |
    did i abort | did i cancel | did i interrupt | did i stop | i aborted | i cancelled |
    did i terminate | have i cancelled | have i aborted | cut short | get killed | got killed |
    get terminated | get aborted | get cancelled | =terminated | =aborted | =interrupted |
    =cancelled | =canceled
host*: host | server | node | box | remote host | remote machine | remote server | remote |
    ssh host | ssh server | ssh target | which machine | what machine | =machines
flaky: flaky | flakiest | unreliable | unstable | shaky | least reliable | most unreliable |
    intermittent | spotty | be unreliable | not reliable
on-here: on this machine | on this computer | on this system | on here | on my machine |
    on my computer | here
connection-problems: connection problem | connection issue | connection failure | connection error
    | connectivity problem | connectivity issue | hard to reach | unreachable | not reachable |
    drop connections | refuse connections | trouble | problem | issue | difficult to reach |
    connection trouble | keep drop | drop | unresponsive | worst connection | bad connection |
    poor connection | worst connections | timeouts | with connection problem |
    with connection issues | with connection errors | with problems
connection: ssh | connection | connect | over ssh | via ssh | to reach | login | connectivity
to-connect: to connect | connect | to connect to | when connecting | to answer | to reach | reach
most: most | the most | most often | most frequently | biggest | largest | heaviest | highest |
    hungriest | top | worst | a lot | a lot of | so much | too much | greatest | big | large |
    high | all | hard | much | heavily | greediest | hungry
biggest: biggest | largest | heaviest | top | most | the most | hungriest
most-often: most often | the most | most frequently | most | a lot | keep | repeatedly |
    constantly | all the time | regularly | often | frequently
often: often | frequently | most often | a lot | repeatedly | regularly | keep | sometimes |
    most frequently | the most | constantly | all the time | usually
least-reliable: least reliable | unreliable | flaky | flakiest | least stable | unstable |
    most unreliable | worst success rate | lowest success rate
failing: failing | =failed | broken | flaky
top: top | most | the first | biggest | worst
slowest: slowest | slow | longest | longest running | long running | longest-running |
    long-running | time consuming | most time consuming | most time-consuming | time-consuming |
    lengthiest | least fast
take-longest: take the longest | take longest | take so long | take too long | take forever |
    take ages | take the most time | take most time | run the longest | run longest |
    cost the most time | waste the most time | waste most time | use the most time | slowest |
    the slowest | slow | longest | be the slowest | take long | take up the most time |
    waste my time | eat my time | cost me the most time | need the most time | need the longest |
    last the longest | spend the most time on | take a long time | consume the most time |
    eat up the most time | take the most of my time | waste most of my time |
    waste the most of my time | take most of my time | eat up my time | take up most of my time
take-long: take long | take so long | take too long | take a long time | take forever |
    take a while
time-sink: where do i waste my time | where does my time go | what takes my time |
    what eats my time | where do i lose time | where did my time go
most-used: most used | most frequent | most frequently | most common | most commonly | favourite |
    favorite | most popular | most often used | most-used | most executed | commonest | frequent |
    popular | most run | most often | most frequently used | most commonly used | frequently used
    | top | commonly used | often used | most typed | most invoked | most

# The machine.
memory*: memory | ram | main memory | physical memory | system memory | mem
cpu*: cpu | processor | core | cpu core | processor core | cpu time | processing power
load*: load | cpu load | workload | how loaded
load-average*: load average | load averages | loadavg | load avg | 1 minute load average |
    5 minute load average | 15 minute load average | one minute load average
root-mount: root partition | root filesystem | root file system | root disk | root volume | /
home-mount: home partition | /home
tmp-mount: /tmp
var-mount: /var
disk*: disk | disk space | storage | hard drive | hard disk | drive | ssd | filesystem |
    file system | disc | volume | storage space | root partition | root filesystem | harddisk |
    nvme | hdd | diskspace | disk drive | disc space | home partition | root disk | / | /home |
    /tmp | /var
space*: space | free space | room
gpu*: gpu | vram | graphics card | video card | graphics | gpu memory | video memory | video ram |
    graphics memory | graphics processor | nvidia | nvidia card | graphic card | gpu ram |
    graphics adapter
network*: network | network interface | interface | internet | network card | network adapter |
    ethernet | wifi | wi-fi | lan | wlan | network connection | nic | net | network address | web
interface*: interface | network interface | network card | network adapter | adapter | nic |
    network address
ip-address*: ip address | ip | ip addresses | local ip | local ip address | ipv4 address |
    ipv6 address | ip adress | my address | ips | private ip | lan ip | ip addr | ip addrs | addr
local: local | private | lan | internal
traffic: traffic | bandwidth | bytes | data | receive | send | transfer | throughput | upload |
    download
went-over: go over | over | go through | through | come in | go out | be sent | be received |
    in and out | transfer | receive | send | sent | received | use
connected: connected | online | offline | up | down | working | work | connection | connectivity |
    reachable
am-online: am i online | am i offline | am i connected | do i have internet | is there internet |
    is the internet working | is my internet working | are we online |
    do i have a network connection | do i have an internet connection
amount: how much | how many | how big | how large | size | amount | total | in total |
    overall | capacity | what amount | how high | altogether | number | number of | count
state: free | =used | =usage | =using | in use | available | left | full | remaining | remain |
    unused | utilization | utilisation | consumption | level | levels | occupied | almost | nearly
    | run out | running out | run out of | running out of | run low | running low | run low on |
    running low on | low | low on | out of | availability | =spare | leftover | still | much |
    how full | be there | consumed | taken | =use | enough left | utilized | almost full |
    nearly full | left over | fill up | getting full | get full | available now | enough |
    how is my | how are my | how is the | doing
how-is: how is the | how is my
busy: busy | how busy | overloaded | idle | high | max out | maxed out | stressed | pegged |
    too high | how high | work hard | working hard | struggling | how hard | how stressed |
    overload | how heavily loaded | saturated
how-busy: how busy | how stressed | very | too | how heavily | so
under: under | heavy | heavily
kind: kind | type | model | what kind of | which model | name | brand | sort | kind of | type of |
    model name | be in
process*: process | program | app | application | pid
eat: eat | eat up | hog | =uses | =using | =use | consume | take | take up | use up | suck | drain
    | gobble up | occupy | fill | fill up | steal | burn | hogging | be full of | =used | need |
    be hungry for
culprit: who | who is | which one
hog: hog | hogs | eater | hogger | consumer | guzzler | user | eat
by: by | sort by | by usage | order by | sorted by | ordered by | most
big-files: big file | large file | huge file | large directory | big folder | large folder |
    big directory

# Looks at the system.
swap*: swap | swap space | swap file | swap partition | swapfile | swap memory | swap area
config: configuration | =enabled | =active | setting | settings | =configured | =on | set up |
    setup | =used | =exists | configured | devices | be there | in use | usage
service*: service | systemd service | systemd unit | unit | daemon | system service |
    systemctl unit
all-of: are all | all | every | are any | are the | are my
running-not: not run | be down | be dead | unhealthy | be stopped | crashed | not start |
    not started | =stopped | =down | =dead | =broken
well: =running | up | ok | fine | healthy | working | well
port*: =ports | port | listening port | open port | tcp port | udp port | network port |
    listening socket | socket
listen: =listening | listening on | ports open | ports be open | open ports | =listen | listen on
    | open tcp ports | open udp ports | be open | exposed | =tcp | =udp
open-ports: open ports | open tcp ports | open udp ports | ports open | ports be open
in-use: in use | =used | =taken | occupied | be in use | be used | =bound | =use | =using |
    =configured
on-port: on which port | on what port | on a port | on ports | port
directory*: directory | folder | file | dir | subdirectory | files and folders
by-size: by size | sorted by size | in size | big | be big | here | current directory |
    this directory | in this directory | in this folder | under here
git*: git | git repository | git repo | repository | repo | working tree | working copy | git tree
    | worktree | git working tree | checkout
git-change: uncommitted change | uncommitted | uncommitted work | unstaged change | unstaged |
    untracked file | modified file | staged change | staged | local change | unsaved git change |
    uncommitted file | changed file | anything uncommitted | changes to commit |
    anything to commit | something to commit
clean: clean | dirty
changes: change | changed
branch*: branch | git branch
on-it: am i on | are we on | be checked out | checked out | i am on | do i have checked out | on |
    current
commits*: commit | git commit
log*: log | history | message | warning | journal
kernel*: kernel | linux kernel
version*: version | release | number | version of
os*: distribution | distro | operating system | linux distribution | linux distro | os |
    flavor of linux | flavour of linux
os-version*: os version | debian version | ubuntu version | macos version | linux version |
    fedora version | operating system version | version of linux | version of ubuntu |
    version of debian | version of macos | which linux | what linux
up: up | be up | running since | be running | =running | on | alive | been up | online
booted: boot | =booted | reboot | restarted | last boot | boot time | last reboot | start up |
    started | powered on | turned on | be rebooted
uptime: uptime | up time
users*: user | users | anyone | somebody | someone
who: who | who else | anyone | anybody | users | user
else: else | also | as well | at the moment | right now
logged-in: logged in | log in | logged on | signed in | logged into | log on | logged onto |
    on this machine | on this system | on this server | on here | on the machine | connected
since-boot: since boot | since last boot | since the last boot | since startup | this boot |
    since start up | since booting | since reboot | since the last reboot | on boot | at boot |
    during boot | of this boot | from this boot | since the system booted |
    since the machine booted
journal*: journal | journald | systemd journal | system log | system journal | syslog | journalctl
    | system logs
containers*: container | docker container | podman container | docker containers
docker*: docker | podman
timers*: timer | systemd timer | scheduled task | scheduled job | systemd timers
next: next | run next | coming up | scheduled | upcoming | due
cron*: cron job | cronjob | crontab | cron | cron table | cron entry
scheduled: scheduled | set up | configured
mounted: =mounted | mount point | mountpoint | mount points | =mounts | mounted file system |
    mounted disk
partitions*: partition | partition table | partition layout | disk and partition |
    disks and partitions | block device | partitions and disks | disk layout | block devices
attached: attached | connected | plugged in | be there | exist | installed | present | be in
routes*: route | routing table | default gateway | default route | gateway | ip route |
    network route | routes
dns*: dns | dns server | name server | nameserver | dns servers | dns resolver | dns settings |
    dns configuration | resolver
temperature*: temperature | cpu temperature | temp | temps | sensor | thermal | temperatures |
    heat
usb*: usb device | usb | usb devices | usb port
pci*: pci device | pci | pcie device | pci card
path-variable*: path variable | path environment variable | =$path | search path
path*: =path | $path | directories in path | folders in path
hostname*: hostname | host name | name of this machine | machine name | computer name |
    name of this host | name of this computer
clock*: time zone | timezone | system clock | clock | ntp | system time | time sync |
    time synchronization
synced: =synchronized | =synced | in sync | =synchronised | =correct | =right

# Recipes.
install: =install | =installing | set up | setup | installation of | how do i install |
    how to install | how can i install | how do i get | how to get | how do i set up |
    how can i set up | how to set up | how can i get | how would i install | how do you install |
    how does one install | how do we install | command to install | steps to install |
    how do i go about installing | what is the command to install | how should i install |
    best way to install | what do i type to install | commands to install | the command to install
    | how do i setup | how to setup | way to install | =add
update: =update | =upgrade | =updating | =upgrading | how do i update | how to update |
    how do i upgrade | how to upgrade | how can i update | how can i upgrade | get the latest |
    get the newest | command to update | bring up to date | how do we update |
    what is the command to update | the command to update | how do you update |
    how do i get the latest | get the latest version of | how do i get the latest version of |
    =bring | how do i keep | how to keep
update-all: install updates | install all updates | how do i install updates |
    install the latest updates | how to install updates | run updates | apply updates |
    install system updates | install all system updates | install security updates |
    install available updates | install package updates | run system updates |
    apply system updates | run a system update | do a system update |
    how do i install system updates | how to install system updates | how do i run updates |
    system update | system upgrade | software update | software updates | system updates |
    package update
newest: latest | newest | latest version | newest version | current version |
    to the latest version | to the newest version | new version | version | stable |
    the latest version of | up to date | to the latest | properly | correctly | quickly | via |
    using | with | through | package manager | cli | command line tool | for me | =package | =tool
    | =program | =software | =whole | =entire
packages*: package | installed package | software | everything | system package | operating system
    | os | distribution | all package | all my packages | updates | security update | all software
    | distro | installed software | all packages | programs

# Output.
show: show | see | display | print | give | view | get | want | read | expand | want to see |
    let me see | can i have | can i get | can i see | i want | i need | dump | i want to see |
    i would like to see | i need to see | let us see | can you show me | could you show me |
    tell me | please show
show-me: show | see | print | display | view
more: more | full | whole thing | the rest | whole | complete | entire | unabridged | rest of it
rest: more | full | whole | complete | entire | rest | all | everything | unabridged | untruncated
    | uncut | remaining | in full | rest of | unfiltered | all of | every line | raw |
    without truncation
output*: output | log | result | stdout | stderr | command output | stdout and stderr | text |
    lines | logs
it-said: it said | it say | it print | it printed | it wrote | it write | did it say |
    did it print | be printed | command | last command | that command | previous command |
    last run | last | previous | last task | the last one | that run | again | you left out |
    be cut | omitted | left out | be omitted | be truncated | truncated | cut off | be cut off |
    that was | be hidden | hidden | of it
it-printed: did it say | did it print | did it output | be printed | did it write
debug-this: debug this | debug it | debug that | debug the last run | debug the last command |
    debug last command | debug this one | debug that run | debug this run | debug this command |
    debug that command | debug the last failure | show me everything | show everything"""


def _table() -> dict[str, tuple[str, ...]]:
    lines = _TABLE.replace("\n    ", " ").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    table = {name: tuple(phrases.split(" | ")) for name, phrases in pairs}
    table |= {f"software:{one.name}*": one.called for one in SOFTWARE}
    return table | {f"manager:{name}*": words for name, words in MANAGER_WORDS.items()}


_CONCEPTS = _table()
CONCEPTS = {name.rstrip("*"): phrases for name, phrases in _CONCEPTS.items()}
Key = tuple[str, ...]


def _index() -> dict[Key, frozenset[str]]:
    """The concepts of each phrase, by that very form, by the stems of nouns, or by stems."""
    index: dict[Key, set[str]] = {}
    # Two of three words stand in several phrases, and stemming them all takes as long as Python's start.
    stem_once, noun_stem_once = cache(stem), cache(noun_stem)
    for name, phrases in _CONCEPTS.items():
        for phrase in phrases:
            key: Key = tuple(map(stem_once, phrase.split()))
            if phrase.startswith("="):
                key = ("=", phrase[1:])
            elif name.endswith("*"):
                key = ("*", *map(noun_stem_once, phrase.split()))
            index.setdefault(key, set()).add(name.rstrip("*"))
    return {key: frozenset(concepts) for key, concepts in index.items()}


_PHRASES = _index()
LONGEST_PHRASE = max(map(len, _PHRASES))


def meanings(words: Sequence[QuestionWord]) -> frozenset[str]:
    """Every concept that these words may mean as a phrase."""
    keys: list[Key] = [tuple(word.stem for word in words), ("*", *(word.noun for word in words))]
    if len(words) == 1:
        keys.append(("=", words[0].text.lower()))
    return frozenset().union(*(_PHRASES.get(key, ()) for key in keys))


# What people call commands.
_NOUNS: dict[str, tuple[str, ...]] = {
    "test": (
        "npm test", "npm run test", "pytest", "python -m pytest", "uv run pytest", "make test",
        "cargo test", "go test", "yarn test", "pnpm test", "npx jest", "npx vitest", "tox",
        "npx playwright test", "ctest", "mvn test", "./gradlew test", "make check", "bundle exec",
    ),
    "build": (
        "npm run build", "make", "cargo build", "go build", "docker build", "yarn build",
        "pnpm build", "cmake --build", "ninja", "mvn package", "./gradlew build", "meson compile",
    ),
    "lint": ("npm run lint", "ruff check", "eslint", "npx eslint", "cargo clippy", "make lint"),
    "deploy": ("npm run deploy", "make deploy", "kubectl apply", "terraform apply", "helm upgrade"),
    "push": ("git push",),
    "pull": ("git pull",),
    "commit": ("git commit",),
    "clone": ("git clone",),
}  # fmt: skip
_ALSO = {"deployment": "deploy", "compile": "build", "compilation": "build", "linter": "lint"}
_BY_STEM = {stem(noun): commands for noun, commands in _NOUNS.items()} | {
    stem(noun): _NOUNS[other] for noun, other in _ALSO.items()
}
_IDLE = {
    stem(word) for word in ("the", "my", "our", "a", "command", "script", "suite", "unit", "run")
}


def commands_called(subject: str) -> tuple[str, ...]:
    """The commands that `subject` may mean: itself, and for a noun such as `tests` its commands."""
    words = [word for word in subject.removesuffix("'s").split() if stem(word) not in _IDLE]
    named = " ".join(words)
    meant = _BY_STEM.get(stem(words[0]), ()) if len(words) == 1 else ()
    return tuple(dict.fromkeys(name for name in (subject, named, *meant) if name))

"""Rule `unchecked-cd`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from zsh_ls.insights.facts import Trait, file_of_tar, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel, variable
from zsh_ls.insights.script_words import has_flag, has_glob, is_relative, operands, unquoted
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Pipeline, Segment, SegmentKind, pipelines_within
from zsh_ls.model.words import Level
from zsh_ls.shell.fates import FateKind
from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.shell.words.wrappers import look_through

# Folders that are there, or whose absence would have shown before.
SURE = re.compile(
    r"""(?: / | ~ | - | \.{1,2}(?:/\.\.)*/?
    | \$\{?(?:HOME|OLDPWD|PWD|ZDOTDIR)\}?
    | (?:~|\$\{?HOME\}?)/(?:Desktop|Documents|Downloads|Library)/?
    | /(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)/?
    | /usr/(?:bin|include|lib|lib64|local(?:/(?:bin|lib|share|src))?|sbin|share|src)/?  # hier(7)
    | /var/(?:cache|lib|log|run|spool|tmp)/?
    | \$\(\s*git\s+rev-parse\s+--show-toplevel\s*\)  # the folder it is in, or one above
    | .*(?:dirname|BASH_SOURCE|\$0|\$\{0|%/\*|:h\b).*  # the script's own folder
    )""",
    re.DOTALL | re.VERBOSE,
)
# No path that a script names is deeper.
MOST_FOLDERS = 30
FOLDER_TESTED = re.compile(r"-[dewx]\s+(\"[^\"]*\"|[^\s\"\]]+)")
# `host:path`, `user@host:path`, `rsync://…`, in quotes or not.
REMOTE = re.compile(r"[\"']?[\w.@${}-]+:")
BRACED = re.compile(r"\$\{(\w+)\}")
# They look for the folder, make it, or have been in it.
LOOKS = word_set("test [ [[ mkdir install cd pushd mktemp stat ls")
STOPS = word_set("cd pushd popd exit return exec")
# The sub-commands and targets that install or publish.
INSTALLS = word_set("install publish deploy upload release push")
# Options that name another project than that of the working folder.
PLACES = ("-C", "-f", "--prefix")
# They build what a folder has a recipe for, and fail where it has none.
MAKES = word_set("make gmake ninja cmake")
# So do these for what a project's own list names; others go up to the next folder that has one.
NEEDS_A_PROJECT = MAKES | word_set("bundle composer")
# They make what they lack, so that they succeed in any folder.
MAKES_PROJECTS = word_set("npm yarn pnpm")
# They bring in what a repository has, and change nothing that one of its own does not hold.
BRINGS_IN = word_set("fetch pull submodule")
MODES = word_set("chmod chown chgrp")
EXECUTABLE = re.compile(r"[ugoa]*\+x")
FORCES = word_set("truncate shred")
ALL_HERE = re.compile(r"\.{1,2}/?")
# A path that hangs on no working folder, or a stream.
ELSEWHERE = re.compile(r"[/~-]|\.\.|\$\{?\w+\}?/")
# A folder that a project has below or beside the one it is in, or that was unpacked: `$name-$version`.
OWN_FOLDER = re.compile(r"(?:\.{1,2}/)*[\w.-]|\$\{?\w+\}?-\$")
# A pattern that any file has: `*`, `dist/*.*`.
ANY_NAME = re.compile(r"(?:^|/)[*?.]*\*[*?.]*$")
# The name of one file, by its suffix.
FILE = re.compile(r"[\w-]+(?:\.\w+)+")


@rule(RuleKind.STATIC, Level.WARNING, judged="59 of 66")
def unchecked_cd(model: ScriptModel) -> Iterator[Insight]:
    """When `cd` fails, what follows runs in the folder that was left.

        #!/bin/bash
        cd "$build_folder"
        #^^^^^^^^^^^^^^^^^ warning: if this cd fails, 'rm -rf *' runs in the wrong folder
        rm -rf *

    The fix gives up instead. Under `errexit`, and where the folder was looked
    for, there is no such danger. Nor is there where the next commands only fail,
    as `make` and `tar xf app.tar` do where their files are not:

        #!/bin/bash
        if [ -d "$build_folder" ]; then
          cd "$build_folder"
          rm -rf *
        fi
        cd /
        rm -rf ./tmp
    """
    folders: _Folders | None = None
    for place in model.places:
        only = place.only
        if only is None or only.command_word not in {"cd", "pushd"} or not place.is_unchecked:
            continue
        if place.context.errexit is not Setting.OFF and not model.stands_alone:
            continue
        if place.context.errexit is Setting.ON or place.substitution is not None:
            continue
        folders = folders or _Folders(model)
        if model.controls_options_at(place) and not _is_sure(model, place, only, folders):
            harmed = _harmed(model, place, operands(model.words(only))[0])
            if harmed is not None and model.is_unnoticed(only):
                yield model.warning(
                    f"if this {model.words(only)[0]} fails, "
                    f"'{model.first_line(harmed.span)}' runs in the wrong folder",
                    place.span,
                    only,
                    model.appended(
                        place,
                        " || return" if place.function is not None else " || exit",
                        "Give up if it fails",
                    ),
                )


def _is_sure(model: ScriptModel, place: PipelinePlace, segment: Segment, folders: _Folders) -> bool:
    targets = operands(model.words(segment))
    if len(targets) != 1 or any(SURE.fullmatch(unquoted(target)) for target in targets):
        return True
    before = place.before[-1] if place.before else None
    if before is not None and before.connector is Connector.OR:
        # The folder to go to where another is not there.
        return before.segments[0].command_word in {"cd", "pushd"}
    target = unquoted(targets[0])
    if any(_looks_for(model, pipeline, target) for pipeline in place.before):
        return True
    if any(target in text for text in _conditions(model, place)):
        return True
    before_it = place.span.start
    if (
        folders.is_known(target, place)
        or folders.is_made(target, before_it)
        or folders.has_a_new_one(target, before_it)
    ):
        return True
    if _is_listed(model, place, target) or _is_a_clone(model, place, target):
        return True
    name = re.fullmatch(r"\$\{?(\w+)\}?", target)
    if name is None:
        return False
    known = re.compile(
        rf"\b{name[1]}=[\"']?(?:\$\(|`)\s*(?:mktemp|pwd|cd|dirname)\b"
        rf"|\b{name[1]}=[\"']?\$\{{?PWD\}}?[\"']?\s*(?:[;#]|$)|\bmktemp\b[^\n|]*\|\s*read\b[^\n;]*\s{name[1]}\b"
    )
    lines = model.lines_with(r"\b(?:mktemp|pwd|PWD|cd|dirname)\b")
    return any(name[1] in line and known.search(line) for _, line in lines)


class _Folders:
    """What a script says of folders on lines of its own, found once for all its `cd`."""

    def __init__(self, model: ScriptModel) -> None:
        self._makes = [(at, _plain(line)) for at, line in model.lines_with(r"\b(?:mkdir|clone)\b")]
        self._text = "\n".join(line for _, line in self._makes)
        # The variables that are set to a path, by each folder above it.
        self._below: dict[str, list[tuple[int, str]]] = {}
        for at, line in model.lines_with(r"^\s*\w+=\"?[^\s\"]*/"):
            name, _, value = line.strip().partition("=")
            path = re.split(r"[\s\"]", value.removeprefix('"'), maxsplit=1)[0]
            parts = path.split("/")[:MOST_FOLDERS]
            for count in range(1, len(parts)):
                self._below.setdefault("/".join(parts[:count]), []).append((at, name))

        self._known: dict[str, list[tuple[int, Segment | None]]] = {}
        for place in model.places:
            for segment in place.pipeline.segments:
                for word in _folders_in(model, segment):
                    known = self._known.setdefault(_plain(unquoted(word)).rstrip("/"), [])
                    known.append((segment.span.start, place.function))

    def is_there(self, folder: str, place: PipelinePlace) -> bool:
        """Whether the script made the folder above a place, or knows it."""
        before = place.span.start
        return (
            self.is_known(folder, place)
            or self.is_made(folder, before)
            or self.has_a_new_one(folder, before)
        )

    def is_known(self, folder: str, place: PipelinePlace) -> bool:
        """Whether a command above looked for the folder, set its rights or went there.

        Of two `cd` that go to the same folder the first one is told.
        """
        name = re.fullmatch(r"\$\{?(\w+)\}?", folder)
        if name is not None and any(
            one.kind is SegmentKind.FOR and name[1] in {word.name for word in one.assignments}
            for one in place.around
        ):
            return False
        return any(
            at < place.span.start and (function is place.function or function is None)
            for at, function in self._known.get(_plain(folder).rstrip("/"), ())
        )

    def is_made(self, folder: str, before: int) -> bool:
        """Whether a `mkdir` above names the folder, or a `clone` that something is done for if it fails."""
        plain = _plain(folder.rstrip("/"))
        if plain not in self._text:
            return False
        name = re.escape(plain)
        made = re.compile(rf"\bmkdir\b[^;]*{name}(?![\w/.-])|\bclone\b[^;]*{name}\"?[ \t]*\|\|")
        # Text behind the `cd` on its own line is not above it; what is shorter by its braces is not missed.
        return any(
            plain in line and made.search(line, 0, max(0, before - at))
            for at, line in self._makes
            if at < before
        )

    def has_a_new_one(self, folder: str, before: int) -> bool:
        """Whether `mkdir -p` above made a folder that a variable names below this one."""
        for at, name in self._below.get(folder.rstrip("/"), ()):
            made = re.compile(rf"\bmkdir\b[^;]*\s(?:-\w*p\w*|--parents)\s[^;]*{variable(name)}")
            if any(
                at < start < before and name in line and made.search(line)
                for start, line in self._makes
            ):
                return True
        return False


def _folders_in(model: ScriptModel, segment: Segment) -> Sequence[str]:
    """The words of a command that is nothing without the folders it names."""
    if segment.kind is SegmentKind.CONDITION:
        return FOLDER_TESTED.findall(model.source(segment.span))
    if segment.kind is not SegmentKind.SIMPLE:
        return ()
    command = model.command(segment)
    if command in {"[", "test"}:
        return FOLDER_TESTED.findall(model.source(segment.span))
    if command in {"cd", "pushd"} or (command in MODES):
        return operands(model.words(segment))
    return ()


def _plain(text: str) -> str:
    """A text with `$name` for `${name}`."""
    return BRACED.sub(r"$\1", text)


def _is_a_clone(model: ScriptModel, place: PipelinePlace, target: str) -> bool:
    """Whether git has just cloned it, and is next: in the folder above git finds no repository."""
    before = place.before[-1].segments[0] if place.before else None
    words = [] if before is None else [unquoted(word) for word in operands(model.words(before))]
    if len(words) < 2 or words[0] != "clone" or place.next is None:
        return False
    cloned = PurePosixPath(words[-1]).name.removesuffix(".git")
    following = place.next.segments[0]
    unknown = len(words) == 2 and cloned.startswith("$") and target.startswith("$")
    return (unknown or PurePosixPath(target).name == cloned) and model.command(following) == "git"


def _is_listed(model: ScriptModel, place: PipelinePlace, target: str) -> bool:
    """Whether the loop around reads the folder from `find -type d`, which has just seen it."""
    name = re.fullmatch(r"\$\{?(\w+)\}?", target)
    lists = (
        rf"\bfind\b[^\n|]*-type d\b[^\n|]*\|\s*while\b[^\n;]*\bread\b[^\n;]*\b{name[1]}\b"
        if name
        else ""
    )
    return bool(lists) and any(
        one.kind is SegmentKind.WHILE
        and model.mentions(lists, model.text.rfind("\n", 0, one.span.start) + 1, place.span.start)
        for one in place.around
    )


def _looks_for(model: ScriptModel, pipeline: Pipeline, target: str) -> bool:
    """Whether a pipeline, or a condition in it, looks for a folder or makes it, not only shows it."""
    if target not in model.source(pipeline.span):
        return False
    for inner in pipelines_within((pipeline,)):
        for segment in inner.segments:
            command = model.command(segment)
            looks = segment.kind is SegmentKind.CONDITION or command in LOOKS or command == "git"
            if looks and target in model.source(segment.span):
                return True
    return False


def _conditions(model: ScriptModel, place: PipelinePlace) -> list[str]:
    """The text of everything around it up to the place: a test or a mkdir there names the folder."""
    return [
        model.text[one.span.start : place.span.start]
        for one in place.around
        if one.kind is not SegmentKind.FUNCTION
    ]


def _harmed(model: ScriptModel, place: PipelinePlace, folder: str) -> Segment | None:
    """The first command behind that changes files by relative names, while `folder` is meant."""
    is_guarded = is_built = False
    for pipeline in place.after:
        # `make && rm -r *`: in another folder the first fails, and the second is not begun.
        if is_guarded:
            is_guarded = pipeline.connector is Connector.AND
            continue
        is_guarded = pipeline.connector is Connector.AND and _needs_its_folder(model, pipeline)
        for segment in pipeline.segments:
            if segment.kind is not SegmentKind.SIMPLE:
                return None
            words = model.words(segment)
            # The script asks where it is, or how the cd went.
            asks = model.mentions(r"\$\?|\$\{?PWD|\bpwd\b", *pipeline.span)
            if asks or (words[:1] and words[0] in STOPS):
                return None
            # Elsewhere there was nothing to build, and so there is nothing to install.
            builds = model.command(segment) in MAKES or words[:1] == ("./configure",)
            is_harmless = (is_built and builds) or _is_of_the_folder(
                model.command(segment), words, folder
            )
            if not is_harmless and _changes_here(model, segment, words, folder):
                return segment
            is_built = is_built or builds
            # Behind that no folder is meant any more.
            if model.command(segment) == "rm" and folder in operands(words[look_through(words) :]):
                return None
    return None


def _is_of_the_folder(command: str, words: Sequence[str], folder: str) -> bool:
    """Whether git is given files by the folder's own name, which a repository elsewhere does not hold."""
    files = [word for word in operands(words)[1:] if not word.startswith(("http", "git@"))]
    own = f"{unquoted(folder).rstrip('/')}/"
    return command == "git" and bool(files) and all(unquoted(it).startswith(own) for it in files)


def _needs_its_folder(model: ScriptModel, pipeline: Pipeline) -> bool:
    """Whether a pipeline ends with a command that finds nothing to do in another folder, and fails."""
    last = pipeline.segments[-1]
    return has_trait(Trait.USES_FOLDER, model.command(last), model.words(last))


def _changes_here(model: ScriptModel, segment: Segment, words: Sequence[str], folder: str) -> bool:
    """Whether a command does harm elsewhere than in `folder`, rather than find nothing there and fail."""
    command = model.command(segment)
    own = words[look_through(words) :]
    if command in {"tar", "unzip"}:
        return _unpacks_here(command, own, folder)
    if command == "find":
        start = "".join(operands(own)[:1])
        starts = is_relative(start) and (_is_all_here(start) or not OWN_FOLDER.match(folder))
        return starts and ("-delete" in own or "rm" in own)
    if has_trait(Trait.CHANGES_FILES, command, words):
        return _changes_files_here(command, own, folder)
    if has_trait(Trait.USES_FOLDER, command, words):
        # `git clean -f` is told to go on, not where.
        if any(word.startswith("-C" if command == "git" else PLACES) for word in own):
            return False
        installs = command not in NEEDS_A_PROJECT and any(word in INSTALLS for word in own[1:])
        # A package that is named comes to whichever folder, and harms none.
        installs = installs and not (command in MAKES_PROJECTS and len(operands(own)) > 1)
        # Without a project here it fails, and that is seen.
        fate = model.fate(segment) if command not in MAKES_PROJECTS else None
        seen = fate is not None and fate.fate in {FateKind.STOPS, FateKind.HANDLED}
        is_git = command == "git" and BRINGS_IN.isdisjoint(own[1:])
        return is_git or (installs and not seen) or _overwrites_here(model, segment)
    publishes = has_trait(Trait.PUBLISHES, command, words) or _replaces_elsewhere(command, own)
    return publishes and any(_is_all_here(word) for word in operands(own))


def _replaces_elsewhere(command: str, words: Sequence[str]) -> bool:
    """Whether rsync gives files to another machine, or removes there what is not here."""
    deletes = any(word.startswith("--del") for word in words)
    return command == "rsync" and (deletes or any(REMOTE.match(it) for it in operands(words)[1:]))


def _overwrites_here(model: ScriptModel, segment: Segment) -> bool:
    """Whether its output replaces a file by a relative name."""
    return any(
        one.operator in {">", ">|", "&>"} and is_relative(model.source(one.target))
        for one in segment.redirections
    )


def _is_all_here(word: str) -> bool:
    """Whether a word stands for whatever is in the working folder: `.`, `./*`."""
    plain = unquoted(word)
    return ALL_HERE.fullmatch(plain) is not None or (is_relative(word) and has_glob(word))


def _changes_files_here(command: str, words: Sequence[str], folder: str) -> bool:
    """Whether files are changed whatever the folder: all of it, or copies of files from elsewhere."""
    names = operands(words)
    if command in MODES:
        # To be executable harms no file.
        if names[:1] and EXECUTABLE.fullmatch(names[0]) and not has_flag(words, "R", "--recursive"):
            return False
        names = names[1:]
    if command in {"cp", "mv", "ln"}:
        return _replaces_here(command, names, words)
    here = [word for word in names if is_relative(word)]
    if any(map(_is_all_here, names)) or (here and command in FORCES):
        return True
    if command == "rm":
        # Beside a folder of the project there is nothing of that name, nor a file of it anywhere else.
        is_own = OWN_FOLDER.match(unquoted(folder)) is not None
        here = [
            word
            for word in here
            if has_glob(word) or not (is_own or FILE.fullmatch(unquoted(word)) is not None)
        ]
    if command in {"rm", *MODES}:
        return bool(here) and has_flag(words, "r", "R", "--recursive")
    return False


def _replaces_here(command: str, names: Sequence[str], given: Sequence[str]) -> bool:
    """Whether another folder gets or loses files: where the sources are missing, it does not."""
    *sources, target = names or [""]
    # A pattern with a name in it finds nothing elsewhere, and the command fails.
    takes_all = (is_relative(word) and ANY_NAME.search(unquoted(word)) for word in sources)
    if command != "ln" and any(takes_all):
        return True
    # A folder that is named is to be there.
    if not sources or not is_relative(target) or "/" in unquoted(target).removeprefix("./"):
        return False
    # A link to a plain name beside it is dangling elsewhere, and harms nothing.
    links = command == "ln" and (
        any(word.startswith("-") and "f" in word for word in given)
        or any(unquoted(word).startswith(("$", "/", "~", "..")) for word in sources)
    )
    return links or any(ELSEWHERE.match(unquoted(word)) for word in sources)


def _unpacks_here(command: str, words: Sequence[str], folder: str) -> bool:
    """Whether an archive that lies elsewhere than in `folder` is unpacked there."""
    if command == "unzip":
        archive = next(iter(operands(words)), "")
        return ELSEWHERE.match(unquoted(archive)) is not None and not has_flag(words, "d")
    extracts = has_flag(words, "x", "--extract") or (
        bool(words[1:]) and re.match(r"[a-z]*x", words[1]) is not None
    )
    if not extracts or has_flag(words, "C", "--directory"):
        return False
    archive = file_of_tar(words) or "-"
    # A folder that is not there has no archive either.
    if PurePosixPath(unquoted(archive)).parent == PurePosixPath(unquoted(folder)):
        return False
    # From another folder the one above has no such archive, and tar fails.
    return (
        not unquoted(archive).startswith("../") and ELSEWHERE.match(unquoted(archive)) is not None
    )

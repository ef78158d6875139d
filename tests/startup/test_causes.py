"""Known causes are said where a trace shows them, and have pages (START-3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from zsh_ls.startup.causes import CODES, causes_of
from zsh_ls.startup.pages import PAGES
from zsh_ls.startup.profile import Profile, Timing, profile_of
from zsh_ls.startup.sources import Sources
from zsh_ls.startup.trace import Event

RC = "/home/me/.zshrc"


def profile(
    *commands: tuple[float, int, str, str, str], lines: Sequence[int] | None = None
) -> Profile:
    """The profile of commands, each: milliseconds, depth, name, source, text; their lines as they come."""
    at, events = 1000.0, []
    numbers = lines or range(1, len(commands) + 1)
    for line, (took_ms, depth, name, source, text) in zip(numbers, commands, strict=True):
        events.append(Event(at, 1, line, depth, depth, name, source, "/home/me", text))
        at += took_ms / 1000
    return profile_of("zsh", events, Timing(1000.0, at, at), Sources("zsh", lambda _: None), 1)


def of_rc(took_ms: float, text: str) -> tuple[float, int, str, str, str]:
    return (took_ms, 1, RC, f"{RC}:0", text)


def codes(
    *commands: tuple[float, int, str, str, str], compiled: bool = True
) -> list[tuple[str, int]]:
    found = causes_of(profile(*commands), lambda _: compiled)
    return [(it.code, it.line) for it in found]


def test_causes_are_told_less_what_tracing_cost() -> None:
    """START-1: as the page shows rows, where so much ran that tracing took a good part of the time."""
    start = profile(of_rc(40.0, 'eval "$(starship init zsh)"'), of_rc(3.0, "brew --prefix"))
    [dear] = causes_of(start, lambda _: True, less_ms=2.0)
    assert (dear.code, dear.ms) == ("eval-init", 38.0)


def test_every_cause_has_a_page_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs/startup.md").read_text()
    assert PAGES.keys() == CODES.keys()
    for code, text in PAGES.items():
        assert f"### {code}\n\n{text}\n" in page, code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('eval "$(starship init zsh)"', "eval-init"),
        ('eval "$(direnv hook zsh)"', "eval-init"),
        ("source <(kubectl completion zsh)", "eval-init"),
        ('eval "$(pyenv init -)"', "version-manager"),
        ('. "$NVM_DIR/nvm.sh"', "version-manager"),
        # As their own installers write them.
        ('[ -s "$NVM_DIR/nvm.sh" ] && \\. "$NVM_DIR/nvm.sh"', "version-manager"),
        ('command -v pyenv > /dev/null && eval "$(pyenv init -)"', "version-manager"),
        ('[[ -d $PYENV_ROOT/bin ]] && eval "$(pyenv init - zsh)"', "version-manager"),
        ('(( $+commands[direnv] )) && eval "$(direnv hook zsh)"', "eval-init"),
        (
            '[ -x /opt/homebrew/bin/brew ] && eval "$(/opt/homebrew/bin/brew shellenv)"',
            "brew-prefix",
        ),
        (
            "__conda_setup=\"$('/opt/conda/bin/conda' 'shell.zsh' 'hook' 2> /dev/null)\"",
            "version-manager",
        ),
        ('eval "$(/opt/homebrew/bin/brew shellenv)"', "brew-prefix"),
        ("path=($(brew --prefix)/bin $path)", "brew-prefix"),
    ],
)
def test_a_command_shows_its_cause(text: str, code: str) -> None:
    assert codes(of_rc(30, ":"), of_rc(20, text)) == [(code, 2)]


@pytest.mark.parametrize(
    "text",
    [
        *("brew=1", "eval $x", "source ~/.aliases", "init() {\n\tbrew --prefix\n}"),
        'if command -v pyenv; then\n\teval "$(pyenv init -)"\nfi',
        '[[ -s $file ]] && source "$file"',
    ],
)
def test_what_only_looks_like_it_is_none(text: str) -> None:
    assert codes(of_rc(30, ":"), of_rc(20, text)) == []


def test_a_cheap_line_is_no_cause() -> None:
    assert codes(of_rc(30, ":"), of_rc(1.9, 'eval "$(starship init zsh)"')) == []
    assert codes(of_rc(900, ":"), of_rc(5, 'eval "$(starship init zsh)"')) == []


def test_compinit_twice_is_told_at_the_second() -> None:
    assert codes(of_rc(20, "compinit"), of_rc(30, "compinit -d x")) == [("compinit-twice", 2)]
    assert codes(of_rc(20, "compinit")) == []


@pytest.mark.parametrize(
    "text",
    [
        "autoload -Uz compinit && compinit",
        "[[ -n x ]] || compinit",
        "true && ! false || compinit -u -d x",
        "builtin compinit",
    ],
)
def test_compinit_is_known_wherever_it_stands_in_a_list(text: str) -> None:
    assert codes(of_rc(20, "compinit -i"), of_rc(30, text)) == [("compinit-twice", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "autoload -Uz compinit",
        "(( $+functions[compinit] ))",
        "unfunction compinit && true",
        "compinit_twice",
        "compinit () {\n\ttrue\n}",
        "echo && echo compinit",
        "[[ compinit = x ]] && true",
        "if true && compinit\nthen\n\ttrue && compinit -C\nfi",
        "() { true && compinit }",
        "{ true && compinit }",
    ],
)
def test_what_only_names_compinit_is_no_call(text: str) -> None:
    assert codes(of_rc(20, "compinit -i"), of_rc(30, text)) == []


def test_compinit_that_dumps_has_no_dump() -> None:
    dumps = (9.0, 2, "compdump", "/usr/share/zsh/functions/Completion/compdump:0", "emulate -L zsh")
    assert codes(of_rc(20, "compinit"), dumps) == [("compinit-without-dump", 1)]


def test_a_file_that_takes_long_to_parse_is_not_compiled() -> None:
    big = (1.0, 2, "/home/me/big.zsh", "/home/me/big.zsh:0", ":")
    [found] = causes_of(profile(of_rc(20, "source ~/big.zsh"), big), lambda _: False)
    assert (found.code, found.line, found.of_file) == ("rc-not-compiled", 1, "/home/me/big.zsh")
    assert codes(of_rc(20, "source ~/big.zsh"), big) == []


def test_of_a_loop_that_reads_files_a_version_manager_is_one() -> None:
    manager = (9.0, 2, "/home/me/lib/nvm.sh", "/home/me/lib/nvm.sh:0", ":")
    other = (90.0, 2, "/home/me/lib/other.sh", "/home/me/lib/other.sh:0", ":")
    commands = of_rc(0, "source lib/nvm.sh"), manager, of_rc(0, "source lib/other.sh"), other
    [found] = causes_of(profile(*commands, lines=(7, 1, 7, 1)), lambda _: True)
    assert (found.code, found.line, round(found.ms)) == ("version-manager", 7, 9)


def test_what_a_substitution_names_is_no_file_to_compile() -> None:
    piped = (1.0, 2, "/proc/self/fd/12", "/proc/self/fd/12:0", ":")
    assert codes(of_rc(20, "source <(dircolors -b)"), piped, compiled=False) == []


def test_each_line_that_reads_a_file_is_told_its_own_time() -> None:
    big = (1.0, 2, "/home/me/big.zsh", "/home/me/big.zsh:0", ":")
    twice = profile(of_rc(20, "source ~/big.zsh"), big, of_rc(30, "source ~/big.zsh"), big)
    found = causes_of(twice, lambda _: False)
    assert [(it.line, round(it.ms)) for it in found] == [(3, 30), (1, 20)]


def test_a_plugin_that_is_read_twice_or_starts_programs() -> None:
    file = "/home/me/.oh-my-zsh/plugins/git/git.plugin.zsh"
    plugin = (9.0, 2, file, f"{file}:0", "git --version")
    found = codes(of_rc(0, "source git"), plugin, of_rc(0, "source git"), plugin)
    assert ("plugin-twice", 3) in found
    assert "plugin-starts-programs" in [code for code, _ in found]


def test_a_file_that_is_read_with_arguments_is_not_a_plugin_read_twice() -> None:
    """bash-it reads one file for its plugins, one for its completions, with the kind as its argument."""
    file = "/home/me/.bash_it/scripts/reloader.bash"
    read = (9.0, 2, file, f"{file}:0", ":")
    loop = (
        of_rc(0, f"source {file} skip aliases"),
        read,
        of_rc(0, f"source {file} skip plugins"),
        read,
    )
    assert codes(*loop) == []

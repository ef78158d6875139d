"""What the exits of some programs mean there, in a few words; each list from the program's own manual.

curl(1) EXIT CODES; ssh(1), make(1), grep(1), rsync(1) EXIT VALUES, tar's manual ("Return Status"),
wget(1), docker run's page ("Exit status"), pytest's page ("Exit codes"), timeout(1), git(1),
shellcheck(1), ls(1), GNU sed's manual ("Exit status"), unzip(1), jq(1), pip's `cli/status_codes.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

_CURL = {
    1: "an unsupported protocol",
    2: "it failed to initialize",
    3: "a malformed URL",
    5: "the proxy's name was not found",
    6: "the host's name was not found",
    7: "no connection to the host",
    9: "access to the resource was denied",
    18: "only a part of the file came",
    22: "an HTTP error, 400 or above (with `--fail`)",
    23: "what came could not be written",
    26: "what was to be sent could not be read",
    27: "out of memory",
    28: "the time limit was reached",
    33: "the server cannot send ranges",
    35: "the TLS handshake failed",
    47: "too many redirects",
    51: "the server's certificate is not right",
    52: "the server answered nothing",
    55: "sending failed",
    56: "receiving failed",
    58: "a problem with the local certificate",
    60: "the server's certificate cannot be verified",
    67: "the login was refused",
    77: "the file of certificates cannot be read",
    92: "an HTTP/2 stream was closed",
}
_RSYNC = {
    1: "wrong usage",
    2: "incompatible protocols",
    3: "files or folders could not be chosen",
    5: "the client and the server could not start talking",
    10: "a socket failed",
    11: "a file could not be read or written",
    12: "the data stream broke off",
    13: "a diagnostic could not be written",
    20: "it was stopped by a signal",
    23: "only a part was transferred, because of errors",
    24: "source files vanished meanwhile",
    30: "no data came in time",
    35: "no connection came in time",
}
_WGET = {
    1: "a general error",
    2: "an option or its file was wrong",
    3: "a file could not be read or written",
    4: "the network failed",
    5: "the TLS certificate could not be verified",
    6: "the login was refused",
    7: "a protocol error",
    8: "the server answered with an error",
}
_PYTEST = {
    1: "some tests failed",
    2: "it was interrupted",
    3: "an internal error",
    4: "wrong usage",
    5: "no tests were found",
}
_DOCKER = {
    125: "docker itself failed",
    126: "the command in the container cannot be run",
    127: "the command was not found in the container",
}
_ERROR_IN = {2: "wrong usage, or a file could not be read"}
EXITS: Mapping[str, Mapping[int, str]] = {
    "curl": _CURL,
    "rsync": _RSYNC,
    "wget": _WGET,
    "pytest": _PYTEST,
    "docker": _DOCKER,
    "podman": _DOCKER,
    "ssh": {255: "ssh itself failed: no connection, or the login was refused"},
    "scp": {255: "ssh itself failed: no connection, or the login was refused"},
    "sftp": {255: "ssh itself failed: no connection, or the login was refused"},
    "make": {
        1: "something is not up to date (`-q`)",
        2: "a step of a rule failed, or the makefile has an error",
    },
    "gmake": {
        1: "something is not up to date (`-q`)",
        2: "a step of a rule failed, or the makefile has an error",
    },
    "grep": {1: "no line matches", **_ERROR_IN},
    "rg": {1: "no line matches", 2: "an error"},
    "diff": {1: "the files differ", 2: "a file could not be compared"},
    "cmp": {1: "the files differ", 2: "a file could not be compared"},
    "ls": {
        1: "a minor problem, as a folder below that cannot be read",
        2: "a file that the line names cannot be reached",
    },
    "sed": {
        1: "an invalid command or option",
        2: "an input file could not be opened",
        4: "a file could not be read or written",
    },
    "unzip": {
        1: "some warnings",
        9: "the archive was not found",
        11: "no file in the archive matches",
    },
    "jq": {
        2: "wrong usage, or a file cannot be read",
        3: "the program of jq is not valid",
        5: "the program of jq failed",
    },
    "tar": {1: "some files differ, or changed while they were read", 2: "a fatal error"},
    "timeout": {
        124: "the time limit was reached",
        125: "timeout itself failed",
        137: "it was killed with KILL",
    },
    "git": {
        1: "the command found a difference or was refused",
        128: "a fatal error of git",
        129: "wrong usage",
    },
    "shellcheck": {
        1: "it found problems",
        2: "some files could not be read",
        3: "a wrong invocation",
        4: "wrong options",
    },
    "pip": {1: "it failed", 2: "wrong usage", 23: "nothing was found"},
    "python": {1: "an exception that nobody caught", 2: "wrong usage, or the file cannot be read"},
    "python3": {1: "an exception that nobody caught", 2: "wrong usage, or the file cannot be read"},
}


def program_meaning(program: str, exit_status: int) -> str | None:
    """What `exit_status` means for `program` (a base name); None where its manual does not say."""
    return EXITS.get(program, {}).get(exit_status)

"""The program that stands for every program in the sandbox, and the sandbox's first program.

Every name in every folder of PATH is a link to this file. It asks how it was called for
(`/run/rehearse/log` is watched from outside) and gets an answer through a FIFO of its own: run the
program itself, fail, or do nothing. It starts a thousand times in a script, so it imports little.
"""

import os
import sys

BASE = "/run/rehearse"
LOG = BASE + "/log"
# What a command in `$(…)` printed is kept up to here.
GAVE_BYTES = 1000
OWN_OF_HOOKS = ("BASH_ENV", "ZDOTDIR")
MAXIMUM_ANSWER_BYTES = 65536


def main() -> None:
    """Ask, then do as answered."""
    called = sys.argv[0]
    name = os.path.basename(called)
    if name == "first-program":
        first(sys.argv[1:])
    mark, place = mark_of()
    stdout = pipe_of("self", 1)
    number = f"{os.getpid()}.{os.urandom(4).hex()}"
    answers = f"{LOG}/.a{number}"
    os.mkfifo(answers, 0o600)
    answered = os.open(answers, os.O_RDWR)
    fields = [
        number,
        os.getcwd(),
        place,
        mark,
        stdout,
        "1" if stdout and is_read_above(stdout) else "",
        "1" if os.environ.get("REHEARSE_WITHIN") else "",
        called,
        *sys.argv[1:],
    ]
    tell(f"q{number}", "\0".join(fields))
    answer = os.read(answered, MAXIMUM_ANSWER_BYTES).decode("utf-8", "surrogateescape").split("\0")
    os.close(answered)
    os.unlink(answers)
    kind, exit_status, program, keeps, tee, drains, folders, environment, *head = answer
    for variable in environment.split("\1") if environment else ():
        key, _, value = variable.partition("=")
        if key in OWN_OF_HOOKS:
            # The hook gives back what the shell would have found without it.
            os.environ["REHEARSE_" + key] = os.environ.get(key, "")
        os.environ[key] = value
    if not program:
        for folder in folders.split("\1") if folders else ():
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError:
                pass
        if drains:
            drain()
        status, gave = int(exit_status), ""
    else:
        words = [*head, *sys.argv[1 + int(keeps) :]]
        status, gave = run(program, words, tee)
        if kind == "stub" and exit_status:
            status = int(exit_status)
    tell(f"e{number}", f"{number}\0{status}\0{gave}")
    os._exit(status)


def tell(name: str, text: str) -> None:
    """Put a text where it is seen, whole or not at all."""
    try:
        written = os.open(f"{LOG}/.{name}", os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
        os.write(written, text.encode("utf-8", "surrogateescape"))
        os.close(written)
        os.rename(f"{LOG}/.{name}", f"{LOG}/{name}")
    except OSError:
        os._exit(126)


def run(program: str, words: list[str], tee: str) -> tuple[int, str]:
    """Run it to its end: its status, and the beginning of what it printed where `tee` is set."""
    read_end, write_end = os.pipe() if tee else (-1, -1)
    child = os.fork()
    if not child:
        if tee:
            os.dup2(write_end, 1)
            os.close(read_end)
            os.close(write_end)
        try:
            os.execv(program, words)
        except OSError as error:
            os.write(2, f"{words[0]}: {error.strerror}\n".encode())
            os._exit(127 if error.errno == 2 else 126)
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGQUIT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    gave = b""
    if tee:
        os.close(write_end)
        while data := os.read(read_end, 65536):
            gave += data[: max(0, GAVE_BYTES - len(gave))]
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                break
        os.close(read_end)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (128 - status if status < 0 else status), gave.decode("utf-8", "replace")


def drain() -> None:
    """Read what a pipe brings, unless it is the parent's own (as in `… | while read`)."""
    own = pipe_of("self", 0)
    if own and own != pipe_of(os.getppid(), 0):
        try:
            while os.read(0, 65536):
                pass
        except OSError:
            pass


def pipe_of(pid: object, descriptor: object) -> str:
    """The name of the pipe that a descriptor is, `""` if it is none."""
    try:
        target = os.readlink(f"/proc/{pid}/fd/{descriptor}")
    except OSError:
        return ""
    return target if target.startswith("pipe:") else ""


def is_read_above(pipe: str) -> bool:
    """Whether an ancestor reads from the pipe, as the shell does that waits for `$(…)`."""
    pid = os.getppid()
    for _ in range(12):
        try:
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                if pipe_of(pid, descriptor) == pipe and is_read_end(pid, descriptor):
                    return True
            pid = int(stat_of(pid)[1])
        except (OSError, IndexError, ValueError):
            return False
        if pid <= 1:
            return False
    return False


def is_read_end(pid: int, descriptor: str) -> bool:
    """Whether a descriptor is open for reading alone."""
    with open(f"/proc/{pid}/fdinfo/{descriptor}", encoding="ascii") as file:
        flags = next(line for line in file if line.startswith("flags:"))
    return int(flags.split()[1], 8) & 3 == 0


def stat_of(pid: object) -> list[str]:
    """The fields of /proc/PID/stat after the program's name."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rsplit(")", 1)[1].split()


def mark_of() -> tuple[str, str]:
    """Which line this call came from, and how that is known.

    The hook of zsh and bash exports it; of sh a descriptor's name has it. Where both were taken away
    (`env -i`) the parents have them, up to the first shell, whose environment is that of its start.
    """
    pid = "self"
    for _ in range(8):
        for descriptor in "9876543":
            try:
                target = os.readlink(f"/proc/{pid}/fd/{descriptor}")
            except OSError:
                continue
            if target.startswith(LOG + "/m"):
                return target[len(LOG) + 2 :], "descriptor"
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                variables = file.read().decode("utf-8", "surrogateescape").split("\0")
            for variable in variables:
                if variable.startswith("REHEARSE_AT="):
                    return variable.partition("=")[2], "environment"
            pid = stat_of(pid)[1]
            with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
                if file.read().strip() in {"bash", "zsh", "sh", "dash", "first-program"}:
                    break
        except (OSError, IndexError):
            break
    return "", ""


def first(words: list[str]) -> None:
    """Give up what a script needs not, then become the shell: `LIMITS WRITABLE PROGRAM WORD…`."""
    import ctypes
    import resource

    limits, writable, program, *words = words
    for limit in limits.split(","):
        name, _, number = limit.partition("=")
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        value = int(number) if hard == resource.RLIM_INFINITY else min(int(number), hard)
        resource.setrlimit(kind, (value, value))
    libc = ctypes.CDLL(None, use_errno=True)
    # Landlock: nothing outside the private folders can be written, FIFOs on a read-only mount included.
    if libc.syscall(444, None, 0, 1) >= 1:
        rights = 1 << 1 | sum(1 << bit for bit in range(4, 13))
        attributes = ctypes.create_string_buffer(rights.to_bytes(8, "little"), 8)
        rules = libc.syscall(444, attributes, 8, 0)
        for path in [*writable.split("\1"), LOG, "/dev", "/proc/self"]:
            try:
                place = os.open(path, os.O_PATH)
            except OSError:
                continue
            allowed = rights if os.path.isdir(path) else 2
            rule = allowed.to_bytes(8, "little") + place.to_bytes(4, "little")
            libc.syscall(445, rules, 1, ctypes.create_string_buffer(rule, 12), 0)
            os.close(place)
        libc.prctl(38, 1, 0, 0, 0)
        libc.syscall(446, rules, 0)
        os.close(rules)
    os.execv(program, words)


main()

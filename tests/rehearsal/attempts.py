r"""What a script may try in order to get out of a rehearsal, and what it would have done outside.

Each attempt is a script for one world (see `world.py`): a workspace with the script, and around it
things that no rehearsal may touch. `outside` says what the attempt does where nothing holds it, and
`reaches` names what the world then notices. The scripts use `$PY`, a Python under a name of the
world that is on no PATH, because interpreters on the PATH are stand-ins; they run with `--real`, so
that the sandbox alone is tried. Those marked `elsewhere` need what a machine may not have (a login's
keyring, a terminal that takes input from programs): outside they may do nothing.

What an attempt prints is not in its text: where `$PY` leads to a Python on the PATH, as it does for some
users, its words are told as those of any program.

The attempts were written before the sandbox they judge.
"""

# ruff: noqa: E501  one line of a script is one line here
from __future__ import annotations

from typing import NamedTuple


class Attempt(NamedTuple):
    """A script, what it would do outside, and what the world notices of it."""

    name: str
    reaches: str
    outside: str
    text: str
    shell: str = "bash"
    elsewhere: bool = False


ATTEMPTS = (
    # Files.
    Attempt("redirect", "file", "overwrites a file outside", 'echo lost > "$VICTIM"'),
    Attempt("append", "file", "appends to a file outside", 'echo lost >> "$VICTIM"', "sh"),
    Attempt("zsh-redirect", "file", "overwrites it from zsh", 'print lost >| "$VICTIM"', "zsh"),
    Attempt(
        "zsh-module",
        "file",
        "zsh's own builtins remove it without a program",
        'zmodload zsh/files; rm -f "$VICTIM"',
        "zsh",
    ),
    Attempt("remove", "file", "removes a file outside", 'rm -f "$VICTIM"'),
    Attempt("truncate", "file", "empties it", 'truncate -s 0 "$VICTIM"'),
    Attempt("move", "file", "moves it into the workspace", 'mv "$VICTIM" here'),
    Attempt("chmod", "mode", "makes it writable for everybody", 'chmod 777 "$VICTIM"'),
    Attempt("touch-date", "date", "sets its date", 'touch -d 2001-01-01 "$VICTIM"'),
    Attempt(
        "hard-link",
        "file",
        "writes through a hard link of the workspace to a file outside",
        "echo lost > hard-link",
    ),
    Attempt(
        "new-hard-link",
        "file",
        "makes a hard link to it and writes",
        'ln "$VICTIM" fresh && echo lost > fresh',
    ),
    Attempt(
        "symbolic-link",
        "file",
        "writes through a link of the workspace that leads out",
        "echo lost > way-out/victim",
    ),
    Attempt(
        "relative",
        "file",
        "climbs out of the workspace",
        "cd -P way-out && echo lost > victim",
    ),
    Attempt(
        "open-folder",
        "file",
        "writes by way of the current folder of its parent process",
        'd=$(readlink /proc/$PPID/cwd); : "$d"; echo lost > "/proc/$PPID/root$VICTIM"',
    ),
    Attempt(
        "root-of-init",
        "file",
        "writes through the root folder of process 1",
        'echo lost > "/proc/1/root$VICTIM"',
    ),
    Attempt(
        "own-root",
        "file",
        "writes through its own root in /proc",
        'echo lost > "/proc/self/root$VICTIM"',
    ),
    Attempt(
        "descriptors",
        "file",
        "writes to descriptors that its parent left open",
        "for fd in /proc/self/fd/* /proc/$PPID/fd/*; do case $fd in */[012]) ;; "
        '*) { echo lost > "$fd"; } 2>/dev/null ;; esac; done\n'
        "for n in 3 4 5 6 7 8 9 77; do { echo lost >&$n; } 2>/dev/null; done; true",
    ),
    Attempt("fake-copy", "file", "calls another cp by its path", '"$TOOLS/cp" /dev/null "$VICTIM"'),
    Attempt(
        "find-exec", "file", "has find remove it", 'find "${VICTIM%/*}" -name victim -exec rm {} +'
    ),
    Attempt(
        "find-delete", "file", "has find delete it", 'find "${VICTIM%/*}" -name victim -delete'
    ),
    Attempt("xargs", "file", "has xargs remove it", 'echo "$VICTIM" | xargs rm -f'),
    Attempt("env-i", "file", "removes it with an empty environment", 'env -i /bin/rm -f "$VICTIM"'),
    Attempt("sed", "file", "edits it in place", 'sed -i s/kept/lost/ "$VICTIM"'),
    Attempt("sed-w", "file", "has sed write it", 'echo lost | sed -n "w $VICTIM"'),
    Attempt("awk", "file", "has awk write it", 'awk -v f="$VICTIM" \'BEGIN { print "lost" > f }\''),
    Attempt("sort-o", "file", "has sort write it", 'sort -o "$VICTIM" /dev/null'),
    Attempt("tee", "file", "has tee write it", 'echo lost | tee "$VICTIM" >/dev/null'),
    Attempt("dd", "file", "has dd write it", 'dd if=/dev/zero of="$VICTIM" count=1 2>/dev/null'),
    Attempt(
        "tar", "file", "has tar remove what it packs", 'tar cf all.tar --remove-files "$VICTIM"'
    ),
    Attempt(
        "git-hook",
        "file",
        "has git run a program of the repository's own configuration",
        "git init -q . 2>/dev/null; git config core.fsmonitor \"echo lost > '$VICTIM';false\"; "
        "git status >/dev/null 2>&1",
    ),
    Attempt(
        "pager",
        "file",
        "has git run a pager",
        "git -c core.pager=\"sh -c 'echo lost > $VICTIM'\" -p log"
        " >/dev/null 2>&1; GIT_EXTERNAL_DIFF=\"sh -c 'echo lost > $VICTIM'\" git diff --ext-diff "
        "--no-index /dev/null plain >/dev/null 2>&1",
    ),
    Attempt(
        "python",
        "file",
        "writes it from an interpreter",
        "\"$PY\" -c \"open('$VICTIM','w').write('lost')\"",
    ),
    Attempt(
        "preloaded",
        "file",
        "runs a program it wrote itself",
        'printf "#!/bin/sh\\necho lost > \\"$VICTIM\\"\\n" > own; chmod +x own; ./own',
    ),
    Attempt(
        "bind-mount",
        "file",
        "makes a namespace of its own, and mounts",
        'unshare -Urm sh -c "mount -o remount,rw,bind / 2>/dev/null; echo lost > \\"$VICTIM\\""',
    ),
    Attempt(
        "remount",
        "file",
        "mounts the root folder again, writable, by the system call",
        '"$PY" - <<EOF\nimport ctypes\nlibc = ctypes.CDLL(None)\n'
        'libc.unshare(0x10000000 | 0x20000)\nlibc.mount(b"none", b"/", None, 32 | 4096, None)\n'
        'open("$VICTIM", "w").write("lost")\nEOF',
    ),
    Attempt(
        "handle",
        "file",
        "opens a file by its handle, past all mounts (root)",
        '"$PY" - <<EOF\nimport ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n'
        'h = ctypes.create_string_buffer(136); h[0:4] = (128).to_bytes(4, "little"); m = ctypes.c_int()\n'
        'libc.name_to_handle_at(-100, b"$VICTIM", h, ctypes.byref(m), 0)\n'
        'fd = libc.open_by_handle_at(os.open("/", 0), h, os.O_WRONLY)\n'
        'if fd < 0: open("$VICTIM", "w")  # as a plain writer outside\nos.write(fd, b"lost")\nEOF',
    ),
    # Talk to others.
    Attempt(
        "socket",
        "socket",
        "speaks to a socket of the session by its path",
        "\"$PY\" -c \"import socket; s=socket.socket(socket.AF_UNIX); s.connect('$SOCKET'); s.send(b'got out')\"",
    ),
    Attempt(
        "socket-link",
        "socket",
        "the same through a link in the workspace",
        'ln -s "$SOCKET" s; "$PY" -c "import socket; s=socket.socket(socket.AF_UNIX); s.connect(\'s\'); '
        "s.send(b'got out')\"",
    ),
    Attempt(
        "datagram-socket",
        "socket",
        "sends a datagram to one (as syslog's)",
        "\"$PY\" -c \"import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'got out', '$DATAGRAMS')\"",
    ),
    Attempt(
        "abstract-socket",
        "socket",
        "speaks to an abstract socket (as X's or D-Bus's)",
        '"$PY" -c "import socket,os; s=socket.socket(socket.AF_UNIX); '
        "s.connect(chr(0)+os.environ['ABSTRACT']); s.send(b'got out')\"",
    ),
    Attempt(
        "zsh-socket",
        "socket",
        "speaks to a socket by zsh's own module",
        'zmodload zsh/net/socket && zsocket "$SOCKET" && print -u $REPLY got out',
        "zsh",
    ),
    Attempt(
        "agent",
        "socket",
        "uses the ssh agent that the environment names",
        'SSH="$SSH_AUTH_SOCK"; '
        '"$PY" -c "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1] or \'$SOCKET\');'
        ' s.send(b\'got out\')" "$SSH"',
    ),
    Attempt(
        "tcp",
        "tcp",
        "speaks to a port of this machine",
        'exec 5<>"/dev/tcp/127.0.0.1/$PORT"; echo got out >&5',
    ),
    Attempt(
        "zsh-tcp",
        "tcp",
        "the same by zsh's module",
        "zmodload zsh/net/tcp && ztcp 127.0.0.1 $PORT && print -u $REPLY got out",
        "zsh",
    ),
    Attempt(
        "udp", "udp", "sends a datagram to this machine", 'echo got out > "/dev/udp/127.0.0.1/$UDP"'
    ),
    Attempt("fifo", "fifo", "writes to somebody's FIFO", 'echo got out > "$FIFO"'),
    Attempt(
        "fifo-link",
        "fifo",
        "writes to a FIFO through a link of the workspace",
        "echo got out > way-out/fifo",
    ),
    Attempt(
        "fifo-read",
        "fifo-taken",
        "takes from a FIFO what was meant for another",
        '{ "$PY" -c "import os; f=os.open(\'$TAKEN\', os.O_RDONLY | os.O_NONBLOCK); print(os.read(f, 99))"; } || true',
    ),
    Attempt(
        "shared-memory",
        "memory",
        "writes to shared memory of another program",
        '"$PY" - <<EOF\nimport ctypes, os\nlibc = ctypes.CDLL(None)\n'
        "libc.shmat.restype = ctypes.c_void_p\n"
        'at = libc.shmat(int(os.environ["SHM"]), None, 0)\n'
        'if at not in (None, ctypes.c_void_p(-1).value): ctypes.memmove(at, b"got out", 7)\nEOF',
    ),
    Attempt(
        "posix-memory",
        "posix-memory",
        "writes to a file of /dev/shm",
        'echo got out > "/dev/shm/$SHARED"',
    ),
    # Processes.
    Attempt("kill", "process", "ends another process of the person", 'kill -9 "$PID"'),
    Attempt(
        "kill-all-of-them",
        "process",
        "ends it by its place in /proc",
        'for p in /proc/[0-9]*; do if grep -qs "$MARK" "$p/cmdline" && [ "${p#/proc/}" != $$ ]; then '
        'kill -9 "${p#/proc/}"; fi; done; [ -e "/proc/$PID" ] && kill -9 "$PID"; true',
    ),
    Attempt(
        "ptrace",
        "process",
        "attaches to another process and changes it",
        '"$PY" - <<EOF\nimport ctypes, os\nlibc = ctypes.CDLL(None)\n'
        'p = int("$PID"); libc.ptrace(16, p, None, None); os.waitpid(p, 0x40000000); libc.ptrace(8, p, None, None)\nEOF',
    ),
    Attempt(
        "process-memory",
        "process",
        "reads another process's memory, and ends it if that works",
        '"$PY" - <<EOF\nimport os\nopen("/proc/$PID/mem", "rb"); os.kill($PID, 9)\nEOF',
    ),
    Attempt(
        "priority",
        "priority",
        "lowers another process's priority",
        '"$PY" -c "import os; os.setpriority(0, $PID, 19)"',
    ),
    Attempt(
        "left-behind",
        "left",
        "leaves a process behind that outlives the script",
        'setsid "$PY" -c "import time; time.sleep(600)" "$LEFT" </dev/null >/dev/null 2>&1 & disown; true',
    ),
    Attempt(
        "left-twice",
        "left",
        "leaves one that no longer belongs to its session, nor has its streams",
        '( trap "" HUP TERM INT; ( exec setsid env -i "$PY" -c "import os,time; os.fork() and os._exit(0); '
        'os.setsid(); time.sleep(600)" "$LEFT" ) </dev/null >/dev/null 2>&1 & ); true',
    ),
    # What it may know.
    Attempt("secret", "secret", "prints a secret of the environment", 'echo "$DEPLOY_TOKEN"'),
    Attempt(
        "secret-of-others",
        "secret",
        "reads the environment of another process",
        'tr "\\0" "\\n" < "/proc/$PID/environ" | grep DEPLOY_TOKEN',
    ),
    Attempt(
        "tmp", "tmp-secret", "reads somebody's file in /tmp", 'cat /tmp/*"$LEFT"* 2>/dev/null; true'
    ),
    # The terminal, the kernel.
    Attempt(
        "terminal",
        "typed",
        "types a command into the terminal it was started from (TIOCSTI)",
        '"$PY" - <<EOF\nimport fcntl, os\nfd = os.open("/dev/tty", os.O_RDWR)\n'
        'for c in b"got out\\n": fcntl.ioctl(fd, 0x5412, bytes([c]))\nEOF',
        elsewhere=True,
    ),
    Attempt(
        "keyring",
        "key",
        "puts a key into the person's keyring",
        '"$PY" - <<EOF\nimport ctypes\nlibc = ctypes.CDLL(None)\n'
        'libc.syscall(248, b"user", b"$LEFT", b"got out", 7, ctypes.c_int(-4))\nEOF',
    ),
    Attempt(
        "vsock",
        "vsock",
        "opens a socket to the machine's host",
        "\"$PY\" -c \"import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM); print('vsock', 'open')\"",
        elsewhere=True,
    ),
    Attempt(
        "io-uring",
        "ring",
        "opens an io_uring, whose calls no filter sees",
        '"$PY" -c "import ctypes; b = ctypes.create_string_buffer(120); '
        "print('ring', 'open' if ctypes.CDLL(None).syscall(425, 1, b) >= 0 else 'closed')\"",
        elsewhere=True,
    ),
    Attempt(
        "kernel-setting",
        "sysctl",
        "changes a setting of the kernel (root)",
        'echo "$LEFT" > /proc/sys/kernel/domainname',
        elsewhere=True,
    ),
    Attempt(
        "setuid",
        "setuid",
        "runs a setuid program, and is its owner then",
        '"$TOOLS/setuid-id" -u',
        elsewhere=True,
    ),
    Attempt(
        "device",
        "device",
        "opens the disk itself",
        'for d in /dev/vda /dev/sda /dev/nvme0n1; do head -c 1 "$d" >/dev/null 2>&1 && echo device open; done; true',
        elsewhere=True,
    ),
)

"""Tables of the words that templates keep because they say what a command does.

A word in none of these tables is a value, and templates contain no values.
"""

from __future__ import annotations

from collections.abc import Mapping

from zsh_ls.lazy import attrs
from zsh_ls.shell.words.vocabulary import word_set


@attrs.frozen
class SubCommands:
    """The sub-commands of a program.

    The first operand is kept if it is in `first`, or if that is empty and it is a plain
    word; the next ones, `depth` in all, if the table `then` of the word before allows
    them (`*`: any plain word). `valued` are options before the sub-command whose value
    is the next word (`git -C dir`).
    """

    depth: int = 1
    first: frozenset[str] = frozenset()
    then: Mapping[str, frozenset[str]] = attrs.field(factory=dict)
    valued: frozenset[str] = frozenset()


ANY = frozenset({"*"})
_REMOTES = frozenset({"origin", "upstream"})


def _sub(depth: int = 1, first: str = "", valued: str = "", **then: str) -> SubCommands:
    tables = {key.replace("_", "-"): frozenset(words.split()) for key, words in then.items()}
    return SubCommands(depth, frozenset(first.split()), tables, frozenset(valued.split()))


_RESOURCES = (
    "pods pod po services service svc deployments deployment deploy nodes node no namespaces ns"
    " jobs job cronjobs cronjob configmaps cm secrets secret ingress ing events pvc pv all"
    " statefulsets sts daemonsets ds replicasets rs endpoints crd serviceaccounts sa"
)
_KUBE = _sub(
    2,
    valued="-n --namespace --context --kubeconfig --cluster -s --server",
    get=_RESOURCES,
    describe=_RESOURCES,
    delete=_RESOURCES,
    create=_RESOURCES,
    edit=_RESOURCES,
    rollout="status restart undo history pause resume",
    config="view use-context get-contexts current-context set-context",
    top="nodes node pods pod",
    auth="can-i whoami",
)
_CONTAINERS = _sub(
    2,
    valued="-H --host -c --context -l --log-level --config -f --file -p --project-name --profile",
    compose="up down build logs ps run exec restart stop start pull push config rm kill top",
    image="ls build pull push rm prune inspect tag history save load",
    container="ls run exec rm start stop logs inspect prune kill",
    volume="ls create rm inspect prune",
    network="ls create rm inspect prune connect disconnect",
    buildx="build ls create use inspect bake prune",
    system="df prune info events",
    context="ls use create rm inspect",
)
_NODE = _sub(2, run="*", valued="--prefix -C --dir --filter -w --workspace -F")
_VERBS = (
    "list ls show get create add delete remove rm update set describe start stop view edit info"
)

SUB_COMMANDS: Mapping[str, SubCommands] = {
    "apk": _sub(),
    "apt": _sub(),
    "apt-get": _sub(),
    "aws": _sub(2, valued="--profile --region --output --endpoint-url", **{"*": "*"}),
    "az": _sub(2, valued="--subscription -o --output", **{"*": _VERBS}),
    "brew": _sub(2, services="list start stop restart run"),
    "bun": _sub(2, run="*"),
    "bundle": _sub(),
    "cargo": _sub(valued="--manifest-path -C --color -Z"),
    "composer": _sub(),
    "conda": _sub(2, env="list create remove export update"),
    "dnf": _sub(),
    "docker": _CONTAINERS,
    "docker-compose": _sub(valued="-f --file -p --project-name"),
    "dotnet": _sub(),
    "flutter": _sub(),
    "gcloud": _sub(2, valued="--project --account --configuration", **{"*": "*"}),
    "gem": _sub(),
    "gh": _sub(2, valued="-R --repo", **{"*": _VERBS}),
    "git": _sub(
        2,
        valued="-C -c --git-dir --work-tree --namespace --exec-path --config-env",
        push="origin upstream",
        pull="origin upstream",
        fetch="origin upstream",
        stash="push pop apply list drop show clear branch",
        remote="add remove rm rename set-url get-url show prune update",
        submodule="add update init status sync foreach deinit",
        worktree="add list remove prune move lock unlock",
        bisect="start good bad reset skip run log",
        lfs="install track pull push fetch ls-files",
    ),
    "go": _sub(2, mod="tidy download init vendor verify graph", valued="-C"),
    "helm": _sub(2, valued="-n --namespace --kube-context", repo="add update list remove"),
    "hg": _sub(),
    "ip": _sub(2, addr="show add del", link="show set add del", route="show add del", a="show"),
    "kubectl": _KUBE,
    "mix": _sub(),
    "nix": _sub(),
    "nmcli": _sub(2, device="status show wifi connect", connection="show up down add"),
    "npm": _NODE,
    "oc": _KUBE,
    "openssl": _sub(
        first="req x509 rsa genrsa genpkey enc dgst s_client s_server rand passwd pkcs12 verify"
        " version ec ecparam pkey ca crl speed"
    ),
    "pass": _sub(first="show ls insert edit generate rm mv cp git init find grep"),
    "pip": _sub(),
    "pipx": _sub(),
    "pnpm": _NODE,
    "podman": _CONTAINERS,
    "poetry": _sub(),
    "rails": _sub(),
    "rustup": _sub(2, toolchain="list install uninstall", target="list add remove"),
    "svn": _sub(),
    "systemctl": _sub(valued="-H --host -M --machine -t --type"),
    "terraform": _sub(2, state="list show mv rm pull push", workspace="list new select show"),
    "tmux": _sub(),
    "tofu": _sub(),
    "uv": _sub(2, pip="install uninstall list freeze compile sync tree show"),
    "vagrant": _sub(),
    "vault": _sub(
        2,
        first="read write list delete kv login status token policy auth secrets operator"
        " unseal seal lease unwrap",
        kv="get put list delete patch",
    ),
    "yarn": _NODE,
    "yum": _sub(),
    "zfs": _sub(),
    "zpool": _sub(),
}

# Programs all of whose plain words are targets.
TARGETS = word_set(
    "make gmake just task rake ninja gradle gradlew mvn mvnw tox nox invoke inv bazel meson"
)
# Options of TARGETS whose value is the next word.
VALUED_OF_TARGETS = word_set(
    "-C -f -I -o -W -p -P -pl -s --file --directory --project --project-dir --makefile --justfile"
    " --include-dir --settings --chdir --set -t"
)
# Usual names of actions. Only these are taken for sub-commands where a word may be a value as well:
# in unknown programs, after unknown options, and on other machines.
USUAL_SUB_COMMANDS = word_set(
    """add apply branch build check checkout clean clone commit compose config container create delete
    deploy describe diff disable down enable exec fetch fmt generate get help image images import info
    init inspect install kill lint list log login logout logs ls merge mod network new open outdated
    pack ps publish pull purge push rebase release reload remote remove reset restart restore revert
    rm run search serve show start stash status stop switch sync tag test top uninstall up update
    upgrade version view volume watch ci dev preview lock freeze audit vet doc bench clippy plan
    destroy validate state workspace system prune cp mv edit rollout port-forward pr issue repo
    backup restore rollback migrate cleanup healthcheck"""
)
INTERPRETERS = word_set(
    "python node ruby perl bash zsh sh dash ksh fish deno php Rscript lua tsx ts-node"
)
SHELLS = word_set("bash zsh sh dash ksh")
# Programs that run the program that their operands name: `npx jest`, `xargs grep`.
RUN_NEXT = word_set("npx uvx bunx pnpx xargs parallel valgrind hyperfine")
RUN_PAIRS = frozenset(
    {("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run")}
    | {("rye", "run"), ("bundle", "exec"), ("npm", "exec"), ("pnpm", "exec"), ("pnpm", "dlx")}
    | {("yarn", "dlx"), ("pipx", "run")}
)
# Programs with long options that begin with a single dash.
SINGLE_DASH_WORDS = word_set(
    "find java terraform tofu go ffmpeg openssl mvn qemu-system-x86_64"
    " magick convert javac scala xcodebuild"
)
# Option letters without a value, of programs whose letters are often combined.
FLAG_LETTERS: Mapping[str, str] = {
    "cat": "AbeEnstTuv",
    "cp": "abdfHilLnpPrRsuvx",
    "curl": "fFgIiIjJkLlNnOpqRsSvV#0123456",
    "df": "ahHiklPTv",
    "diff": "abBcdeEilnNpqrstTuvwy",
    "docker": "aditq",
    "du": "abcDhHkLmsSx0",
    "git": "abdfilmnpqrsuvw",
    "grep": "abcEFGhHiIlLnoPqrRsTuUvVwxyZz",
    "kill": "l",
    "ls": "1aAbBcCdDfFgGhHiklLmnNopqQrRsStTuUvxXZ",
    "mkdir": "pv",
    "mv": "bfinTuv",
    "netstat": "tulpnaev",
    "npm": "gDSE",
    "pacman": "SyuRnsQqikl",
    "podman": "aditq",
    "ps": "aAcdefFHjlMTuwxX",
    "pytest": "qsvx",
    "rm": "dfiIrRv",
    "rsync": "0abcCdDEghHiIklLnoOpPqrRStuvWxXyz",
    "sed": "Eiknrsuz",
    "sort": "bcCdfghiMmnRrsuVz",
    "ss": "atulnpemixrs",
    "tar": "AcdrtuxJjkmOopPSvWwzZf",
    "unzip": "acfjlnopqtuvzZ",
    "wc": "clLmw",
    "xargs": "0oprtx",
    "zip": "rqmjyu9",
}
# Left out of a template if another command follows: they take no time.
PREPARATIONS = word_set(
    "cd pushd popd export source . set setopt unsetopt unset true : umask ulimit local typeset"
    " declare shopt trap emulate autoload readonly alias"
)
# On another machine only known programs are kept: another word may be a password.
KNOWN_PROGRAMS = (
    word_set("""apachectl awk base64 basename blkid cal certbot chattr chgrp chmod chown chroot chronyc cksum
    clear cmp comm cp crictl crontab csplit ctr curl cut date dd df diff dig dirname dmesg dmidecode
    dpkg dpkg-query du echo egrep env expr factor false fdisk fgrep file find findmnt firewall-cmd
    fold free fsck fuser getent getfacl gpg grep groups gunzip gzip halt hdparm head hexdump host
    hostname hostnamectl htop httpd iconv id ifconfig iostat ip iptables iptables-save jobs journalctl
    jq kill killall last ldconfig ldd less ln loginctl logrotate ls lsattr lsb_release lsblk lscpu
    lsmod lsof lspci lsusb lvs make man md5sum mdadm mkdir mkfs mkfifo mktemp modprobe monit more
    mount mpstat mtr mv mysql mysqldump nc netstat nft nginx nice nl nmap nohup nproc nslookup ntpq
    numactl nvidia-smi od openssl passwd paste perl pg_dump pg_isready pg_restore pgrep php pidof ping
    pip pkill pm2 poweroff printenv printf ps psql puppet pvs pwd python pytest ansible readlink
    realpath reboot redis-cli renice restic rg rm rmdir route rsync ruby runuser sar scp screen sed seq
    service sestatus setfacl sha1sum sha256sum shasum shred shuf shutdown sleep smartctl sort split ss
    ssh stat strace strings stty su sudo supervisorctl swapon swapoff sync sysctl sysctl systemd-analyze
    tac tail tar tcpdump tee telnet test timedatectl time timeout tmux top touch tr traceroute tree true
    truncate tty ufw umount uname uniq unzip uptime useradd userdel usermod users vgs vi vim virsh vmstat
    w watch wc wg wget which who whoami xargs xxd xz yes zcat zgrep zip zstd exit cd export set [ [[ bash
    sh zsh dash ksh fish node java sqlite3 cmake gcc rustc nvim nano cat vault consul nomad""")
    | frozenset(SUB_COMMANDS)
    | TARGETS
    | INTERPRETERS
    | RUN_NEXT
)

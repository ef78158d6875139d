"""Where programs take secrets on their command line: data for redaction, one line a program."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from zsh_ls.shell.word_set import word_set


@attrs.frozen
class SecretPlaces:
    """The places of one program's secrets.

    `valued` options have one as their next word, `attached` ones in the same
    (`mysql -pX`). `after` maps an option to the sign behind which the secret
    begins in its value (`curl -u user:X`); the option `""` is the first operand.
    `operands` are paths of operands whose last is one (`login *`; `.` stands for
    any word).
    All of it holds only behind one of the sub-commands `only_in`, if there are any.
    """

    valued: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset()
    after: Mapping[str, str] = attrs.field(factory=dict)
    operands: tuple[tuple[str, ...], ...] = ()
    only_in: frozenset[str] = frozenset()


def _places(
    valued: str = "", attached: str = "", after: str = "", operands: str = "", only_in: str = ""
) -> SecretPlaces:
    pairs = (word.rpartition("=") for word in after.split())
    paths = tuple(tuple(path.split()) for path in operands.split(",") if path.strip())
    return SecretPlaces(
        frozenset(valued.split()),
        frozenset(attached.split()),
        {option: sign for option, _, sign in pairs},
        paths,
        frozenset(only_in.split()),
    )


_MYSQL = (_places(attached="-p", operands="password *"),)
_LOWER_P = (_places("-p", "-p"),)
_UPPER_P = (_places("-P", "-P"),)
_SEVEN_ZIP = (_places(attached="-p"),)
_RAR = (_places(attached="-p -hp"),)
_MINIO = (_places(operands="alias set . . . *"),)
_LOGIN = (_places("-p", "-p", only_in="login"),)
_LDAP = (_places("-w"),)
_SNMP = (_places("-c -A -X"),)
_SAMBA = (_places(after="-U=% --user=%"),)
_HTTPIE = (_places(after="-a=: --auth=:"),)
_FREERDP = (_places(attached="/p: /pass: /gp:"),)

PROGRAMS: Mapping[str, tuple[SecretPlaces, ...]] = {
    "7z": _SEVEN_ZIP,
    "7za": _SEVEN_ZIP,
    "7zr": _SEVEN_ZIP,
    "aws": (_places("--value", only_in="put-parameter"),),
    "az": _LOGIN,
    "bcp": _UPPER_P,
    "bw": (_places(operands="unlock *,login . *"),),
    "cqlsh": _LOWER_P,
    "curl": (
        _places(
            "-b --cookie --pass --oauth2-bearer",
            after="-u=: --user=: -U=: --proxy-user=: -E=: --cert=:",
        ),
    ),
    "doctl": (_places("-t"),),
    "docker": _LOGIN,
    "gh": (_places("-b --body", only_in="secret"),),
    "helm": _LOGIN,
    "htpasswd": (
        _places(operands=". . *", only_in="-b -cb -bc -bB -Bb -bm -cbB -bcB"),
        _places(operands=". *", only_in="-nb -bn -nbB -bnB -nbm"),
    ),
    "http": _HTTPIE,
    "https": _HTTPIE,
    "ipmitool": _UPPER_P,
    "iwconfig": (_places(operands="key *"),),
    "ldapadd": _LDAP,
    "ldapdelete": _LDAP,
    "ldapmodify": _LDAP,
    "ldappasswd": (_places("-w -s -a"),),
    "ldapsearch": _LDAP,
    "ldapwhoami": _LDAP,
    "lftp": (_places(after="-u=, --user=,"),),
    "mariadb": _MYSQL,
    "mariadb-admin": _MYSQL,
    "mariadb-dump": _MYSQL,
    "mc": _MINIO,
    "minio-client": _MINIO,
    "mongo": _LOWER_P,
    "mongodump": _LOWER_P,
    "mongoexport": _LOWER_P,
    "mongoimport": _LOWER_P,
    "mongorestore": _LOWER_P,
    "mongosh": _LOWER_P,
    "mosquitto_pub": _UPPER_P,
    "mosquitto_sub": _UPPER_P,
    "mysql": _MYSQL,
    "mysqladmin": _MYSQL,
    "mysqldump": _MYSQL,
    "mysqlimport": _MYSQL,
    "net": _SAMBA,
    "ngrok": (_places(operands="authtoken *,add-authtoken *"),),
    "oc": _LOGIN,
    "openssl": (
        _places("-k -K -pass -passin -passout -passwd -password"),
        _places(operands="passwd *", only_in="passwd"),
    ),
    "podman": _LOGIN,
    "poetry": (_places(operands="config . . *"),),
    "rabbitmqctl": (_places(operands="add_user . *,change_password . *"),),
    "rar": _RAR,
    "rclone": (_places(operands="obscure *"),),
    "redis-cli": (_places("-a --pass", operands="AUTH *,auth *,requirepass *,masterauth *"),),
    "rpcclient": _SAMBA,
    "security": (_places("-w", only_in="add-generic-password add-internet-password"),),
    "smbclient": _SAMBA,
    "snmpget": _SNMP,
    "snmpset": _SNMP,
    "snmpwalk": _SNMP,
    "snmpbulkwalk": _SNMP,
    "snyk": (_places(operands="auth *"),),
    "sqlcmd": _UPPER_P,
    "sqlplus": (_places(after="=/"),),
    "ssh-keygen": (_places("-N -P"),),
    "sshpass": _LOWER_P,
    "transmission-remote": (_places(after="-n=: --auth=:"),),
    "twine": (_places("-p", only_in="upload"),),
    "unrar": _RAR,
    "unzip": _UPPER_P,
    "useradd": (_places("-p"),),
    "usermod": (_places("-p"),),
    "vault": (_places(operands="login *,unwrap *,unseal *"),),
    "wlfreerdp": _FREERDP,
    "wpa_passphrase": (_places(operands=". *"),),
    "xfreerdp": _FREERDP,
    "xfreerdp3": _FREERDP,
    "zip": _UPPER_P,
    "zipcloak": _UPPER_P,
}

# Where `-p` is something else even beside a user: ports, parents, prompts.
P_IS_NO_PASSWORD = word_set(
    """cp docker docker-compose git install iotop ls lsof mkdir mysql mariadb mysqldump mysqladmin nc nmap
    perf pg_dump pg_restore pgcli pidstat podman ps psql rsync screen scp sftp ssh ssh-copy-id strace
    sudo su tar tmux touch tree xargs"""
)
# Options of any program whose value may be `user:password`.
USER_AND_PASSWORD = word_set(
    "-u -U -a -A --user --auth --creds --src-creds --dest-creds --credentials --proxy-user --basic-auth"
)
# Behind these an operand drawn at random is what they let in with.
LETS_IN = word_set(
    "login auth authorize authorize-account authenticate setapikey activate register"
)
USER_OPTIONS = word_set("-u -U -l --user --username --login -user -username --user-name")

# Where words are prose about the work: `-m` of these programs.
PROSE_PROGRAMS = word_set("git gh glab hg svn jj bzr darcs")
PROSE_OPTIONS = word_set("-m -am --message -t --title -b --body --notes -n --grep -S -G --subject")

# Programs whose operands come as name and value, `password X`.
NAME_VALUE = frozenset({"nmcli", "iwctl", "pdftk", "hostapd_cli", "wpa_cli"})
NAME_VALUE_VERBS = frozenset({"config", "configure", "set"})

# Programs that read a secret from their standard input, and the word that says so (`""`: always).
READS_SECRET: Mapping[str, frozenset[str]] = {
    "az": frozenset({"login"}),
    "chpasswd": frozenset({""}),
    "cifscreds": frozenset({""}),
    "cryptsetup": frozenset({""}),
    "docker": frozenset({"--password-stdin", "secret"}),
    "gh": frozenset({"--with-token", "set"}),
    "glab": frozenset({"--stdin"}),
    "gpg": frozenset({"--passphrase-fd"}),
    "helm": frozenset({"--password-stdin"}),
    "htpasswd": frozenset({"-i"}),
    "kinit": frozenset({""}),
    "kubectl": frozenset({"secret"}),
    "passwd": frozenset({""}),
    "podman": frozenset({"--password-stdin", "secret"}),
    "secret-tool": frozenset({"store"}),
    "sshfs": frozenset({"password_stdin"}),
    "smbpasswd": frozenset({"-s"}),
    "su": frozenset({""}),
    "sudo": frozenset({"-S", "--stdin"}),
    "vault": frozenset({"login", "write", "put"}),
    "vncpasswd": frozenset({"-f"}),
}
STDIN_SIGN = "-stdin"  # `--password-stdin`, whatever the program
PRINTERS = frozenset({"echo", "printf", "print"})
NAMES_A_FILE_OF_SECRETS = re.compile(
    r".*(?:pass(?:word|phrase|wd)?|secret|token|key|identity|creds)[_-]?(?:file|command|cmd|eval|fd)?"
)

"""Where programs take secrets on their command line: data for redaction, one line a program."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


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


_MYSQL = _places(attached="-p")
_LOGIN = _places("-p", "-p", only_in="login")
_MONGO = _places("-p", "-p")
_LDAP = _places("-w")
_SNMP = _places("-c -A -X")
_SAMBA = _places(after="-U=% --user=%")
_OPENSSL = _places("-k -K -pass -passin -passout -passwd -password")
_ZIP = _places("-P", "-P")
_SEVEN_ZIP = _places(attached="-p")

PROGRAMS: Mapping[str, SecretPlaces] = {
    "7z": _SEVEN_ZIP,
    "7za": _SEVEN_ZIP,
    "7zr": _SEVEN_ZIP,
    "az": _LOGIN,
    "bcp": _places("-P"),
    "cqlsh": _places("-p"),
    "curl": _places(
        "-b --cookie --pass --oauth2-bearer", after="-u=: --user=: -U=: --proxy-user=:"
    ),
    "doctl": _places("-t"),
    "docker": _LOGIN,
    "helm": _LOGIN,
    "htpasswd": _places(operands=". . *"),
    "http": _places(after="-a=: --auth=:"),
    "https": _places(after="-a=: --auth=:"),
    "ipmitool": _places("-P"),
    "ldapadd": _LDAP,
    "ldapdelete": _LDAP,
    "ldapmodify": _LDAP,
    "ldappasswd": _places("-w -s -a"),
    "ldapsearch": _LDAP,
    "ldapwhoami": _LDAP,
    "lftp": _places(after="-u=, --user=,"),
    "mariadb": _MYSQL,
    "mariadb-dump": _MYSQL,
    "mongo": _MONGO,
    "mongodump": _MONGO,
    "mongoexport": _MONGO,
    "mongoimport": _MONGO,
    "mongorestore": _MONGO,
    "mongosh": _MONGO,
    "mosquitto_pub": _places("-P"),
    "mosquitto_sub": _places("-P"),
    "mysql": _MYSQL,
    "mysqladmin": _MYSQL,
    "mysqldump": _MYSQL,
    "mysqlimport": _MYSQL,
    "net": _SAMBA,
    "ngrok": _places(operands="authtoken *,config add-authtoken *"),
    "oc": _LOGIN,
    "openssl": _OPENSSL,
    "podman": _LOGIN,
    "rabbitmqctl": _places(operands="add_user . *,change_password . *"),
    "rclone": _places(operands="obscure *"),
    "redis-cli": _places("-a --pass"),
    "rpcclient": _SAMBA,
    "security": _places("-w", only_in="add-generic-password add-internet-password"),
    "smbclient": _SAMBA,
    "snmpget": _SNMP,
    "snmpset": _SNMP,
    "snmpwalk": _SNMP,
    "snmpbulkwalk": _SNMP,
    "snyk": _places(operands="auth *"),
    "sqlcmd": _places("-P"),
    "sqlplus": _places(after="=/"),
    "ssh-keygen": _places("-N -P"),
    "sshpass": _MONGO,
    "twine": _places("-p", only_in="upload"),
    "unzip": _ZIP,
    "useradd": _places("-p"),
    "usermod": _places("-p"),
    "vault": _places(operands="login *,unwrap *,operator unseal *"),
    "wpa_passphrase": _places(operands=". *"),
    "zip": _ZIP,
    "zipcloak": _ZIP,
}

# Programs whose operands come as name and value, `password X`.
NAME_VALUE = frozenset({"nmcli", "iwctl"})
NAME_VALUE_VERBS = frozenset({"config", "configure", "set"})

# Programs that read a secret from their standard input, and the word that says so (`""`: always).
READS_SECRET: Mapping[str, frozenset[str]] = {
    "az": frozenset({"login"}),
    "chpasswd": frozenset({""}),
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
    "podman": frozenset({"--password-stdin"}),
    "secret-tool": frozenset({"store"}),
    "smbpasswd": frozenset({"-s"}),
    "sudo": frozenset({"-S", "--stdin"}),
    "vault": frozenset({"login", "write", "put"}),
    "vncpasswd": frozenset({"-f"}),
}
PRINTERS = frozenset({"echo", "printf", "print"})

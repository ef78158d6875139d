"""Tables of where programs take secrets, on the command line or from standard input."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from zsh_ls.lazy import attrs, re
from zsh_ls.shell.words.vocabulary import word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypedDict


@attrs.frozen
class SecretPlaces:
    """Where one program takes secrets on its command line.

    The word after a `valued` option is a secret, as is the rest of the word of an
    `attached` one (`mysql -pX`). `after` maps an option to the character after which
    the secret begins in its value (`curl -u user:X`); the option `""` is the first
    operand. `operands` are sequences of operands whose last is a secret (`login *`;
    `.` matches any word, `pypi-token.*` one that begins so). With `after_share` the
    operand after `//server/share` is one.
    All of this holds only if one of the words `only_in` is there, unless that is empty.
    """

    valued: frozenset[str] = frozenset()
    attached: frozenset[str] = frozenset()
    after: Mapping[str, str] = attrs.field(factory=dict)
    operands: tuple[tuple[str, ...], ...] = ()
    only_in: frozenset[str] = frozenset()
    after_share: bool = False


# Places as the table below has them: words are separated by blanks, paths by commas. They are plain
# dictionaries, read when a program is met: most commands are of none of these, and all would wait for a
# hundred objects.
if TYPE_CHECKING:

    class _Written(TypedDict, total=False):
        valued: str
        attached: str
        after: str | Mapping[str, str]
        operands: str
        only_in: str
        after_share: bool

else:
    _Written = dict  # a `TypedDict` would compile the text of each annotation


def _read(written: _Written) -> SecretPlaces:
    after = written.get("after", "")
    if isinstance(after, str):
        after = {option: sign for option, _, sign in (it.rpartition("=") for it in after.split())}
    return SecretPlaces(
        word_set(written.get("valued", "")),
        word_set(written.get("attached", "")),
        after,
        tuple(tuple(it.split()) for it in written.get("operands", "").split(",") if it.strip()),
        word_set(written.get("only_in", "")),
        written.get("after_share", False),
    )


_MYSQL = (_Written(attached="-p", operands="password *"),)
_LOWER_P = (_Written(valued="-p", attached="-p"),)
_VALUE_P = (_Written(valued="-p"),)
_UPPER_P = (_Written(valued="-P", attached="-P"),)
_SEVEN_ZIP = (_Written(attached="-p"),)
_RAR = (_Written(attached="-p -hp"),)
_MINIO = (_Written(operands="alias set . . . *,config host add . . . *"),)
_LOGIN = (_Written(valued="-p", attached="-p", only_in="login"),)
_LDAP = (_Written(valued="-w", attached="-w"),)
_SNMP = (_Written(valued="-c -A -X"),)
_SAMBA = (_Written(after="-U=% --user=%"), _Written(after_share=True))
_HTTPIE = (_Written(after="-a=: --auth=:"),)
_FREERDP = (_Written(attached="/p: /pass: /gp:"),)
_ORACLE = (_Written(after="=/"),)
_VALKEY = (
    _Written(valued="-a --pass", operands="AUTH *,auth *,requirepass *,masterauth *"),
    _Written(attached=">", only_in="SETUSER setuser"),
)
_WALLET = (_Written(operands="walletpassphrase *,encryptwallet *,walletpassphrasechange . *"),)
_UPPER_K = (_Written(valued="-k", attached="-k"),)

# Programs, separated by blanks, and the places where all of them take their secrets.
_FAMILIES: Mapping[str, tuple[_Written, ...]] = {
    "7z 7za 7zr 7zz": _SEVEN_ZIP,
    "adb": (
        _Written(
            operands="locksettings set-password *,locksettings set-pin *,locksettings set-pattern *"
        ),
    ),
    "ansible-vault": (_Written(operands="encrypt_string *"),),
    "aws": (_Written(valued="--value", only_in="put-parameter"),),
    "az": (*_LOGIN, _Written(valued="--value", only_in="keyvault")),
    "bcp freebcp ipmitool mosquitto_pub mosquitto_rr mosquitto_sub osql sqlcmd tsql": _UPPER_P,
    "bitcoin-cli dogecoin-cli litecoin-cli": _WALLET,
    "bw": (_Written(operands="unlock *,login . *"),),
    "caddy": (_Written(valued="--plaintext -p", only_in="hash-password"),),
    "cachix": (_Written(operands="authtoken *"),),
    "ccrypt ccencrypt ccdecrypt": (_Written(valued="-K"),),
    "chamber": (_Written(operands="write . . *"),),
    "cloudflared": (_Written(operands="service install *"),),
    "composer": (
        _Written(
            operands="config http-basic.* . *,config github-oauth.* *,config gitlab-oauth.* *,"
            "config gitlab-token.* *,config bearer.* *,config bitbucket-oauth.* . *"
        ),
    ),
    "cqlsh crackmapexec cypher-shell evil-winrm hydra medusa mongo mongodump mongoexport"
    " mongofiles mongoimport mongorestore mongosh mongostat mongotop mycli netexec nxc rdesktop"
    " rabbitmqadmin smbmap sshpass steghide stegsnow yadm": _LOWER_P,
    "curl": (
        _Written(
            valued="--pass --oauth2-bearer",
            after="-u=: --user=: -U=: --proxy-user=: -E=: --cert=:",
        ),
        # Without this sign the value is a file of cookies.
        _Written(after={"-b": "=", "--cookie": "="}),
    ),
    "docker helm nerdctl oc podman": _LOGIN,
    "dislocker dislocker-bek dislocker-fuse dislocker-metadata": (_Written(attached="-u -p"),),
    "doctl": (_Written(valued="-t"),),
    "dotnet nuget": (_Written(valued="-k", only_in="push"),),
    "gh": (_Written(valued="-b --body", only_in="secret"),),
    "glab": (_Written(valued="-t", only_in="login"),),
    # The whole value is the secret, whatever its key is called.
    "kubectl oc": (_Written(after={"--from-literal": "="}, only_in="secret secrets"),),
    "htpasswd mosquitto_passwd": (
        _Written(operands=". . *", only_in="-b -cb -bc -bB -Bb -bm -cbB -bcB"),
        _Written(operands=". *", only_in="-nb -bn -nbB -bnB -nbm"),
    ),
    "http https xh xhs": _HTTPIE,
    "idevicebackup2": (_Written(operands="encryption on *,changepw . *"),),
    "iwconfig": (_Written(operands="key *"),),
    "kadmin ldapadd ldapcompare ldapdelete ldapmodify ldapmodrdn ldapsearch ldapwhoami ldapvi": _LDAP,
    "ldappasswd": (_Written(valued="-w -s -a"),),
    "lftp": (_Written(after="-u=, --user=,"),),
    "mariadb mariadb-admin mariadb-dump mysql mysqladmin mysqlcheck mysqldump mysqlimport mysqlpump"
    " mysqlshow mysqlslap xtrabackup": _MYSQL,
    "irssi": (_Written(valued="-w"),),
    "mc minio-client": _MINIO,
    "mkpasswd": (_Written(operands=". *", only_in="-m --method"),),
    "net": (*_SAMBA, _Written(operands="user . *", only_in="/add /ADD /domain")),
    "rpcclient smbcacls smbclient smbget winexe wmic": _SAMBA,
    "netlify ntl": (_Written(valued="-a --auth"),),
    "networksetup": (_Written(operands=". . *", only_in="-setairportnetwork"),),
    "ngrok": (_Written(operands="authtoken *,add-authtoken *"),),
    "oathtool": (_Written(operands=". *", only_in="-b --base32"), _Written(operands="*")),
    "openssl": (
        _Written(valued="-k -K -pass -passin -passout -passwd -password -hmac -psk"),
        _Written(operands="passwd *", only_in="passwd"),
        _Written(operands="passwd . *", only_in="-salt"),
    ),
    "exp expdp imp impdp sql sqlcl sqlldr sqlplus": _ORACLE,
    "pkcs11-tool": (_Written(valued="-p"),),
    "poetry": (_Written(operands="config . . *,config pypi-token.* *"),),
    "pulumi": (_Written(operands="config set . *", only_in="--secret"),),
    "qpdf": (_Written(valued="--encrypt"), _Written(operands="*,. *", only_in="--encrypt")),
    "rabbitmqctl": (_Written(operands="add_user . *,change_password . *,authenticate_user . *"),),
    "radtest": (_Written(operands=". *"), _Written(operands=". . . . *")),
    "rar unrar": _RAR,
    "railway": (_Written(after={"--set": "="}, only_in="variable variables"),),
    "rclone": (_Written(operands="obscure *"),),
    "keydb-cli redis-benchmark redis-cli redli valkey-cli": _VALKEY,
    "samba-tool": (_Written(operands="user create . *,user add . *"),),
    "security": (
        _Written(valued="-w", only_in="add-generic-password add-internet-password"),
        _Written(valued="-p -P", only_in="unlock-keychain create-keychain import export"),
    ),
    "sendemail": (_Written(valued="-xp"),),
    "snmpbulkget snmpbulkwalk snmpdf snmpget snmpgetnext snmpinform snmpnetstat snmpset snmpstatus"
    " snmptable snmptrap snmpwalk": _SNMP,
    "sops": (_Written(after={"--set": " "}), _Written(operands="set . . *")),
    "snyk": (_Written(operands="auth *"),),
    "unzip zip zipcloak": _UPPER_P,
    "ss-local ss-redir ss-server ss-tunnel sslocal": _UPPER_K,
    "ssh-keygen": (_Written(valued="-N -P"),),
    "transmission-remote": (_Written(after="-n=: --auth=:"),),
    "signtool": (_Written(valued="/p"),),
    "swaks": (_Written(valued="-ap"),),
    "travis": (_Written(operands="encrypt *"),),
    "twine": (_Written(valued="-p", only_in="upload"),),
    "useradd usermod": _VALUE_P,
    "vault": (_Written(operands="login *,unwrap *,unseal *"),),
    "virsh": (_Written(operands="secret-set-value . *"),),
    "wlfreerdp xfreerdp xfreerdp3": _FREERDP,
    "wpa_passphrase": (_Written(operands=". *"),),
}


def _by_program() -> Mapping[str, tuple[_Written, ...]]:
    found: dict[str, tuple[_Written, ...]] = {}
    for names, places in _FAMILIES.items():
        for name in names.split():
            found[name] = (*found.get(name, ()), *places)
    return found


PROGRAMS = _by_program()


@cache
def places_of(program: str) -> tuple[SecretPlaces, ...]:
    """Where a program takes secrets; nowhere where it is not known."""
    written = PROGRAMS.get(program, ())
    return tuple(map(_read, written))


# Programs whose `-p` is no password even beside a user name: a port, parents, a prompt.
P_IS_NO_PASSWORD = word_set(
    """aws cargo chown chroot cp docker docker-compose find gcloud gh git install iotop journalctl ls lsof
    mariadb mkdir mysql mysqladmin mysqldump nc nmap perf pg_dump pg_restore pgcli pidstat podman ps
    psql rsync scp screen sftp ssh ssh-copy-id strace su sudo systemctl systemd-run tar telnet tmux
    touch tree vercel xargs yarn"""
)
# Options whose value is `user:password` in any program.
ALWAYS_USER_AND_PASSWORD = word_set(
    "--creds --src-creds --dest-creds --credentials --proxy-user --proxy-auth --basic-auth --userpwd"
    " --http-auth"
)
# Options whose value may be `user:password`, if the second part looks like a password.
PERHAPS_USER_AND_PASSWORD = word_set("-a -A -c -u -U --user")
# Options whose value is `user:password`, except in programs where it is an owner (`user:group`).
USER_AND_PASSWORD = word_set("-u -U --user -user --username --auth -auth --credential")
USER_IS_OWNER = word_set(
    """chown chroot cp date docker docker-compose find git install journalctl kubectl mount nerdctl
    pip podman ps pkill pgrep rsync runuser setpriv sort su sudo systemctl systemd-run tar unshare"""
)
USER_OPTIONS = word_set("-u -U --user --username --login -user -username --user-name")
PERHAPS_USER_OPTIONS = frozenset({"-l"})  # a list, a length, a user
# Words after which an operand that looks random is a credential.
LOGIN_WORDS = word_set(
    """login auth authorize authorize-account authenticate setapikey activate register unlock signin
    authtoken"""
)

# Programs, and their options, whose values are prose such as commit messages.
PROSE_PROGRAMS = word_set("git gh glab hg svn jj bzr darcs")
PROSE_OPTIONS = word_set("-m -am --message -t --title -b --body --notes -n --grep -S -G --subject")

# Programs whose operands are pairs of name and value: `password X`.
NAME_VALUE = frozenset({"crudini", "nmcli", "iwctl", "pdftk", "hostapd_cli", "wpa_cli"})
# Programs whose options first name what is edited, by a path, and then the value it gets.
XML_EDITORS = frozenset({"xmlstarlet", "xml"})
XML_PLACES = word_set("-u --update -i --insert -a --append -s --subnode -n --name")
NAME_VALUE_VERBS = word_set("config configure hset put set setenv write")

# After a word of the first and one of the second set, `NAME=VALUE` is a secret whatever its name, and
# after those of the third also `NAME VALUE`.
SECRET_STORES = word_set("secret secrets kv")
SECRET_STORE_VERBS = word_set("put patch set create add update import new edit upsert")
NAME_THEN_VALUE = word_set("set")
# After these `NAME=VALUE` and `NAME VALUE` set a variable of something deployed.
DEPLOY_VERBS = word_set(
    "config:set config:add env:set env:add env-set env:update set-env setenv functions:config:set"
    " functions:secrets:set apps:config:set"
)
# The last part of names of variables that hold no secret: `NODE_ENV`, `LOG_LEVEL`.
HARMLESS_VARIABLES = word_set(
    "env environment port tz lang locale level debug host hostname region timezone stack version workers"
    " concurrency threads mode name user username path dir folder timeout size count url_root"
)
# Paths of `vault write` that hold secrets, unlike `vault write auth/… ttl=1h`.
SECRET_PATHS = ("secret/", "kv/", "cubbyhole/", "kv-v2/")

# Clients of key-value stores whose keys look like `session:1234`.
STORES_OF_KEYS = word_set("redis-cli valkey-cli keydb-cli redli iredis memcached-tool memccat")

# Words of commands that show what is stored: `lpass show --password NAME`.
SHOWS = frozenset({"show", "get", "generate", "find", "copy"})

# Programs that read a secret from their standard input, and the words with which they do (`""`: always).
READS_SECRET: Mapping[str, frozenset[str]] = {
    "age": frozenset({"-p", "--passphrase"}),
    "ansible-vault": frozenset({"encrypt_string"}),
    "argon2": frozenset({""}),
    "az": frozenset({"login"}),
    "chpasswd": frozenset({""}),
    "cifscreds": frozenset({""}),
    "cracklib-check": frozenset({""}),
    "cryptsetup": frozenset({""}),
    "docker": frozenset({"--password-stdin", "secret"}),
    "elasticsearch-keystore": frozenset({"--stdin"}),
    "encfs": frozenset({"-S", "--stdinpass"}),
    "gh": frozenset({"--with-token", "set"}),
    "glab": frozenset({"--stdin"}),
    "gocryptfs": frozenset({""}),
    "gopass": frozenset({"insert"}),
    "gpg": frozenset({"--passphrase-fd"}),
    "helm": frozenset({"--password-stdin"}),
    "htpasswd": frozenset({"-i"}),
    "kadmin": frozenset({""}),
    "keepassxc-cli": frozenset({""}),
    "kibana-keystore": frozenset({"--stdin"}),
    "kinit": frozenset({""}),
    "kubectl": frozenset({"secret"}),
    "lpass": frozenset({"login"}),
    "mkpasswd": frozenset({""}),
    "mount.davfs": frozenset({""}),
    "openssl": frozenset({"-stdin", "stdin", "fd:0"}),
    "pass": frozenset({"insert"}),
    "passage": frozenset({"insert"}),
    "passwd": frozenset({""}),
    "podman": frozenset({"--password-stdin", "secret"}),
    "pwscore": frozenset({""}),
    "rclone": frozenset({"obscure"}),
    "secret-tool": frozenset({"store"}),
    "ssh-add": frozenset({""}),
    "sshfs": frozenset({"password_stdin"}),
    "smbpasswd": frozenset({"-s"}),
    "su": frozenset({""}),
    "sudo": frozenset({"-S", "--stdin"}),
    "systemd-creds": frozenset({"encrypt"}),
    "vault": frozenset({"login", "write", "put"}),
    "vercel": frozenset({"env"}),
    "vncpasswd": frozenset({"-f"}),
    "veracrypt": frozenset({"--stdin"}),
    "wpa_passphrase": frozenset({""}),
}
# Of any program: `--password-stdin`, `--passwd-on-stdin`.
STDIN_OPTION = re.compile(r"-{1,2}([a-z-]{1,40}?)-(?:(?:from|on)-)?stdin")
# Any other program with a word of both sets reads a secret: `vendor secret put NAME`.
STORE_VERBS = word_set("put set add create insert store import write rotate update new")
SECRET_NOUNS = word_set(
    "secret secrets password passwords passphrase token credential credentials keystore keyring"
)
# Programs whose names end so read a secret: `vendor-reset-password`.
NAMED_AFTER_SECRET = ("passwd", "password", "passphrase", "keystore")
TEXT_TOOLS = word_set(
    """ag awk base64 bat cat column comm cut diff echo fgrep fold grep egrep head jq less more mail nl
    perl printf python python3 rev rg ripgrep ruby sed sort tail tee tr uniq wc xargs xxd yq"""
)
# Programs that pass their input on, so that the command before them is checked too.
FILTERS = word_set("cat head tail tr sed tee base64 xargs cut")
PRINTERS = frozenset({"echo", "printf", "print", "yes"})
# Programs that may run commands from their standard input.
CODE_READERS = word_set("sh bash zsh dash ksh ash fish ssh at batch eval source parallel xargs")
NAMES_A_FILE_OF_SECRETS = re.compile(
    r".*(?:pass(?:word|phrase|wd)?|secret|token|key|identity|creds)[_-]?(?:file|command|cmd|eval|fd)?"
)

"""The SQL that an administrator runs: schema, functions, the role of agents. Again, it changes nothing."""

from __future__ import annotations

from importlib.resources import files

SCHEMA_VERSION = 2
"""The version of the database's schema that this program makes: the number of its last migration."""
PROTOCOL_VERSION = 1
"""The version of what `push` and `pull` are told and answer. A database of an older schema ignores what it
does not know in a request, so a newer client may name the projects of a pull, and gets all."""
DEFAULT_ROLE = "zsh_ls_agent"
LEAST_SERVER = 150000
LONGEST_ROLE_BYTES = 63

_BEFORE = """\
-- zsh-ls: a team's memory, for PostgreSQL 15 or newer. Run it as the owner of the database:
--     zsh-ls team init | psql -v ON_ERROR_STOP=1 DATABASE
-- Running it again changes nothing. Agents' login roles are made by hand, in the group role {role}:
--     CREATE ROLE me LOGIN PASSWORD '...' IN ROLE {role};
BEGIN;
SET LOCAL client_min_messages = warning;
DO $init$ BEGIN
    PERFORM pg_advisory_xact_lock(1514951507);
    IF current_setting('server_version_num')::integer < {least} THEN
        RAISE EXCEPTION 'zsh-ls needs PostgreSQL 15 or newer, this is %', current_setting('server_version');
    END IF;
    IF to_regnamespace('zsh_ls') IS NULL AND NOT has_database_privilege(current_database(), 'CREATE')
            OR EXISTS (SELECT 1 FROM pg_catalog.pg_namespace
                WHERE nspname = 'zsh_ls' AND NOT pg_has_role(nspowner, 'USAGE'))
    THEN
        RAISE EXCEPTION 'the role % may not make the schema zsh_ls in the database %: run this as its owner',
            current_user, current_database();
    END IF;
    IF to_regclass('zsh_ls.schema_version') IS NOT NULL THEN
        IF (SELECT max(version) FROM zsh_ls.schema_version) > {version} THEN
            RAISE EXCEPTION 'the schema zsh_ls is of version %, this zsh-ls knows {version}: use a newer one',
                (SELECT max(version) FROM zsh_ls.schema_version);
        END IF;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = {role_text}) THEN
        CREATE ROLE {role} NOLOGIN;
    END IF;
END $init$;
CREATE SCHEMA IF NOT EXISTS zsh_ls;
REVOKE ALL ON SCHEMA zsh_ls FROM PUBLIC;
"""
_MIGRATION = """\
DO $init$ BEGIN
    IF {is_due} THEN
        EXECUTE $migration$
{statements}
        $migration$;
    END IF;
END $init$;
"""
_AFTER = """\
REVOKE ALL ON ALL TABLES IN SCHEMA zsh_ls FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA zsh_ls FROM PUBLIC;
GRANT USAGE ON SCHEMA zsh_ls TO {role};
GRANT EXECUTE ON FUNCTION zsh_ls.push(jsonb), zsh_ls.pull(jsonb) TO {role};
COMMIT;
"""


def init_sql(role: str = DEFAULT_ROLE) -> str:
    """The SQL, in one transaction; `role` is the group role that may call `push` and `pull`.

    Raises ValueError for a name that PostgreSQL has no role of.
    """
    if not role or "\0" in role or len(role.encode()) > LONGEST_ROLE_BYTES:
        raise ValueError(f"a role's name has 1 to {LONGEST_ROLE_BYTES} bytes, got {role!r}")
    if role.startswith("pg_") or role in ("public", "none"):
        raise ValueError(f"{role!r} is no name of a role that can be made")
    if any(not character.isprintable() for character in role) or "$" in role:
        raise ValueError(f"a role's name has no $ and no control characters, got {role!r}")
    schema = files(__package__) / "schema"
    quoted = '"' + role.replace('"', '""') + '"'
    text = "'" + role.replace("'", "''") + "'"
    if "\\" in role:
        raise ValueError(f"a role's name has no backslash, got {role!r}")
    before = _BEFORE.format(role=quoted, role_text=text, least=LEAST_SERVER, version=SCHEMA_VERSION)
    migrations = (it for it in schema.iterdir() if it.name[:3].isdecimal())
    steps = [
        _MIGRATION.format(
            is_due="to_regclass('zsh_ls.schema_version') IS NULL"
            if version == 1
            else f"(SELECT max(version) FROM zsh_ls.schema_version) < {version}",
            statements=migration.read_text().rstrip(),
        )
        for version, migration in enumerate(sorted(migrations, key=lambda it: it.name), 1)
    ]
    functions = (schema / "functions.sql").read_text()
    return before + "".join(steps) + functions + _AFTER.format(role=quoted)

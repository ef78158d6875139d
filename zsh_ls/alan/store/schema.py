"""The tables, the agreed names that other programs may query (ALAN-3), and migrations.

What is learnt of a pattern is one row of `pattern`; if it also counts runs from
elsewhere (terminals, imports), its twin in `own_pattern` leaves them out. What is
learnt of it in one project (ALAN-13) is a row of `project_pattern`, with a twin of the
same kind. `place` has the folders of projects and runs: they leave this file nowhere.
`line` has the lines that were run, for history; `test` the tests, the latest run lowest in the bits of
`recent` (1: failed), `healed` the number of the run that passed again unchanged.
`team_state`, `team_batch`, `team_sent` and `team_difference` are the sharing with a team (TEAM),
`team_figure` what the team knows.
`run` is the log; rows of before version 5 are of no place. `observations`,
`recent_commands`, `streaks` and `ssh_observations` are views of these. In a file that
the ancestor shares they are the ancestor's own tables, so that it can go on writing, and
triggers fill them (`ancestor.py`). To
change the schema, append to `MIGRATIONS`, and keep a file of the previous version
in `tests/alan/schemas`.
"""

from __future__ import annotations

import sqlite3

from zsh_ls.model.words import Origin, Outcome
from zsh_ls.shell.template.identity import RULES_VERSION

APPLICATION_ID = 0x5A4C5341
"""`ZLSA`, by which SQLite files of zsh-ls are recognized."""

# Rows store the index in these tuples: append, never reorder.
OUTCOMES = (Outcome.SUCCESS, Outcome.FAILURE, Outcome.TIMEOUT, Outcome.KILLED)
ORIGINS = (
    Origin.EDITOR,
    Origin.LENS,
    Origin.TRACE,
    Origin.AGENT,
    Origin.CLI,
    Origin.TERMINAL,
    Origin.IMPORT,
)
ELSEWHERE_CODES = ",".join(str(at) for at, origin in enumerate(ORIGINS) if origin.is_elsewhere)
KILLED_EXIT, TIMEOUT_EXIT = -9, 124
"""Exit statuses that are stored for runs that did not exit by themselves (ALAN-2)."""

TABLES_V1 = (
    """CREATE TABLE pattern(
        key INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        text TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        runs INTEGER NOT NULL, succeeded INTEGER NOT NULL,
        timed_out INTEGER NOT NULL, killed INTEGER NOT NULL,
        w_runs REAL NOT NULL, w_succeeded REAL NOT NULL,
        w_timed_out REAL NOT NULL, w_killed REAL NOT NULL,
        unjudged INTEGER NOT NULL,
        streak INTEGER NOT NULL,
        longest_success INTEGER NOT NULL, longest_failure INTEGER NOT NULL,
        total_ms INTEGER NOT NULL, samples INTEGER NOT NULL,
        ring BLOB NOT NULL,
        last_exit INTEGER)""",
    """CREATE TABLE run(
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        session INTEGER NOT NULL,
        template INTEGER NOT NULL,
        command INTEGER NOT NULL,
        outcome INTEGER,
        neutral INTEGER NOT NULL,
        exit INTEGER,
        duration_ms INTEGER,
        pipestatus TEXT,
        origin INTEGER NOT NULL,
        host TEXT,
        remote TEXT,
        preview TEXT)""",
    # Covers the queries for retries, similar commands and the latest runs.
    "CREATE INDEX run_template ON run(template, at_ms, session, command, outcome, neutral)",
    # For the templates that run most, without a scan of all patterns.
    "CREATE INDEX pattern_weight ON pattern(w_runs) WHERE kind = 1",
    """CREATE TABLE session_template(
        session INTEGER NOT NULL,
        template INTEGER NOT NULL,
        runs INTEGER NOT NULL, succeeded INTEGER NOT NULL, killed INTEGER NOT NULL,
        failures_in_row INTEGER NOT NULL,
        PRIMARY KEY(session, template)) WITHOUT ROWID""",
    "CREATE TABLE session(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL)",
    """CREATE TABLE ssh_pair(
        remote INTEGER NOT NULL, host INTEGER NOT NULL, at_ms INTEGER NOT NULL,
        PRIMARY KEY(remote, host)) WITHOUT ROWID""",
    """CREATE TABLE circuit(
        command INTEGER PRIMARY KEY,
        text TEXT NOT NULL,
        timeouts TEXT NOT NULL,
        opened_at REAL,
        trial_at REAL)""",
    "CREATE TABLE taken_in(key INTEGER PRIMARY KEY)",
    "CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT)",
    """CREATE TABLE IF NOT EXISTS manopt_cache(
        base_command TEXT PRIMARY KEY,
        options_text TEXT NOT NULL,
        created_at TEXT NOT NULL)""",
    "ALTER TABLE manopt_cache ADD COLUMN page_mtime REAL",
)

TABLES_V3 = (
    "CREATE TABLE ssh_remote(remote INTEGER PRIMARY KEY, hosts INTEGER NOT NULL)",
    "INSERT INTO ssh_remote SELECT remote, count(*) FROM ssh_pair GROUP BY remote",
    """CREATE TRIGGER ssh_pair_added AFTER INSERT ON ssh_pair BEGIN
        INSERT INTO ssh_remote VALUES(NEW.remote, 1) ON CONFLICT DO UPDATE SET hosts = hosts + 1;
        END""",
    """CREATE TRIGGER ssh_pair_removed AFTER DELETE ON ssh_pair BEGIN
        UPDATE ssh_remote SET hosts = hosts - 1 WHERE remote = OLD.remote;
        DELETE FROM ssh_remote WHERE remote = OLD.remote AND hosts <= 0; END""",
)


# `circuit` stays for servers of the version before that have the file open.
TABLES_V5 = (
    *(
        f"ALTER TABLE {table} ADD COLUMN {column} NOT NULL DEFAULT 0"
        for table in ("pattern", "own_pattern")
        for column in ("hiding INTEGER", "w_hiding REAL", "sound INTEGER")
    ),
    *(
        f"""CREATE TABLE {table}(
        key INTEGER PRIMARY KEY,
        project INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        text TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        runs INTEGER NOT NULL, succeeded INTEGER NOT NULL,
        timed_out INTEGER NOT NULL, killed INTEGER NOT NULL, hiding INTEGER NOT NULL,
        w_runs REAL NOT NULL, w_succeeded REAL NOT NULL,
        w_timed_out REAL NOT NULL, w_killed REAL NOT NULL, w_hiding REAL NOT NULL,
        unjudged INTEGER NOT NULL,
        streak INTEGER NOT NULL, sound INTEGER NOT NULL,
        longest_success INTEGER NOT NULL, longest_failure INTEGER NOT NULL,
        total_ms INTEGER NOT NULL, samples INTEGER NOT NULL,
        ring BLOB NOT NULL,
        last_exit INTEGER)"""
        for table in ("project_pattern", "own_project_pattern")
    ),
    "CREATE INDEX project_pattern_weight ON project_pattern(project, w_runs) WHERE kind = 1",
    "CREATE TABLE place(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE)",
    "ALTER TABLE run ADD COLUMN project INTEGER",
    "ALTER TABLE run ADD COLUMN folder INTEGER",
    "ALTER TABLE run ADD COLUMN hiding INTEGER NOT NULL DEFAULT 0",
    "DROP INDEX run_template",
    """CREATE INDEX run_template
        ON run(template, at_ms, session, command, outcome, neutral, project)""",
    "DROP INDEX run_session",
    """CREATE INDEX run_session
        ON run(session, at_ms, command, outcome, neutral, project, hiding)""",
    "CREATE INDEX run_project ON run(project, at_ms)",
    "CREATE INDEX run_folder ON run(folder)",
    """CREATE TABLE project_circuit(
        command INTEGER PRIMARY KEY,
        project INTEGER NOT NULL,
        text TEXT NOT NULL,
        timeouts TEXT NOT NULL,
        opened_at REAL,
        trial_at REAL)""",
)

TABLES_V6 = (
    """CREATE TABLE line(
        key INTEGER PRIMARY KEY,
        text TEXT NOT NULL,
        command INTEGER NOT NULL,
        project INTEGER,
        folder INTEGER,
        first_ms INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        outcome INTEGER,
        exit INTEGER,
        duration_ms INTEGER,
        origin INTEGER NOT NULL,
        runs INTEGER NOT NULL)""",
    "CREATE INDEX line_at ON line(at_ms)",
    "CREATE INDEX line_project ON line(project, at_ms)",
    "CREATE INDEX line_folder ON line(folder)",
    "CREATE INDEX line_command ON line(command)",
    # A preview that was cut is no line that could be run again. Equal lines are told apart no more
    # than the log did: who reads takes the newest.
    """INSERT OR IGNORE INTO line SELECT id, preview, command, project, folder, at_ms, at_ms, outcome,
        exit, duration_ms, origin, 1 FROM run
        WHERE preview IS NOT NULL AND length(preview) < 200""",
)


def _words(column: str, words: tuple[Outcome, ...] | tuple[Origin, ...]) -> str:
    cases = " ".join(f"WHEN {code} THEN '{word.value}'" for code, word in enumerate(words))
    return f"CASE {column} {cases} END"


OUTCOME_WORD = _words("run.outcome", OUTCOMES)
ORIGIN_WORD = _words("run.origin", ORIGINS)


def outcome_case(timed_out: str, exit_code: str) -> str:
    """SQL that derives a row's outcome from its other columns (ALAN-2)."""
    return (
        f"CASE WHEN {timed_out} THEN 'TIMEOUT' WHEN {exit_code} = 0 THEN 'SUCCESS'"
        " ELSE 'FAILURE' END"
    )


ISO_TIME = "strftime('%Y-%m-%dT%H:%M:%f', run.at_ms / 1000.0, 'unixepoch') || '+00:00'"
COMMAND_HASH = "command.text"

# The agreed names: column -> the SQL that reads it from a run.
VIEWS: dict[str, dict[str, str]] = {
    "observations": {
        "id": "'zsh-ls:' || run.id",
        "command_hash": COMMAND_HASH,
        "command_template": "nullif(template.text, '')",
        "command_preview": "run.preview",
        "exit_code": "run.exit",
        "duration_ms": "run.duration_ms",
        "timed_out": "run.outcome IS 2",
        "created_at": ISO_TIME,
        "outcome_type": OUTCOME_WORD,
        "kill_elapsed_ms": "CASE run.outcome WHEN 3 THEN run.duration_ms END",
        "pipestatus": "run.pipestatus",
        "session_id": "session.name",
        "origin": ORIGIN_WORD,
    },
    "recent_commands": {
        "id": "run.id",
        "session_id": "coalesce(session.name, '')",
        "command_hash": COMMAND_HASH,
        "command_template": "nullif(template.text, '')",
        "command_preview": "run.preview",
        "timestamp": "run.at_ms / 1000.0",
        "duration_ms": "run.duration_ms",
        "exit_code": "run.exit",
        "timed_out": "run.outcome IS 2",
        "success": "run.outcome IS 0",
        "outcome_type": OUTCOME_WORD,
        "origin": ORIGIN_WORD,
    },
    "ssh_observations": {
        "id": "'zsh-ls:' || run.id",
        "observation_id": "'zsh-ls:' || run.id",
        "host": "run.host",
        "remote_command": "CAST(NULL AS TEXT)",
        "remote_command_template": "run.remote",
        "exit_code": "run.exit",
        "exit_type": """CASE WHEN run.outcome NOT IN (0, 1) THEN 'unknown'
            WHEN run.exit = 0 THEN 'success' WHEN run.exit = 255 THEN 'connection_failed'
            WHEN run.exit BETWEEN 1 AND 254 THEN 'command_failed' ELSE 'unknown' END""",
        "duration_ms": "run.duration_ms",
        "timed_out": "run.outcome IS 2",
        "created_at": ISO_TIME,
    },
    "streaks": {
        "command_hash": COMMAND_HASH,
        "current_streak": "command.streak",
        "longest_success_streak": "command.longest_success",
        "longest_fail_streak": "command.longest_failure",
        "last_result": "command.streak > 0",
        "last_updated": "command.at_ms / 1000.0",
    },
    "segments": {
        "command_template": "segment.text",
        "runs": "segment.runs",
        "succeeded": "segment.succeeded",
        "last_exit": "segment.last_exit",
        "last_updated": "segment.at_ms / 1000.0",
    },
}
_RUN_JOINS = """FROM run
    LEFT JOIN pattern AS command ON command.key = run.command
    LEFT JOIN pattern AS template ON template.key = run.template
    LEFT JOIN session ON session.id = run.session"""
SOURCES = {
    "observations": _RUN_JOINS,
    "recent_commands": _RUN_JOINS,
    "ssh_observations": "FROM run WHERE run.host IS NOT NULL",
    "streaks": "FROM pattern AS command WHERE command.kind = 0 AND command.streak <> 0",
    "segments": "FROM pattern AS segment WHERE segment.kind = 3",
}


TABLES_V7 = (
    # `text` is a digest of the redacted line: a line that moved is known by it.
    """CREATE TABLE start_line(
        at_ms INTEGER NOT NULL,
        shell TEXT NOT NULL,
        file TEXT NOT NULL,
        line INTEGER NOT NULL,
        text TEXT NOT NULL,
        own_ms REAL NOT NULL)""",
    "CREATE INDEX start_line_shell ON start_line(shell, at_ms)",
)


def selection(name: str) -> str:
    """The SELECT statement of an agreed name's columns."""
    columns = ", ".join(f"{source} AS {column}" for column, source in VIEWS[name].items())
    return f"SELECT {columns} {SOURCES[name]}"


TABLES_V8 = (
    """CREATE TABLE test(
        key INTEGER PRIMARY KEY,
        project INTEGER NOT NULL,
        name TEXT NOT NULL,
        command INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        runs INTEGER NOT NULL,
        recent INTEGER NOT NULL,
        failed_at_ms INTEGER,
        healed INTEGER)""",
    "CREATE INDEX test_at ON test(at_ms)",
    "CREATE INDEX test_command ON test(command, project)",
)


TABLES_V9 = (
    "CREATE TABLE team_state(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    # A batch stays as it is until the server has it: at most one is on its way.
    """CREATE TABLE team_batch(
        name TEXT PRIMARY KEY,
        upto INTEGER NOT NULL,
        runs INTEGER NOT NULL,
        rows TEXT NOT NULL)""",
    # `outcome` is the index in OUTCOMES of what was counted, `code` -1 where no duration was.
    """CREATE TABLE team_sent(
        place INTEGER NOT NULL,
        command INTEGER NOT NULL,
        project TEXT NOT NULL,
        template TEXT NOT NULL,
        outcome INTEGER NOT NULL,
        code INTEGER NOT NULL,
        runs INTEGER NOT NULL,
        PRIMARY KEY(place, command, project, template, outcome, code)) WITHOUT ROWID""",
    "CREATE INDEX team_sent_command ON team_sent(command)",
    """CREATE TABLE team_difference(
        project TEXT NOT NULL,
        template TEXT NOT NULL,
        outcome INTEGER NOT NULL,
        code INTEGER NOT NULL,
        runs INTEGER NOT NULL,
        PRIMARY KEY(project, template, outcome, code)) WITHOUT ROWID""",
    """CREATE TABLE team_figure(
        project TEXT NOT NULL,
        template INTEGER NOT NULL,
        template_hash TEXT NOT NULL,
        agents INTEGER NOT NULL,
        succeeded INTEGER NOT NULL, failed INTEGER NOT NULL,
        timed_out INTEGER NOT NULL, killed INTEGER NOT NULL,
        durations TEXT NOT NULL,
        PRIMARY KEY(project, template)) WITHOUT ROWID""",
    "CREATE INDEX team_figure_hash ON team_figure(project, template_hash)",
)


def create_v1(connection: sqlite3.Connection) -> None:
    """Create the tables of version 1, and views for the agreed names that are not tables already."""
    for statement in TABLES_V1:
        connection.execute(statement)
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    for name in VIEWS:
        if name not in there:
            connection.execute(f"CREATE VIEW {name} AS {selection(name)}")


def create_v2(connection: sqlite3.Connection) -> None:
    """Add `own_pattern`; existing patterns get no twins, because their runs' origins are unknown."""
    (statement,) = connection.execute(
        "SELECT sql FROM sqlite_master WHERE name = 'pattern'"
    ).fetchone()
    connection.execute(statement.replace("TABLE pattern", "TABLE own_pattern", 1))


def create_v3(connection: sqlite3.Connection) -> None:
    """Add `ssh_remote`, the number of hosts of each remote command, kept by triggers: counting is slow."""
    for statement in TABLES_V3:
        connection.execute(statement)


def create_v4(connection: sqlite3.Connection) -> None:
    """Index a session's latest runs by hash: one hash may have several templates (`sh -c 'x'`)."""
    connection.execute("CREATE INDEX run_session ON run(session, at_ms, command, outcome, neutral)")


def create_v5(connection: sqlite3.Connection) -> None:
    """Add what is known by project; runs of before are of no project and count everywhere alone."""
    for statement in TABLES_V5:
        connection.execute(statement)


def create_v6(connection: sqlite3.Connection) -> None:
    """Add the lines that were run, for `zsh-ls history`, from what the log still has."""
    for statement in TABLES_V6:
        connection.execute(statement)


def create_v7(connection: sqlite3.Connection) -> None:
    """Add what the lines of start-up files took in each measured start of a shell."""
    for statement in TABLES_V7:
        connection.execute(statement)


def create_v8(connection: sqlite3.Connection) -> None:
    """Add the tests that ran, by project and name."""
    for statement in TABLES_V8:
        connection.execute(statement)


def create_v9(connection: sqlite3.Connection) -> None:
    """Add what a team is given, and what it told."""
    for statement in TABLES_V9:
        connection.execute(statement)


def create_v10(connection: sqlite3.Connection) -> None:
    """Index runs by command: before each run one command's are asked for, of a busy session's hundreds."""
    connection.execute("CREATE INDEX run_command ON run(command, at_ms, session, project)")


def create_v11(connection: sqlite3.Connection) -> None:
    """Count what Ctrl-C ended as cut short, in what older versions learnt too."""
    from .interrupted import censor_interrupted  # noqa: PLC0415

    censor_interrupted(connection)


MIGRATIONS = (
    create_v1,
    create_v2,
    create_v3,
    create_v4,
    create_v5,
    create_v6,
    create_v7,
    create_v8,
    create_v9,
    create_v10,
    create_v11,
)
"""`MIGRATIONS[n]` turns a file of version n into one of version n + 1."""
VERSION = len(MIGRATIONS)


def is_shared(connection: sqlite3.Connection) -> bool:
    """Whether the agreed names are the ancestor's tables."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = 'zsh_ls_observations'"
    return connection.execute(query).fetchone() is not None


def has_keys_of_these_rules(connection: sqlite3.Connection) -> bool:
    """Whether the file's keys were made by this version's rules; else `compat.renewal` has work to do."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'rules_version'").fetchone()
    return row is not None and row[0] == str(RULES_VERSION)


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the file to `VERSION`, within the caller's transaction.

    The file's `rules_version` is not changed: `compat.renewal` recomputes keys step by step.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for step in MIGRATIONS[version:]:
        step(connection)
    connection.execute(
        "INSERT OR IGNORE INTO meta VALUES('rules_version', ?)", (str(RULES_VERSION),)
    )
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={VERSION}")

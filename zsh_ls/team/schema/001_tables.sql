-- The tables. No row has a time finer than a day, and none has a name, a command or a folder.
CREATE TABLE zsh_ls.schema_version(
    version integer PRIMARY KEY,
    day date NOT NULL DEFAULT current_date);

-- One installation, or one pipeline of a CI: a random name, or a keyed hash of the pipeline's.
CREATE TABLE zsh_ls.agent(
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    upto bigint NOT NULL DEFAULT 0,
    day date NOT NULL DEFAULT current_date,
    runs_of_day integer NOT NULL DEFAULT 0,
    figures integer NOT NULL DEFAULT 0);

-- The batches that were taken in, so that none counts twice.
CREATE TABLE zsh_ls.batch(
    agent integer NOT NULL REFERENCES zsh_ls.agent ON DELETE CASCADE,
    upto bigint NOT NULL,
    id text NOT NULL,
    day date NOT NULL DEFAULT current_date,
    PRIMARY KEY(agent, upto),
    UNIQUE(agent, id));

-- What all agents gave of a template in a project, the sum of their rows in `contribution`. `codes` and
-- `counts` are the histogram: a code is three times the bucket of 1%, plus 0 for a run that ended well,
-- 1 for one that failed, 2 for one that was cut short. `changed` is the transaction that wrote it last.
CREATE TABLE zsh_ls.figure(
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    project bytea NOT NULL,
    template bytea NOT NULL,
    sealed text NOT NULL,
    succeeded bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    timed_out bigint NOT NULL DEFAULT 0,
    killed bigint NOT NULL DEFAULT 0,
    codes smallint[] NOT NULL DEFAULT '{}',
    counts bigint[] NOT NULL DEFAULT '{}',
    agents integer NOT NULL DEFAULT 0,
    shown boolean NOT NULL DEFAULT false,
    changed bigint NOT NULL,
    UNIQUE(project, template)) WITH (fillfactor = 70);
CREATE INDEX figure_changed ON zsh_ls.figure(changed, id) WHERE shown;

CREATE TABLE zsh_ls.contribution(
    figure bigint NOT NULL REFERENCES zsh_ls.figure,
    agent integer NOT NULL REFERENCES zsh_ls.agent,
    succeeded bigint NOT NULL,
    failed bigint NOT NULL,
    timed_out bigint NOT NULL,
    killed bigint NOT NULL,
    codes smallint[] NOT NULL,
    counts bigint[] NOT NULL,
    PRIMARY KEY(figure, agent)) WITH (fillfactor = 80);
CREATE INDEX contribution_agent ON zsh_ls.contribution(agent);

INSERT INTO zsh_ls.schema_version(version) VALUES(1);

-- zsh-ls: a team's memory, for PostgreSQL 15 or newer. Run it as the owner of the database:
--     zsh-ls team init | psql DATABASE
-- Running it again changes nothing. Agents' login roles are made by hand, in the group role "zsh_ls_agent":
--     CREATE ROLE me LOGIN PASSWORD '...' IN ROLE "zsh_ls_agent";
BEGIN;
SET LOCAL client_min_messages = warning;
DO $init$ BEGIN
    PERFORM pg_advisory_xact_lock(1514951507);
    IF current_setting('server_version_num')::integer < 150000 THEN
        RAISE EXCEPTION 'zsh-ls needs PostgreSQL 15 or newer, this is %', current_setting('server_version');
    END IF;
    IF to_regclass('zsh_ls.schema_version') IS NOT NULL THEN
        IF (SELECT max(version) FROM zsh_ls.schema_version) > 1 THEN
            RAISE EXCEPTION 'the schema zsh_ls is of version %, this zsh-ls knows 1: use a newer one',
                (SELECT max(version) FROM zsh_ls.schema_version);
        END IF;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'zsh_ls_agent') THEN
        CREATE ROLE "zsh_ls_agent" NOLOGIN;
    END IF;
END $init$;
CREATE SCHEMA IF NOT EXISTS zsh_ls;
REVOKE ALL ON SCHEMA zsh_ls FROM PUBLIC;
DO $init$ BEGIN
    IF to_regclass('zsh_ls.schema_version') IS NULL THEN
        EXECUTE $tables$
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
        $tables$;
    END IF;
END $init$;
-- The functions. An agent may call `push` and `pull` alone; they run with the rights of their owner and
-- set the search path; what only they call does not set it again.
CREATE OR REPLACE FUNCTION zsh_ls.refuse(reason text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'ZT001', MESSAGE = 'refused: ' || reason;
END $$;

CREATE OR REPLACE FUNCTION zsh_ls.check_version(request jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF coalesce(jsonb_typeof(request), '') <> 'object' THEN
        PERFORM zsh_ls.refuse('expected an object');
    END IF;
    IF coalesce(request->>'version', '') <> '1' THEN
        RAISE EXCEPTION USING ERRCODE = 'ZT002',
            MESSAGE = 'this database speaks version 1, not ' || coalesce(request->>'version', 'none');
    END IF;
END $$;

-- A whole number from 0 to `most`; what is missing is 0.
CREATE OR REPLACE FUNCTION zsh_ls.number_of(value jsonb, most bigint, what text) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF value IS NULL THEN
        RETURN 0;
    END IF;
    IF jsonb_typeof(value) <> 'number' OR value::text !~ '^[0-9]{1,18}$' OR value::text::bigint > most THEN
        PERFORM zsh_ls.refuse(what || ' is no number from 0 to ' || most);
    END IF;
    RETURN value::text::bigint;
END $$;

-- A histogram with another one added (`sign` 1) or taken out (-1); no count falls below 0.
CREATE OR REPLACE FUNCTION zsh_ls.merged(
    codes_a smallint[], counts_a bigint[], codes_b smallint[], counts_b bigint[], sign integer,
    OUT codes smallint[], OUT counts bigint[])
LANGUAGE plpgsql IMMUTABLE AS $$  -- in SQL it would be planned anew with each call
BEGIN
    IF cardinality(codes_a) = 0 AND sign > 0 THEN
        codes := codes_b; counts := counts_b;  -- sorted, with no count of 0
        RETURN;
    END IF;
    SELECT coalesce(array_agg(summed.code ORDER BY summed.code), '{}'),
        coalesce(array_agg(summed.n ORDER BY summed.code), '{}') INTO codes, counts
    FROM (SELECT code, sum(n)::bigint AS n FROM (
            SELECT unnest(codes_a) AS code, unnest(counts_a) AS n
            UNION ALL SELECT unnest(codes_b), unnest(counts_b) * sign) AS both_parts
        GROUP BY code HAVING sum(n) > 0) AS summed;
END $$;

-- The histogram of a row of a batch: {"ended": [[bucket, runs], ...], "failed": ..., "cut_short": ...}.
CREATE OR REPLACE FUNCTION zsh_ls.histogram_of(
    row_of_batch jsonb, OUT codes smallint[], OUT counts bigint[], OUT ended bigint, OUT cut_short bigint)
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    kind integer;
    name text;
    entries jsonb;
    are_right boolean;
    here smallint[];
    runs bigint[];
    total bigint;
BEGIN
    codes := '{}'; counts := '{}'; ended := 0; cut_short := 0;
    FOR kind, name IN VALUES (0, 'ended'), (1, 'failed'), (2, 'cut_short') LOOP
        entries := row_of_batch->'durations'->name;
        CONTINUE WHEN entries IS NULL;
        IF jsonb_typeof(entries) <> 'array' OR jsonb_array_length(entries) > 2200 THEN
            PERFORM zsh_ls.refuse('durations are no lists of [bucket, runs]');
        END IF;
        -- Looked at before anything is read as a number.
        SELECT coalesce(bool_and(CASE WHEN jsonb_typeof(it) <> 'array' THEN false
            ELSE jsonb_array_length(it) = 2
                AND jsonb_typeof(it->0) = 'number' AND it->>0 ~ '^[0-9]{1,4}$'
                AND jsonb_typeof(it->1) = 'number' AND it->>1 ~ '^[0-9]{1,5}$' END), true)
            INTO are_right FROM jsonb_array_elements(entries) AS it;
        IF NOT are_right THEN
            PERFORM zsh_ls.refuse('durations are no lists of [bucket, runs]');
        END IF;
        SELECT array_agg((3 * (it->>0)::integer + kind)::smallint), array_agg((it->>1)::bigint),
            coalesce(sum((it->>1)::bigint), 0), coalesce(bool_and((it->>0)::integer < 2200), true)
            INTO here, runs, total, are_right FROM jsonb_array_elements(entries) AS it;
        IF NOT are_right THEN
            PERFORM zsh_ls.refuse('a bucket is from 0 to 2199');
        END IF;
        codes := codes || here;
        counts := counts || runs;
        IF kind = 2 THEN cut_short := cut_short + total; ELSE ended := ended + total; END IF;
    END LOOP;
    SELECT it.codes, it.counts INTO codes, counts FROM zsh_ls.merged(
        codes, counts, '{}', '{}', -1) AS it;
END $$;

-- Add figures to what an agent gave of a template, or take them out, and to the sum of all agents.
CREATE OR REPLACE FUNCTION zsh_ls.apply(
    agent_id integer, figure_id bigint, more zsh_ls.contribution, sign integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    old zsh_ls.contribution;
    new zsh_ls.contribution;
    was_there boolean;
    is_there boolean;
    change integer;
    whole record;
BEGIN
    SELECT * INTO old FROM zsh_ls.contribution AS it WHERE it.figure = figure_id AND it.agent = agent_id;
    was_there := FOUND;
    IF NOT was_there THEN
        IF sign < 0 THEN
            RETURN;
        END IF;
        old := (figure_id, agent_id, 0, 0, 0, 0, '{}', '{}')::zsh_ls.contribution;
    END IF;
    new := old;
    new.succeeded := greatest(0, old.succeeded + sign * more.succeeded);
    new.failed := greatest(0, old.failed + sign * more.failed);
    new.timed_out := greatest(0, old.timed_out + sign * more.timed_out);
    new.killed := greatest(0, old.killed + sign * more.killed);
    SELECT it.codes, it.counts INTO new.codes, new.counts
        FROM zsh_ls.merged(old.codes, old.counts, more.codes, more.counts, sign) AS it;
    is_there := new.succeeded + new.failed + new.timed_out + new.killed > 0;
    IF NOT is_there THEN
        new.codes := '{}'; new.counts := '{}';
        DELETE FROM zsh_ls.contribution AS it WHERE it.figure = figure_id AND it.agent = agent_id;
    ELSE
        INSERT INTO zsh_ls.contribution VALUES (new.*)
        ON CONFLICT (figure, agent) DO UPDATE SET succeeded = excluded.succeeded, failed = excluded.failed,
            timed_out = excluded.timed_out, killed = excluded.killed, codes = excluded.codes,
            counts = excluded.counts;
    END IF;
    change := is_there::integer - was_there::integer;
    IF change <> 0 THEN
        UPDATE zsh_ls.agent AS it SET figures = it.figures + change WHERE it.id = agent_id;
    END IF;
    -- The row is locked by who calls this. What is taken out may be less than was asked for.
    SELECT f.codes, f.counts INTO whole FROM zsh_ls.figure AS f WHERE f.id = figure_id;
    IF sign > 0 THEN
        SELECT it.codes, it.counts INTO whole
            FROM zsh_ls.merged(whole.codes, whole.counts, more.codes, more.counts, 1) AS it;
    ELSE
        SELECT added.codes, added.counts INTO whole
            FROM zsh_ls.merged(whole.codes, whole.counts, old.codes, old.counts, -1) AS less,
                zsh_ls.merged(less.codes, less.counts, new.codes, new.counts, 1) AS added;
    END IF;
    UPDATE zsh_ls.figure AS it SET
        succeeded = it.succeeded + new.succeeded - old.succeeded,
        failed = it.failed + new.failed - old.failed,
        timed_out = it.timed_out + new.timed_out - old.timed_out,
        killed = it.killed + new.killed - old.killed,
        codes = whole.codes,
        counts = whole.counts,
        agents = it.agents + change,
        shown = it.shown OR it.agents + change >= 3,
        sealed = CASE WHEN it.agents + change = 0 THEN '' ELSE it.sealed END,
        changed = pg_current_xact_id()::text::bigint
    WHERE it.id = figure_id;
END $$;

-- Take out what an agent gave, so many figures at most; gives how many are left.
CREATE OR REPLACE FUNCTION zsh_ls.take_out(agent_id integer, most integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    given zsh_ls.contribution;
BEGIN
    -- In the order in which `push` locks them, so that the two wait for each other in no circle.
    PERFORM 1 FROM zsh_ls.figure AS f WHERE f.id IN
        (SELECT it.figure FROM zsh_ls.contribution AS it JOIN zsh_ls.figure AS g ON g.id = it.figure
            WHERE it.agent = agent_id ORDER BY g.project, g.template LIMIT most)
        ORDER BY f.project, f.template FOR UPDATE;
    FOR given IN SELECT it.* FROM zsh_ls.contribution AS it JOIN zsh_ls.figure AS g ON g.id = it.figure
            WHERE it.agent = agent_id ORDER BY g.project, g.template LIMIT most LOOP
        PERFORM zsh_ls.apply(agent_id, given.figure, given, -1);
    END LOOP;
    RETURN (SELECT count(*) FROM zsh_ls.contribution AS it WHERE it.agent = agent_id);
END $$;

-- Take in one row of a batch. Refuses what cannot be.
CREATE OR REPLACE FUNCTION zsh_ls.take_in(agent_id integer, given jsonb, sign integer) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    more zsh_ls.contribution;
    ended bigint;
    cut_short bigint;
    figure_id bigint;
    outcomes jsonb := given->'outcomes';
BEGIN
    IF coalesce(given->>'project', '') !~ '^[0-9a-f]{32}$'
            OR coalesce(given->>'template', '') !~ '^[0-9a-f]{32}$' THEN
        PERFORM zsh_ls.refuse('a row without its keys');
    END IF;
    IF sign > 0 AND (coalesce(given->>'sealed', '') !~ '^[A-Za-z0-9+/=]+$'
            OR length(given->>'sealed') > 2000) THEN
        PERFORM zsh_ls.refuse('a row whose text is not sealed');
    END IF;
    more.succeeded := zsh_ls.number_of(outcomes->'succeeded', 100000, 'a count of runs');
    more.failed := zsh_ls.number_of(outcomes->'failed', 100000, 'a count of runs');
    more.timed_out := zsh_ls.number_of(outcomes->'timed_out', 100000, 'a count of runs');
    more.killed := zsh_ls.number_of(outcomes->'killed', 100000, 'a count of runs');
    SELECT it.codes, it.counts, it.ended, it.cut_short INTO more.codes, more.counts, ended, cut_short
        FROM zsh_ls.histogram_of(given) AS it;
    IF more.succeeded + more.failed + more.timed_out + more.killed = 0 THEN
        PERFORM zsh_ls.refuse('a row of no runs');
    END IF;
    IF ended > more.succeeded + more.failed OR cut_short > more.timed_out + more.killed THEN
        PERFORM zsh_ls.refuse('more durations than runs');
    END IF;
    IF sign < 0 THEN
        SELECT it.id INTO figure_id FROM zsh_ls.figure AS it
            WHERE it.project = decode(given->>'project', 'hex')
                AND it.template = decode(given->>'template', 'hex') FOR UPDATE;
        IF FOUND THEN
            PERFORM zsh_ls.apply(agent_id, figure_id, more, -1);
        END IF;
        RETURN;
    END IF;
    INSERT INTO zsh_ls.figure(project, template, sealed, changed)
        VALUES (decode(given->>'project', 'hex'), decode(given->>'template', 'hex'), given->>'sealed',
            pg_current_xact_id()::text::bigint)
        ON CONFLICT (project, template) DO UPDATE SET sealed =
            CASE figure.sealed WHEN '' THEN excluded.sealed ELSE figure.sealed END
        RETURNING id INTO figure_id;
    PERFORM zsh_ls.apply(agent_id, figure_id, more, 1);
END $$;

CREATE OR REPLACE FUNCTION zsh_ls.push(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me zsh_ls.agent;
    wanted bigint;
    silent integer;
    given record;
    added bigint := 0;
    removed_all boolean := coalesce(request->'erase' = 'true', false);
BEGIN
    PERFORM zsh_ls.check_version(request);
    IF coalesce(request->>'agent', '') !~ '^[0-9a-f]{32}$' THEN
        PERFORM zsh_ls.refuse('no agent is named');
    END IF;
    IF removed_all THEN
        SELECT * INTO me FROM zsh_ls.agent AS it WHERE it.name = request->>'agent' FOR UPDATE;
        RETURN jsonb_build_object('schema', 1, 'upto', coalesce(me.upto, 0),
            'left', CASE WHEN me.id IS NULL THEN 0 ELSE zsh_ls.take_out(me.id, 200) END);
    END IF;
    wanted := zsh_ls.number_of(request->'upto', 1000000000000000, 'upto');
    IF coalesce(request->>'batch', '') !~ '^[0-9a-f]{16,32}$' OR wanted < 1
            OR jsonb_typeof(coalesce(request->'add', '[]')) <> 'array'
            OR jsonb_typeof(coalesce(request->'remove', '[]')) <> 'array' THEN
        PERFORM zsh_ls.refuse('a batch has a name, a number and rows');
    END IF;
    IF jsonb_array_length(coalesce(request->'add', '[]'))
            + jsonb_array_length(coalesce(request->'remove', '[]')) > 2000 THEN
        PERFORM zsh_ls.refuse('more than 2000 rows in a batch');
    END IF;
    INSERT INTO zsh_ls.agent(name) VALUES (request->>'agent') ON CONFLICT (name) DO NOTHING;
    SELECT * INTO me FROM zsh_ls.agent AS it WHERE it.name = request->>'agent' FOR UPDATE;
    IF EXISTS (SELECT 1 FROM zsh_ls.batch AS it WHERE it.agent = me.id AND it.id = request->>'batch') THEN
        RETURN jsonb_build_object('schema', 1, 'applied', true, 'repeated', true, 'upto', me.upto);
    END IF;
    IF wanted <= me.upto THEN
        RETURN jsonb_build_object('schema', 1, 'applied', false, 'upto', me.upto);
    END IF;
    -- Always in this order, so that two agents wait for each other in no circle.
    FOR given IN
        SELECT sign, value FROM (
            SELECT 1 AS sign, value FROM jsonb_array_elements(coalesce(request->'add', '[]'))
            UNION ALL SELECT -1, value FROM jsonb_array_elements(coalesce(request->'remove', '[]'))) AS rows
        ORDER BY value->>'project' COLLATE "C", value->>'template' COLLATE "C", sign DESC LOOP
        IF given.sign > 0 THEN
            added := added + (SELECT coalesce(sum(zsh_ls.number_of(it.value, 100000, 'a count of runs')), 0)
                FROM jsonb_each(CASE jsonb_typeof(given.value->'outcomes') WHEN 'object'
                    THEN given.value->'outcomes' ELSE '{}' END) AS it);
        END IF;
        PERFORM zsh_ls.take_in(me.id, given.value, given.sign);
    END LOOP;
    IF added > 5000 THEN
        PERFORM zsh_ls.refuse('more than 5000 runs in a batch');
    END IF;
    IF me.day = current_date AND me.runs_of_day + added > 500000 THEN
        PERFORM zsh_ls.refuse('more than 500000 runs of one agent in a day');
    END IF;
    IF (SELECT it.figures FROM zsh_ls.agent AS it WHERE it.id = me.id) > 50000 THEN
        PERFORM zsh_ls.refuse('more than 50000 templates of one agent');
    END IF;
    UPDATE zsh_ls.agent AS it SET upto = wanted, day = current_date,
        runs_of_day = added + CASE WHEN it.day = current_date THEN it.runs_of_day ELSE 0 END
        WHERE it.id = me.id;
    INSERT INTO zsh_ls.batch(agent, upto, id) VALUES (me.id, wanted, request->>'batch');
    -- An agent sends one batch after another: an older one is not sent again.
    DELETE FROM zsh_ls.batch AS it WHERE it.agent = me.id AND it.upto <= wanted - 1000;
    RETURN jsonb_build_object('schema', 1, 'applied', true, 'upto', wanted);
END $$;

-- What changed since `since`, of figures that three agents gave to; `gone` where they no longer do.
-- Rows of transactions that may still be open are left for the next time.
CREATE OR REPLACE FUNCTION zsh_ls.pull(request jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    most integer;
    since_changed bigint;
    since_id bigint;
    ended_before bigint := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
    found jsonb;
    n integer;
    last_changed bigint;
    last_id bigint;
BEGIN
    PERFORM zsh_ls.check_version(request);
    most := zsh_ls.number_of(request->'limit', 1000, 'limit');
    since_changed := zsh_ls.number_of(request->'since'->0, 1000000000000000000, 'since');
    since_id := zsh_ls.number_of(request->'since'->1, 1000000000000000000, 'since');
    IF since_changed > ended_before THEN  -- this database was restored from a backup
        since_changed := 0; since_id := 0;
    END IF;
    SELECT coalesce(jsonb_agg(CASE WHEN it.agents < 3
            THEN jsonb_build_object('project', encode(it.project, 'hex'),
                'template', encode(it.template, 'hex'), 'gone', true)
            ELSE jsonb_build_object('project', encode(it.project, 'hex'),
                'template', encode(it.template, 'hex'), 'sealed', it.sealed, 'agents', it.agents,
                'succeeded', it.succeeded, 'failed', it.failed, 'timed_out', it.timed_out,
                'killed', it.killed, 'codes', to_jsonb(it.codes), 'counts', to_jsonb(it.counts)) END
            ORDER BY it.changed, it.id), '[]'),
        count(*), max(it.changed), max(it.id) FILTER (WHERE it.changed = it.newest)
        INTO found, n, last_changed, last_id
    FROM (SELECT page.*, max(page.changed) OVER () AS newest FROM (
            SELECT * FROM zsh_ls.figure AS f WHERE f.shown
                AND (f.changed, f.id) > (since_changed, since_id) AND f.changed < ended_before
            ORDER BY f.changed, f.id LIMIT most) AS page) AS it;
    RETURN jsonb_build_object('schema', 1, 'rows', found, 'more', n > 0 AND n = most,
        'next', CASE WHEN n > 0 AND n = most THEN jsonb_build_array(last_changed, last_id)
            WHEN most = 0 THEN jsonb_build_array(since_changed, since_id)
            ELSE jsonb_build_array(ended_before, 0) END,
        'agents', (SELECT count(*) FROM zsh_ls.agent AS it WHERE it.figures > 0));
END $$;
REVOKE ALL ON ALL TABLES IN SCHEMA zsh_ls FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA zsh_ls FROM PUBLIC;
GRANT USAGE ON SCHEMA zsh_ls TO "zsh_ls_agent";
GRANT EXECUTE ON FUNCTION zsh_ls.push(jsonb), zsh_ls.pull(jsonb) TO "zsh_ls_agent";
COMMIT;

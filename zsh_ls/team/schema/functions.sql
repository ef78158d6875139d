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

-- Whether this is a count of runs, from 0 to 100000; what is missing is 0.
CREATE OR REPLACE FUNCTION zsh_ls.is_count(value jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT value IS NULL OR (jsonb_typeof(value) = 'number' AND value::text ~ '^([0-9]{1,5}|100000)$')
$$;

-- Whether this is a list of [bucket, runs], of buckets from 0 to 2199. The text of jsonb has one form.
CREATE OR REPLACE FUNCTION zsh_ls.is_histogram(entries jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT entries IS NULL OR (length(entries::text) < 40000 AND entries::text ~
        '^\[(\[([0-9]{1,3}|1[0-9]{3}|2[01][0-9]{2}), [0-9]{1,5}\](, )?)*\]$')
$$;

-- A histogram with another one added (`sign` 1) or taken out (-1); no count falls below 0. Codes ascend.
CREATE OR REPLACE FUNCTION zsh_ls.merged(
    codes_a smallint[], counts_a bigint[], codes_b smallint[], counts_b bigint[], sign integer,
    OUT codes smallint[], OUT counts bigint[])
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    place integer;
BEGIN
    IF sign > 0 AND cardinality(codes_a) = 0 THEN
        codes := codes_b; counts := counts_b;
        RETURN;
    END IF;
    -- A few codes are put into many one by one, which takes a tenth of the time of summing all anew.
    IF sign > 0 AND cardinality(codes_b) < 8 + cardinality(codes_a) / 8 THEN
        codes := codes_a; counts := counts_a;
        FOR at IN 1..cardinality(codes_b) LOOP
            place := width_bucket(codes_b[at], codes);
            IF place > 0 AND codes[place] = codes_b[at] THEN
                counts[place] := counts[place] + counts_b[at];
            ELSE
                codes := codes[:place] || codes_b[at] || codes[place + 1:];
                counts := counts[:place] || counts_b[at] || counts[place + 1:];
            END IF;
        END LOOP;
        RETURN;
    END IF;
    SELECT coalesce(array_agg(summed.code ORDER BY summed.code), '{}'),
        coalesce(array_agg(summed.n ORDER BY summed.code), '{}') INTO codes, counts
    FROM (SELECT code, sum(n)::bigint AS n FROM (
            SELECT unnest(codes_a) AS code, unnest(counts_a) AS n
            UNION ALL SELECT unnest(codes_b), unnest(counts_b) * sign) AS both_parts
        GROUP BY code HAVING sum(n) > 0) AS summed;
END $$;

-- Refuse rows of a batch that cannot be read; those that are added have a sealed text.
CREATE OR REPLACE FUNCTION zsh_ls.check_rows(part jsonb, are_added boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    problem text;
BEGIN
    SELECT found.problem INTO problem FROM (SELECT CASE
        WHEN coalesce(given->>'project', '') !~ '^[0-9a-f]{32}$'
            OR coalesce(given->>'template', '') !~ '^[0-9a-f]{32}$' THEN 'a row without its keys'
        WHEN are_added AND (coalesce(given->>'sealed', '') !~ '^[A-Za-z0-9+/=]+$'
            OR length(given->>'sealed') > 2000) THEN 'a row whose text is not sealed'
        WHEN NOT (zsh_ls.is_count(given->'outcomes'->'succeeded')
            AND zsh_ls.is_count(given->'outcomes'->'failed')
            AND zsh_ls.is_count(given->'outcomes'->'timed_out')
            AND zsh_ls.is_count(given->'outcomes'->'killed'))
            THEN 'a count of runs is no number from 0 to 100000'
        WHEN NOT (zsh_ls.is_histogram(given->'durations'->'ended')
            AND zsh_ls.is_histogram(given->'durations'->'failed')
            AND zsh_ls.is_histogram(given->'durations'->'cut_short'))
            THEN 'durations are no lists of [bucket, runs], of buckets from 0 to 2199'
        END AS problem FROM jsonb_array_elements(part) AS it(given)) AS found
    WHERE found.problem IS NOT NULL LIMIT 1;
    IF problem IS NOT NULL THEN
        PERFORM zsh_ls.refuse(problem);
    END IF;
END $$;

-- The rows of a batch that `check_rows` let pass, one for each figure; refuses what cannot be.
CREATE OR REPLACE FUNCTION zsh_ls.contributions_of(agent_id integer, part jsonb)
RETURNS zsh_ls.contribution[]
LANGUAGE plpgsql AS $$
DECLARE
    made zsh_ls.contribution[];
    are_empty boolean;
    are_too_many boolean;
BEGIN
    WITH given AS MATERIALIZED (
        SELECT decode(value->>'project', 'hex') AS project, decode(value->>'template', 'hex') AS template,
            value->'outcomes' AS outcomes, value->'durations' AS durations
        FROM jsonb_array_elements(part)),
    outcomes AS (
        SELECT it.project, it.template,
            coalesce(sum((it.outcomes->'succeeded')::bigint), 0)::bigint AS succeeded,
            coalesce(sum((it.outcomes->'failed')::bigint), 0)::bigint AS failed,
            coalesce(sum((it.outcomes->'timed_out')::bigint), 0)::bigint AS timed_out,
            coalesce(sum((it.outcomes->'killed')::bigint), 0)::bigint AS killed
        FROM given AS it GROUP BY 1, 2),
    codes AS (
        SELECT it.project, it.template, (3 * (entry->0)::integer + kind.code)::smallint AS code,
            sum((entry->1)::bigint)::bigint AS n
        FROM given AS it, (VALUES (0, 'ended'), (1, 'failed'), (2, 'cut_short')) AS kind(code, name),
            jsonb_array_elements(it.durations->kind.name) AS entry
        GROUP BY 1, 2, 3 HAVING sum((entry->1)::bigint) > 0),
    durations AS (
        SELECT it.project, it.template, array_agg(it.code ORDER BY it.code) AS codes,
            array_agg(it.n ORDER BY it.code) AS counts,
            coalesce(sum(it.n) FILTER (WHERE it.code % 3 < 2), 0) AS ended,
            coalesce(sum(it.n) FILTER (WHERE it.code % 3 = 2), 0) AS cut_short
        FROM codes AS it GROUP BY 1, 2)
    SELECT array_agg((f.id, agent_id, o.succeeded, o.failed, o.timed_out, o.killed,
            coalesce(d.codes, '{}'), coalesce(d.counts, '{}'))::zsh_ls.contribution),
        bool_or(o.succeeded + o.failed + o.timed_out + o.killed = 0),
        bool_or(coalesce(d.ended > o.succeeded + o.failed OR d.cut_short > o.timed_out + o.killed, false))
        INTO made, are_empty, are_too_many
    FROM outcomes AS o LEFT JOIN durations AS d USING (project, template)
        JOIN zsh_ls.figure AS f USING (project, template);
    IF are_empty THEN
        PERFORM zsh_ls.refuse('a row of no runs');
    END IF;
    IF are_too_many THEN
        PERFORM zsh_ls.refuse('more durations than runs');
    END IF;
    RETURN coalesce(made, '{}');
END $$;

-- Add to what an agent gave (`sign` 1) or take out of it (-1), one row a figure, and the same to the sums
-- of all agents. Who calls this has locked the figures. No more is taken out than was given.
CREATE OR REPLACE FUNCTION zsh_ls.apply(agent_id integer, rows zsh_ls.contribution[], sign integer)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    WITH old AS MATERIALIZED (
        SELECT more.figure, it.agent IS NOT NULL AS was_there,
            coalesce(it.succeeded, 0) AS succeeded, coalesce(it.failed, 0) AS failed,
            coalesce(it.timed_out, 0) AS timed_out, coalesce(it.killed, 0) AS killed,
            coalesce(it.codes, '{}') AS codes, coalesce(it.counts, '{}') AS counts, more
        FROM unnest(rows) AS more
            LEFT JOIN zsh_ls.contribution AS it ON it.figure = more.figure AND it.agent = agent_id
        WHERE sign > 0 OR it.agent IS NOT NULL),
    numbers AS MATERIALIZED (
        SELECT old.figure,
            greatest(0, old.succeeded + sign * (old.more).succeeded) AS succeeded,
            greatest(0, old.failed + sign * (old.more).failed) AS failed,
            greatest(0, old.timed_out + sign * (old.more).timed_out) AS timed_out,
            greatest(0, old.killed + sign * (old.more).killed) AS killed
        FROM old),
    new AS MATERIALIZED (
        SELECT numbers.*, is_there, is_there::integer - old.was_there::integer AS change,
            CASE WHEN is_there THEN both_of.codes ELSE '{}' END AS codes,
            CASE WHEN is_there THEN both_of.counts ELSE '{}' END AS counts
        FROM numbers JOIN old USING (figure), LATERAL (SELECT numbers.succeeded + numbers.failed
                + numbers.timed_out + numbers.killed > 0 AS is_there) AS it,
            zsh_ls.merged(old.codes, old.counts, (old.more).codes, (old.more).counts, sign) AS both_of),
    -- By what the histograms of all agents change.
    difference AS MATERIALIZED (
        SELECT old.figure, it.codes, it.counts FROM old JOIN new USING (figure), LATERAL (
            SELECT (old.more).codes, (old.more).counts WHERE sign > 0
            UNION ALL SELECT taken.codes, taken.counts
                FROM zsh_ls.merged(old.codes, old.counts, new.codes, new.counts, -1) AS taken
                WHERE sign < 0) AS it),
    whole AS MATERIALIZED (
        SELECT f.id, it.codes, it.counts FROM difference AS d JOIN zsh_ls.figure AS f ON f.id = d.figure,
            zsh_ls.merged(f.codes, f.counts, d.codes, d.counts, sign) AS it),
    emptied AS (
        DELETE FROM zsh_ls.contribution AS it USING new
        WHERE it.figure = new.figure AND it.agent = agent_id AND NOT new.is_there),
    written AS (
        INSERT INTO zsh_ls.contribution SELECT new.figure, agent_id, new.succeeded, new.failed,
            new.timed_out, new.killed, new.codes, new.counts FROM new WHERE new.is_there
        ON CONFLICT (figure, agent) DO UPDATE SET succeeded = excluded.succeeded, failed = excluded.failed,
            timed_out = excluded.timed_out, killed = excluded.killed, codes = excluded.codes,
            counts = excluded.counts),
    counted AS (
        UPDATE zsh_ls.agent AS it SET figures = it.figures + (SELECT sum(new.change) FROM new)
        WHERE it.id = agent_id AND EXISTS (SELECT 1 FROM new WHERE new.change <> 0))
    UPDATE zsh_ls.figure AS it SET
        succeeded = it.succeeded + new.succeeded - old.succeeded,
        failed = it.failed + new.failed - old.failed,
        timed_out = it.timed_out + new.timed_out - old.timed_out,
        killed = it.killed + new.killed - old.killed,
        codes = whole.codes,
        counts = whole.counts,
        agents = it.agents + new.change,
        shown = it.shown OR it.agents + new.change >= 3,
        sealed = CASE WHEN it.agents + new.change = 0 THEN '' ELSE it.sealed END,
        changed = pg_current_xact_id()::text::bigint
    FROM old JOIN new USING (figure) JOIN whole ON whole.id = figure
    WHERE it.id = whole.id;
END $$;

-- Take out what an agent gave, so many figures at most; gives how many are left.
CREATE OR REPLACE FUNCTION zsh_ls.take_out(agent_id integer, most integer) RETURNS bigint
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    given zsh_ls.contribution[];
BEGIN
    -- In the order in which `push` locks them, so that the two wait for each other in no circle.
    PERFORM 1 FROM zsh_ls.figure AS f WHERE f.id IN
        (SELECT it.figure FROM zsh_ls.contribution AS it JOIN zsh_ls.figure AS g ON g.id = it.figure
            WHERE it.agent = agent_id ORDER BY g.project, g.template LIMIT most)
        ORDER BY f.project, f.template FOR UPDATE;
    SELECT array_agg(page.given) INTO given FROM (
        SELECT it AS given FROM zsh_ls.contribution AS it JOIN zsh_ls.figure AS g ON g.id = it.figure
        WHERE it.agent = agent_id ORDER BY g.project, g.template LIMIT most) AS page;
    PERFORM zsh_ls.apply(agent_id, coalesce(given, '{}'), -1);
    RETURN (SELECT count(*) FROM zsh_ls.contribution AS it WHERE it.agent = agent_id);
END $$;

CREATE OR REPLACE FUNCTION zsh_ls.push(request jsonb) RETURNS jsonb
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    me zsh_ls.agent;
    wanted bigint;
    add jsonb := coalesce(request->'add', '[]');
    remove jsonb := coalesce(request->'remove', '[]');
    more zsh_ls.contribution[];
    added bigint;
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
            OR jsonb_typeof(add) <> 'array' OR jsonb_typeof(remove) <> 'array' THEN
        PERFORM zsh_ls.refuse('a batch has a name, a number and rows');
    END IF;
    IF jsonb_array_length(add) + jsonb_array_length(remove) > 2000 THEN
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
    PERFORM zsh_ls.check_rows(add, true);
    PERFORM zsh_ls.check_rows(remove, false);
    -- New figures first, then the locks of all, each in one order: so agents wait for each other in no
    -- circle, for no figure is new to two of them.
    INSERT INTO zsh_ls.figure(project, template, sealed, changed)
        SELECT DISTINCT ON (1, 2) decode(value->>'project', 'hex'), decode(value->>'template', 'hex'),
            value->>'sealed', pg_current_xact_id()::text::bigint
        FROM jsonb_array_elements(add) AS it WHERE NOT EXISTS (SELECT 1 FROM zsh_ls.figure AS f
            WHERE f.project = decode(value->>'project', 'hex')
                AND f.template = decode(value->>'template', 'hex'))
        ORDER BY 1, 2 ON CONFLICT (project, template) DO NOTHING;
    PERFORM 1 FROM zsh_ls.figure AS f WHERE (f.project, f.template) IN
        (SELECT decode(value->>'project', 'hex'), decode(value->>'template', 'hex')
            FROM jsonb_array_elements(add || remove))
        ORDER BY f.project, f.template FOR UPDATE;
    UPDATE zsh_ls.figure AS f SET sealed = value->>'sealed' FROM jsonb_array_elements(add)
        WHERE f.project = decode(value->>'project', 'hex')
            AND f.template = decode(value->>'template', 'hex') AND f.sealed = '';
    more := zsh_ls.contributions_of(me.id, add);
    SELECT coalesce(sum(it.succeeded + it.failed + it.timed_out + it.killed), 0) INTO added
        FROM unnest(more) AS it;
    IF added > 5000 THEN
        PERFORM zsh_ls.refuse('more than 5000 runs in a batch');
    END IF;
    IF me.day = current_date AND me.runs_of_day + added > 500000 THEN
        PERFORM zsh_ls.refuse('more than 500000 runs of one agent in a day');
    END IF;
    PERFORM zsh_ls.apply(me.id, more, 1);
    IF jsonb_array_length(remove) > 0 THEN
        PERFORM zsh_ls.apply(me.id, zsh_ls.contributions_of(me.id, remove), -1);
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

-- What changed since `since`, of figures that three agents gave to; `gone` where they no longer do. With
-- `projects`, a list of keys, only theirs. Rows of transactions that may still be open are left for the
-- next time. Planned with each call: a first pull goes by the project, a later one by what changed.
CREATE OR REPLACE FUNCTION zsh_ls.pull(request jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
    most integer;
    since_changed bigint;
    since_id bigint;
    asked jsonb := request->'projects';
    wanted bytea[];
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
    IF asked IS NOT NULL THEN
        IF asked::text !~ '^\[("[0-9a-f]{32}"(, )?)*\]$' OR length(asked::text) > 36 * 1000 THEN
            PERFORM zsh_ls.refuse('the projects of a pull are a list of at most 1000 keys');
        END IF;
        wanted := ARRAY(SELECT decode(it, 'hex') FROM jsonb_array_elements_text(asked) AS it);
    END IF;
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
            SELECT * FROM zsh_ls.figure AS f WHERE f.shown AND (wanted IS NULL OR f.project = ANY (wanted))
                AND (f.changed, f.id) > (since_changed, since_id) AND f.changed < ended_before
            ORDER BY f.changed, f.id LIMIT most) AS page) AS it;
    RETURN jsonb_build_object('schema', 1, 'rows', found, 'more', n > 0 AND n = most,
        'next', CASE WHEN n > 0 AND n = most THEN jsonb_build_array(last_changed, last_id)
            WHEN most = 0 THEN jsonb_build_array(since_changed, since_id)
            ELSE jsonb_build_array(ended_before, 0) END,
        'agents', (SELECT count(*) FROM zsh_ls.agent AS it WHERE it.figures > 0));
END $$;

-- Version 4, as the program of that version wrote it.
PRAGMA application_id=1514951489;
PRAGMA user_version=4;
BEGIN TRANSACTION;
CREATE TABLE circuit(
        command INTEGER PRIMARY KEY,
        text TEXT NOT NULL,
        timeouts TEXT NOT NULL,
        opened_at REAL,
        trial_at REAL);
INSERT INTO "circuit" VALUES(3400446565892542823,'sleep 999','[1790000133.4]',NULL,NULL);
CREATE TABLE manopt_cache(
        base_command TEXT PRIMARY KEY,
        options_text TEXT NOT NULL,
        created_at TEXT NOT NULL, page_mtime REAL);
INSERT INTO "manopt_cache" VALUES('grep','-i','2026-09-21T14:15:33.400000+00:00',7.0);
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);
INSERT INTO "meta" VALUES('rules_version','3');
CREATE TABLE own_pattern(
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
        last_exit INTEGER);
INSERT INTO "own_pattern" VALUES(404773933804082204,1,'make',1790000013400,1,1,0,0,1.0,1.0,0.0,0.0,0,1,1,0,5000,1,X'10270000',0);
INSERT INTO "own_pattern" VALUES(2345775399608627024,2,'make',1790000013400,1,1,0,0,1.0,1.0,0.0,0.0,0,1,1,0,5000,1,X'10270000',0);
INSERT INTO "own_pattern" VALUES(7518879861507846598,0,'d05aa2a15fb3c40e',1790000013400,1,1,0,0,1.0,1.0,0.0,0.0,0,1,1,0,5000,1,X'10270000',0);
CREATE TABLE pattern(
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
        last_exit INTEGER);
INSERT INTO "pattern" VALUES(286710389575654597,2,'ssh',1790000005400,3,1,0,0,2.9999975932405655854e+00,9.99999197746640589024e-01,0.0,0.0,0,-1,1,1,300,3,X'C8000000C8000000C8000000',1);
INSERT INTO "pattern" VALUES(404773933804082204,1,'make',1790000013400,2,2,0,0,1.99995988812044278581e+00,1.99995988812044278581e+00,0.0,0.0,0,2,2,0,8000,2,X'7017000010270000',0);
INSERT INTO "pattern" VALUES(493923911160316155,2,'cat | grep',1790000005100,1,0,0,0,1.0,0.0,0.0,0.0,0,0,0,0,100,1,X'C8000000',1);
INSERT INTO "pattern" VALUES(1362532147629139536,5,'uptime',1790000005400,2,1,0,0,1.99999919774664070004e+00,9.99999197746640589024e-01,0.0,0.0,0,-1,1,1,200,2,X'C8000000C8000000',1);
INSERT INTO "pattern" VALUES(2345775399608627024,2,'make',1790000013400,2,2,0,0,1.99995988812044278581e+00,1.99995988812044278581e+00,0.0,0.0,0,2,2,0,8000,2,X'7017000010270000',0);
INSERT INTO "pattern" VALUES(2345979651746843501,1,'ssh * uptime',1790000005400,3,1,0,0,2.9999975932405655854e+00,9.99999197746640589024e-01,0.0,0.0,0,-1,1,1,300,3,X'C8000000C8000000C8000000',1);
INSERT INTO "pattern" VALUES(3400446565892542823,0,'a133492115c687fa',1790000133400,1,0,1,0,1.0,0.0,1.0,0.0,0,-1,0,1,0,0,X'81A90300',124);
INSERT INTO "pattern" VALUES(3486248089676639950,4,'web',1790000005300,2,1,0,0,1.99999919774664070004e+00,1.0,0.0,0.0,0,1,1,1,200,2,X'C8000000C8000000',0);
INSERT INTO "pattern" VALUES(4106413573746050693,2,'sleep',1790000133400,1,0,1,0,1.0,0.0,1.0,0.0,0,-1,0,1,0,0,X'81A90300',124);
INSERT INTO "pattern" VALUES(4583647961258370084,0,'8e8b40e1b1c2dd28',1790000005300,1,1,0,0,1.0,1.0,0.0,0.0,0,1,1,0,100,1,X'C8000000',0);
INSERT INTO "pattern" VALUES(5473236257232371689,3,'grep *',1790000005100,1,0,0,0,1.0,0.0,0.0,0.0,0,0,0,0,0,0,X'',1);
INSERT INTO "pattern" VALUES(5746975224765377563,0,'1eabdee7fb8265ba',1790000005000,3,2,0,1,2.99996791017455510797e+00,1.99996791017455488592e+00,0.0,1.0,0,-1,2,1,4000,2,X'A00F0000A00F0000D1070000',-9);
INSERT INTO "pattern" VALUES(5955906106591754695,4,'db',1790000005400,1,1,0,0,1.0,1.0,0.0,0.0,0,1,1,0,100,1,X'C8000000',1);
INSERT INTO "pattern" VALUES(6026219722047075749,0,'62cb624e0da78341',1790000005100,1,0,0,0,1.0,0.0,0.0,0.0,0,0,0,0,100,1,X'C8000000',1);
INSERT INTO "pattern" VALUES(6717447149829179114,1,'git push origin *',1790000005000,3,2,0,1,2.99996791017455510797e+00,1.99996791017455488592e+00,0.0,1.0,0,-1,2,1,4000,2,X'A00F0000A00F0000D1070000',-9);
INSERT INTO "pattern" VALUES(7518879861507846598,0,'d05aa2a15fb3c40e',1790000013400,2,2,0,0,1.99995988812044278581e+00,1.99995988812044278581e+00,0.0,0.0,0,2,2,0,8000,2,X'7017000010270000',0);
INSERT INTO "pattern" VALUES(7564226297957293880,2,'git push',1790000005000,3,2,0,1,2.99996791017455510797e+00,1.99996791017455488592e+00,0.0,1.0,0,-1,2,1,4000,2,X'A00F0000A00F0000D1070000',-9);
INSERT INTO "pattern" VALUES(7604559216728188449,0,'37dda331938d7e47',1790000005200,1,0,0,0,1.0,0.0,0.0,0.0,0,-1,0,1,100,1,X'C8000000',255);
INSERT INTO "pattern" VALUES(8030119302240085264,1,'cat * | grep *',1790000005100,1,0,0,0,1.0,0.0,0.0,0.0,0,0,0,0,100,1,X'C8000000',1);
INSERT INTO "pattern" VALUES(8492789510179724463,1,'sleep *',1790000133400,1,0,1,0,1.0,0.0,1.0,0.0,0,-1,0,1,0,0,X'81A90300',124);
INSERT INTO "pattern" VALUES(8665883097853179549,3,'cat *',1790000005100,1,1,0,0,1.0,1.0,0.0,0.0,0,1,1,0,0,0,X'',0);
INSERT INTO "pattern" VALUES(9057946370424565040,0,'148bc3dd4d3773ce',1790000005400,1,0,0,0,1.0,0.0,0.0,0.0,0,-1,0,1,100,1,X'C8000000',1);
CREATE TABLE run(
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
        preview TEXT);
INSERT INTO "run" VALUES(1,1790000002000,1,6717447149829179114,5746975224765377563,0,0,0,2000,'0',0,NULL,NULL,'git push origin a');
INSERT INTO "run" VALUES(2,1790000004000,1,6717447149829179114,5746975224765377563,0,0,0,2000,'0',0,NULL,NULL,'git push origin a');
INSERT INTO "run" VALUES(3,1790000005000,1,6717447149829179114,5746975224765377563,3,0,-9,1000,NULL,0,NULL,NULL,'git push origin a');
INSERT INTO "run" VALUES(4,1790000005100,1,8030119302240085264,6026219722047075749,1,1,1,100,'0 1',0,NULL,NULL,'cat f | grep x');
INSERT INTO "run" VALUES(5,1790000005200,1,2345979651746843501,7604559216728188449,1,0,255,100,'255',0,'web','uptime','ssh me@web uptime');
INSERT INTO "run" VALUES(6,1790000005300,1,2345979651746843501,4583647961258370084,0,0,0,100,'0',0,'web','uptime','ssh web uptime');
INSERT INTO "run" VALUES(7,1790000005400,1,2345979651746843501,9057946370424565040,1,0,1,100,'1',0,'db','uptime','ssh db uptime');
INSERT INTO "run" VALUES(8,1790000008400,1,404773933804082204,7518879861507846598,0,0,0,3000,'0',5,NULL,NULL,'make');
INSERT INTO "run" VALUES(9,1790000013400,1,404773933804082204,7518879861507846598,0,0,0,5000,'0',0,NULL,NULL,'make');
INSERT INTO "run" VALUES(10,1790000133400,1,8492789510179724463,3400446565892542823,2,0,124,120000,NULL,0,NULL,NULL,'sleep 999');
CREATE TABLE session(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, at_ms INTEGER NOT NULL);
INSERT INTO "session" VALUES(1,'s1',1790000002000);
CREATE TABLE session_template(
        session INTEGER NOT NULL,
        template INTEGER NOT NULL,
        runs INTEGER NOT NULL, succeeded INTEGER NOT NULL, killed INTEGER NOT NULL,
        failures_in_row INTEGER NOT NULL,
        PRIMARY KEY(session, template)) WITHOUT ROWID;
INSERT INTO "session_template" VALUES(1,404773933804082204,2,2,0,0);
INSERT INTO "session_template" VALUES(1,2345979651746843501,3,1,0,1);
INSERT INTO "session_template" VALUES(1,6717447149829179114,3,2,1,0);
INSERT INTO "session_template" VALUES(1,8030119302240085264,1,0,0,0);
INSERT INTO "session_template" VALUES(1,8492789510179724463,1,0,0,0);
CREATE TABLE ssh_pair(
        remote INTEGER NOT NULL, host INTEGER NOT NULL, at_ms INTEGER NOT NULL,
        PRIMARY KEY(remote, host)) WITHOUT ROWID;
INSERT INTO "ssh_pair" VALUES(1362532147629139536,3486248089676639950,1790000005300);
INSERT INTO "ssh_pair" VALUES(1362532147629139536,5955906106591754695,1790000005400);
CREATE TABLE ssh_remote(remote INTEGER PRIMARY KEY, hosts INTEGER NOT NULL);
INSERT INTO "ssh_remote" VALUES(1362532147629139536,2);
CREATE TABLE taken_in(key INTEGER PRIMARY KEY);
CREATE INDEX run_template ON run(template, at_ms, session, command, outcome, neutral);
CREATE INDEX pattern_weight ON pattern(w_runs) WHERE kind = 1;
CREATE VIEW observations AS SELECT 'zsh-ls:' || run.id AS id, command.text AS command_hash, nullif(template.text, '') AS command_template, run.preview AS command_preview, run.exit AS exit_code, run.duration_ms AS duration_ms, run.outcome IS 2 AS timed_out, strftime('%Y-%m-%dT%H:%M:%f', run.at_ms / 1000.0, 'unixepoch') || '+00:00' AS created_at, CASE run.outcome WHEN 0 THEN 'SUCCESS' WHEN 1 THEN 'FAILURE' WHEN 2 THEN 'TIMEOUT' WHEN 3 THEN 'KILLED' END AS outcome_type, CASE run.outcome WHEN 3 THEN run.duration_ms END AS kill_elapsed_ms, run.pipestatus AS pipestatus, session.name AS session_id, CASE run.origin WHEN 0 THEN 'editor' WHEN 1 THEN 'lens' WHEN 2 THEN 'trace' WHEN 3 THEN 'agent' WHEN 4 THEN 'cli' WHEN 5 THEN 'terminal' WHEN 6 THEN 'import' END AS origin FROM run
    LEFT JOIN pattern AS command ON command.key = run.command
    LEFT JOIN pattern AS template ON template.key = run.template
    LEFT JOIN session ON session.id = run.session;
CREATE VIEW recent_commands AS SELECT run.id AS id, coalesce(session.name, '') AS session_id, command.text AS command_hash, nullif(template.text, '') AS command_template, run.preview AS command_preview, run.at_ms / 1000.0 AS timestamp, run.duration_ms AS duration_ms, run.exit AS exit_code, run.outcome IS 2 AS timed_out, run.outcome IS 0 AS success, CASE run.outcome WHEN 0 THEN 'SUCCESS' WHEN 1 THEN 'FAILURE' WHEN 2 THEN 'TIMEOUT' WHEN 3 THEN 'KILLED' END AS outcome_type, CASE run.origin WHEN 0 THEN 'editor' WHEN 1 THEN 'lens' WHEN 2 THEN 'trace' WHEN 3 THEN 'agent' WHEN 4 THEN 'cli' WHEN 5 THEN 'terminal' WHEN 6 THEN 'import' END AS origin FROM run
    LEFT JOIN pattern AS command ON command.key = run.command
    LEFT JOIN pattern AS template ON template.key = run.template
    LEFT JOIN session ON session.id = run.session;
CREATE VIEW ssh_observations AS SELECT 'zsh-ls:' || run.id AS id, 'zsh-ls:' || run.id AS observation_id, run.host AS host, CAST(NULL AS TEXT) AS remote_command, run.remote AS remote_command_template, run.exit AS exit_code, CASE WHEN run.outcome NOT IN (0, 1) THEN 'unknown'
            WHEN run.exit = 0 THEN 'success' WHEN run.exit = 255 THEN 'connection_failed'
            WHEN run.exit BETWEEN 1 AND 254 THEN 'command_failed' ELSE 'unknown' END AS exit_type, run.duration_ms AS duration_ms, run.outcome IS 2 AS timed_out, strftime('%Y-%m-%dT%H:%M:%f', run.at_ms / 1000.0, 'unixepoch') || '+00:00' AS created_at FROM run WHERE run.host IS NOT NULL;
CREATE VIEW streaks AS SELECT command.text AS command_hash, command.streak AS current_streak, command.longest_success AS longest_success_streak, command.longest_failure AS longest_fail_streak, command.streak > 0 AS last_result, command.at_ms / 1000.0 AS last_updated FROM pattern AS command WHERE command.kind = 0 AND command.streak <> 0;
CREATE VIEW segments AS SELECT segment.text AS command_template, segment.runs AS runs, segment.succeeded AS succeeded, segment.last_exit AS last_exit, segment.at_ms / 1000.0 AS last_updated FROM pattern AS segment WHERE segment.kind = 3;
CREATE TRIGGER ssh_pair_added AFTER INSERT ON ssh_pair BEGIN
        INSERT INTO ssh_remote VALUES(NEW.remote, 1) ON CONFLICT DO UPDATE SET hosts = hosts + 1;
        END;
CREATE TRIGGER ssh_pair_removed AFTER DELETE ON ssh_pair BEGIN
        UPDATE ssh_remote SET hosts = hosts - 1 WHERE remote = OLD.remote;
        DELETE FROM ssh_remote WHERE remote = OLD.remote AND hosts <= 0; END;
CREATE INDEX run_session ON run(session, at_ms, command, outcome, neutral);
COMMIT;

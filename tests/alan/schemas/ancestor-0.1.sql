-- The ancestor's first file: one table of observations, no templates.
CREATE TABLE observations (
    id TEXT PRIMARY KEY, command_hash TEXT NOT NULL, command_preview TEXT, exit_code INTEGER,
    duration_ms INTEGER, timed_out INTEGER DEFAULT 0, output_snippet TEXT, error_snippet TEXT,
    weight REAL DEFAULT 1.0, created_at TEXT NOT NULL, last_accessed TEXT
);
CREATE INDEX idx_command_hash ON observations(command_hash);
CREATE INDEX idx_created_at ON observations(created_at);
CREATE INDEX idx_weight ON observations(weight);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO meta VALUES ('last_prune', '2026-01-19T10:00:00+00:00');

-- What the ancestor designed and never shipped, on top of 0.5.1.
ALTER TABLE observations ADD COLUMN outcome_type TEXT;
ALTER TABLE observations ADD COLUMN kill_elapsed_ms INTEGER;
ALTER TABLE recent_commands ADD COLUMN outcome_type TEXT;
CREATE INDEX idx_outcome_type ON observations(outcome_type);
CREATE INDEX idx_recent_outcome ON recent_commands(outcome_type);

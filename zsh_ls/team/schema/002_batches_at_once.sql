-- A batch is taken in by a few statements, no longer row by row, and a pull may name its projects. The
-- tables stay as they are; these functions have no caller any more.
DROP FUNCTION IF EXISTS zsh_ls.apply(integer, bigint, zsh_ls.contribution, integer);
DROP FUNCTION IF EXISTS zsh_ls.take_in(integer, jsonb, integer);
DROP FUNCTION IF EXISTS zsh_ls.histogram_of(jsonb);
INSERT INTO zsh_ls.schema_version(version) VALUES(2);

"""Programs that run in or around the sandbox, started as files by a bare Python: standard library only."""

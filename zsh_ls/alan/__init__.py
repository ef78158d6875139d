"""A.L.A.N., the memory of executions: the only room that opens SQLite."""

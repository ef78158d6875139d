"""The database: schema, transactions, queries, forgetting, retention, and recovery from damaged files."""

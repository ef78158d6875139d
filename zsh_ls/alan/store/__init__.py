"""The database and the log beside it: schema, transactions, what is recalled, forgotten and thrown away."""

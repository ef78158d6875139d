"""A team's memory: the only package that speaks to PostgreSQL, and what is sealed for it."""

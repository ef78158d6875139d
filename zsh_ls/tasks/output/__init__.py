"""A task's output: drained from its pipes, spooled, indexed by line, stored, and thrown away in time."""

"""Starts of shells: what the pure analysis says, and real shells with delays at known places."""

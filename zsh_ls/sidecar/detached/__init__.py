"""Detached runs (RUN-20): a process of its own that keeps each, and what is known of it afterwards."""

"""Starts of a person's interactive shell, up to its first prompt, as they are or traced (START)."""

"""Scripts that say which of their lines a static rule is to speak of, and which it is not (FATE-9)."""

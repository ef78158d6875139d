"""Rules on the text of a script, which need no run (DOC-5)."""

"""Processes and their output: the only room that starts programs."""

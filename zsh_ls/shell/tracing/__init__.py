"""Tracing scripts: which ones can be traced, and how often and how long each line ran."""

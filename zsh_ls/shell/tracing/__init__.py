"""Traces of scripts: which statements can be traced, and when each began and ended."""

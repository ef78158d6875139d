"""Faults of the libraries we build on, each reproduced with the library alone (docs/upstream.md)."""

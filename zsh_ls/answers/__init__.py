"""Answers questions in English from text and values. No I/O, and nothing raises."""

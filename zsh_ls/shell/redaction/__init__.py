"""Finds secrets in commands and texts, and replaces them."""

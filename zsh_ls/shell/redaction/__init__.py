"""Secrets in commands and texts: where they stand, and the text without them."""

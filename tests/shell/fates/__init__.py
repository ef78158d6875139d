"""The fate of every command, held against the real shells."""

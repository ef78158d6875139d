"""Named sessions: what one run leaves to the next, read from what shells wrote, and kept in private files."""

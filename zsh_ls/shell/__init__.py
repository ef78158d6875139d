"""Shell text to values: structure, context, identity, exit meanings, redaction. Never raises."""

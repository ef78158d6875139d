"""Manual pages: source formats, layout as text, and the options that they describe."""

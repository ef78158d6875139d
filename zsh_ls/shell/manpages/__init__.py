"""Manual pages: their source formats, their layout, and the options they describe."""

"""What runs and scripts teach: one rule a file, read from values alone."""

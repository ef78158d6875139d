"""Open scripts: their text, their structure, and what is said on their lines."""

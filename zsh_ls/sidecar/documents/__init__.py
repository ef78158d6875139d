"""Open scripts: their text, their structure, and the insights on their lines."""

"""Guards of the operating system for every layer: bounded reads, private folders, trusted programs."""

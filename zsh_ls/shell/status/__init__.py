"""Exit statuses: their meanings, which are checked in a script, and which pipeline reported one."""

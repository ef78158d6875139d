"""What is learnt of a command: its pattern keys, observations, duration estimates and statistics."""

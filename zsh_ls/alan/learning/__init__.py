"""What is learnt of a command: the keys it counts in, its observations, estimates and statistics."""

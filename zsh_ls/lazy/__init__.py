"""What libraries offer, loaded and made when it is first used: most of a short command is its start."""

"""Rules on what memory knows of a command before it runs (ALAN-8), in the order of the contract."""

"""Rules on a run that ended (ALAN-9), in the order of the contract."""

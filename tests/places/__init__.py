"""Places in output: recorded outputs of real tools, with the places that a person found in them."""

"""How much output to show: a pure function of a recorded execution."""

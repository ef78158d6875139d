"""One module a rule. Adding a file here is all it takes."""

"""One module a command. Adding a file here is all it takes."""

"""One module a method. Adding a file here is all it takes."""

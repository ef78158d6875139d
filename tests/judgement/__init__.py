"""One recorded working day, what memory tells in it line by line, and how judges found those lines."""

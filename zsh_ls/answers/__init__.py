"""Questions and their answers: text and values in, answers in one form out; no I/O, no exception."""

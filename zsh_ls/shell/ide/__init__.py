"""Editor features of a script: semantic tokens, completion, folding, selection, runnable lines."""

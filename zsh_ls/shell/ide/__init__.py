"""What an editor shows of a script: semantic tokens, completion, folding, selection, runnable lines."""

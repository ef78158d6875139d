"""The words of commands as the shell reads them: quotes, expansions, wrappers, the shells' own vocabulary."""

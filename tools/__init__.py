"""Scripts of the people who work on zsh-ls; nothing here is installed."""

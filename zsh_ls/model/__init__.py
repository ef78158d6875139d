"""The vocabulary of every layer: frozen values and protocols, no I/O, no other zsh_ls package."""

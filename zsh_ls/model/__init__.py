"""The words every floor speaks: frozen values and protocols, no I/O, no other zsh_ls package."""

"""What is written from the message classes: docs/protocol.md and the types of editors' plugins.

For those who work on zsh-ls; a server that runs imports none of it.
"""

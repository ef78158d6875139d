"""Compatibility with zsh-tool's database and with keys made by earlier template and redaction rules."""

"""`zsh-ls history`: a full-screen list to take a line from, drawn by textual."""

from .app import pick

__all__ = ["pick"]

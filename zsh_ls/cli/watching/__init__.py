"""`zsh-ls tasks --watch`: a full-screen view of the tasks of the workspace's server, drawn by textual."""

from .app import watch

__all__ = ["watch"]

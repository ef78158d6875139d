"""A.L.A.N., the memory of executions: the only package that opens SQLite."""

from .front import Alan
from .store.store import Store

__all__ = ["Alan", "Store"]

"""News of sidecars that come and go, for listeners that stay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from zsh_ls.sidecar.interface import TaskService, Unsubscribe
from zsh_ls.sidecar.runs.progress import notify_all

News = TypeVar("News")


class Relay(Generic[News]):
    """Passes on the progress of the current sidecar to listeners that outlive it."""

    def __init__(self, subscribe: Callable[[TaskService, Callable[[News], None]], object]) -> None:
        self._subscribe = subscribe
        self._listeners: list[Callable[[News], None]] = []
        self._is_wanted = False

    def listen_to(self, *sidecars: TaskService) -> None:
        """Take news of these from now on; without a listener so far, nothing is subscribed to."""
        if self._is_wanted:
            for sidecar in sidecars:
                self._subscribe(sidecar, partial(notify_all, self._listeners))

    def tell(self, news: News) -> None:
        """News that came another way."""
        notify_all(self._listeners, news)

    def add(self, listener: Callable[[News], None], *sidecars: TaskService) -> Unsubscribe:
        """Call `listener` with news of `sidecars`, those that there are now, and of later ones."""
        if not self._is_wanted:
            self._is_wanted = True
            self.listen_to(*sidecars)
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

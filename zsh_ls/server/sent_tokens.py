"""What the client has of each document's semantic tokens: after an edit only the difference is sent."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import ne

from lsprotocol import types

from zsh_ls.sidecar.documents.executor import run_maybe_in_thread


class SentTokens:
    """The last tokens sent of each open document, by the id that the client has of them."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[str, array[int]]] = {}
        self._count = 0

    def whole(self, uri: str, data: Sequence[int]) -> types.SemanticTokens:
        """An answer with all tokens, which is remembered."""
        return types.SemanticTokens(data, result_id=self._remember(uri, array("I", data)))

    async def changed(
        self, uri: str, previous_id: str, data: Sequence[int]
    ) -> types.SemanticTokens | types.SemanticTokensDelta:
        """An answer with what differs from those of `previous_id`; with all, where the client has others."""
        known, sent = self._sent.get(uri, ("", None))
        if sent is None or known != previous_id:
            return self.whole(uri, data)
        now = array("I", data)
        edits = await run_maybe_in_thread(len(now), lambda: _edits(sent, now))
        return types.SemanticTokensDelta(edits, result_id=self._remember(uri, now))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._sent.pop(uri, None)

    def _remember(self, uri: str, data: array[int]) -> str:
        self._count += 1
        result_id = str(self._count)
        self._sent[uri] = (result_id, data)
        return result_id


def _edits(old: array[int], new: array[int]) -> list[types.SemanticTokensEdit]:
    """One edit, from the first number that differs to the last; none where nothing does."""
    if old == new:
        return []
    least = min(len(old), len(new))
    first = next((at for at, it in enumerate(map(ne, old, new)) if it), least)
    backwards = map(ne, reversed(old), reversed(new))
    last = next((at for at, it in enumerate(backwards) if it), least)
    last = min(last, least - first)
    inserted = new[first : len(new) - last].tolist()
    return [types.SemanticTokensEdit(first, len(old) - last - first, inserted or None)]

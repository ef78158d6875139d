"""What client and server declare in `initialize`, and the one request that a client may answer.

The names are those of the protocol. `client.py` reads the client's part leniently, and
`capabilities.py` writes the server's before anything large is imported, so neither
uses these classes; tests check that they agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from zsh_ls.model.answer import Answer


@attrs.frozen
class ClientDeclaration:
    """A client's `capabilities.experimental.zshLs`.

    version: the protocol's.
    colour: whether `formatted` texts come with escape codes.
    answer: whether the client answers `zsh/answer`.
    """

    version: Literal[1]
    colour: bool = False
    answer: bool = False


@attrs.frozen
class ServerDeclaration:
    """The server's `capabilities.experimental.zshLs`.

    version: the protocol's.
    methods: the `zsh/*` requests it answers.
    shells: the shells that are there, by name, and their versions.
    """

    version: Literal[1]
    methods: tuple[str, ...]
    shells: Mapping[str, str]


@attrs.frozen
class AnswerParams:
    """A question for the editor's language model.

    query: in the person's own words.
    prompt: what to send to the model.
    """

    query: str
    prompt: str


@attrs.frozen
class AnswerReply:
    """The model's reply.

    text: word for word.
    """

    text: str


@attrs.frozen
class FaultData:
    """The `data` of an error `-32602` or `-32803`.

    answer: the same as an answer.
    """

    answer: Answer

"""A stock pygls server with one small typed request, to measure ours against."""

import attrs
from pygls.lsp.server import LanguageServer


@attrs.define
class Params:
    """What `zsh/tasks` takes."""

    all: bool = False


server = LanguageServer("stock", "1")


@server.feature("zsh/tasks")
async def tasks(params: Params) -> dict[str, object]:
    return {"tasks": [], "count": 0}


if __name__ == "__main__":
    server.start_io()

"""The least that a server in Python can do for a command: asyncio starts it, reads it, and answers.

It checks, keeps, remembers and explains nothing, so what it takes is the lower bound of `zsh/run` over stdio.
"""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT


async def main() -> None:
    """Answer each request on standard input, one after the other, until it ends."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while header := await reader.readline():
        await reader.readline()
        request = json.loads(await reader.readexactly(int(header.split(b":")[1])))
        process = await asyncio.create_subprocess_exec(
            "zsh",
            "-fc",
            request["params"]["command"],
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,
        )
        output, _ = await process.communicate()
        result = {"exit": process.returncode, "output": output.decode("utf-8", "replace")}
        content = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        os.write(1, b"Content-Length: %d\r\n\r\n%b" % (len(content), content))


asyncio.run(main())

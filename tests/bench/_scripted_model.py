"""A model that follows a script, on the loopback interface, in the protocols that agents speak to models.

It asks for one call of a tool after another, whatever the agent answers, and keeps what the agent gave it to
read: the same bytes a real model would have been billed for.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs

SILENT = "Done."


@attrs.define
class Script:
    """The calls to ask for: a tool's name with its arguments; `tools` are the names the agent has."""

    calls: Sequence[tuple[str, Mapping[str, Any]]]
    read: list[str] = attrs.field(factory=list)
    tools: list[str] = attrs.field(factory=list)


class ScriptedModel:
    """The server; `base_url` is what an agent is given in its configuration."""

    def __init__(self, script: Script) -> None:
        model = self
        self.script = script
        protocols: Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]] = {
            "/responses": self._responses,
            "/messages": self._messages,
            ":streamGenerateContent": self._generated,
        }

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Nobody reads it."""

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                path = self.path.partition("?")[0]
                speaks = next(
                    (it for ends, it in protocols.items() if path.endswith(ends)),
                    model._completions,
                )
                body = "".join(speaks(request)).encode()
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base_url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ScriptedModel:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _next(self, read: list[str]) -> tuple[str, Mapping[str, Any]] | None:
        self.script.read = read
        return self.script.calls[len(read)] if len(read) < len(self.script.calls) else None

    def _responses(self, request: Mapping[str, Any]) -> Iterator[str]:
        """OpenAI's Responses API: Codex speaks nothing else."""
        names = [(it.get("name"), it) for it in request.get("tools", [])]
        self.script.tools = [
            f"{name}.{inner['name']}" if tool.get("type") == "namespace" else str(name)
            for name, tool in names
            for inner in (tool.get("tools") or [{"name": ""}])
        ]
        call = self._next(list(_answers(request["input"])))
        item: dict[str, Any] = {
            "type": "message",
            "role": "assistant",
            "id": "m",
            "content": [{"type": "output_text", "text": SILENT}],
        }
        if call is not None:
            namespace, dot, name = call[0].rpartition(".")
            item = {
                "type": "function_call",
                "id": f"f{len(self.script.read)}",
                "call_id": f"call-{len(self.script.read)}",
                "name": name,
                "arguments": json.dumps(call[1]),
                **({"namespace": namespace} if dot else {}),
            }
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        answer = {"id": "r", "output": [item], "usage": usage}
        yield _event("response.created", response={"id": "r"})
        yield _event("response.output_item.done", output_index=0, item=item)
        yield _event("response.completed", response=answer)

    def _completions(self, request: Mapping[str, Any]) -> Iterator[str]:
        """The chat completions that everybody else speaks."""
        delta: dict[str, Any] = {"role": "assistant", "content": SILENT}
        if tools := request.get("tools"):
            self.script.tools = [it["function"]["name"] for it in tools]
            told = [it for it in request["messages"] if it["role"] == "tool"]
            call = self._next([_text(it["content"]) for it in told])
            if call is not None:
                function = {"name": call[0], "arguments": json.dumps(call[1])}
                number = f"call-{len(self.script.read)}"
                entry = {"index": 0, "id": number, "type": "function", "function": function}
                delta = {"role": "assistant", "tool_calls": [entry]}
        reason = "tool_calls" if "tool_calls" in delta else "stop"
        for part, why in ((delta, None), ({}, reason)):
            choice = {"index": 0, "delta": part, "finish_reason": why}
            chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
            yield f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n"
        yield "data: [DONE]\n\n"

    def _messages(self, request: Mapping[str, Any]) -> Iterator[str]:
        """Anthropic's Messages API: Claude Code speaks nothing else."""
        part: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": SILENT}
        reason = "end_turn"
        if tools := request.get("tools"):
            self.script.tools = [it["name"] for it in tools]
            call = self._next(list(_results(request["messages"])))
            if call is not None:
                reason = "tool_use"
                number = f"call-{len(self.script.read)}"
                part = {"type": "tool_use", "id": number, "name": call[0], "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
        usage = {"input_tokens": 1, "output_tokens": 1}
        # Claude Code takes messages of one id for parts of one.
        message: dict[str, Any] = {"id": f"m{len(self.script.read)}", "type": "message"}
        message |= {"role": "assistant", "content": [], "model": request.get("model")}
        yield _event("message_start", message={**message, "usage": usage})
        yield _event("content_block_start", index=0, content_block=part)
        yield _event("content_block_delta", index=0, delta=delta)
        yield _event("content_block_stop", index=0)
        yield _event("message_delta", delta={"stop_reason": reason}, usage=usage)
        yield _event("message_stop")

    def _generated(self, request: Mapping[str, Any]) -> Iterator[str]:
        """Google's generateContent: Gemini CLI speaks nothing else."""
        part: dict[str, Any] = {"text": SILENT}
        declared = [
            it for tool in request.get("tools", []) for it in tool.get("functionDeclarations", [])
        ]
        if declared:
            self.script.tools = [it["name"] for it in declared]
            call = self._next(list(_responses_in(request["contents"])))
            if call is not None:
                part = {"functionCall": {"name": call[0], "args": call[1]}}
        content = {"role": "model", "parts": [part]}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        yield f"data: {json.dumps({'candidates': [candidate], 'usageMetadata': usage})}\n\n"


def _results(messages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Of Claude Code: what was given for each call, with what hooks said behind it."""
    said: list[str] | None = None
    for message in messages:
        content = message["content"]
        for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if part.get("type") == "tool_result":
                if said is not None:
                    yield "\n".join(said)
                said = [_text(part.get("content"))]
            elif said is not None and message["role"] != "assistant" and part.get("type") == "text":
                said.append(part["text"])
    if said is not None:
        yield "\n".join(said)


def _responses_in(contents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Of Gemini CLI: what was given for each call; hooks speak in it."""
    for content in contents:
        for part in content["parts"]:
            if given := part.get("functionResponse"):
                told = given["response"]
                yield str(told.get("output") or told.get("error") or json.dumps(told))


def _answers(items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What was given for each call, with what was said between it and its answer: hooks speak there."""
    said: list[str] = []
    has_called = False
    for item in items:
        has_called = has_called or item.get("type") == "function_call"
        if has_called and item.get("type") == "message" and item.get("role") != "assistant":
            said.append(_text(item["content"]))
        if "output" in item:
            yield "\n".join([_text(item["output"]), *said])
            said = []


def _event(kind: str, **fields: object) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


def _text(content: object) -> str:
    """What a model reads of a tool's result: a text, or parts of one."""
    if isinstance(content, list):
        return "\n".join(_text(it) for it in content)
    if isinstance(content, dict):
        return _text(content.get("text", ""))
    return content if isinstance(content, str) else ""

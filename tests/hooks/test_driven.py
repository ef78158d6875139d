"""What the benchmark of driven agents reads off a session, and the model that it gives them."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

from tests.bench._driven_agents import Claude, Gemini
from tests.bench._scripted_model import Script, ScriptedModel
from tests.bench.driven import STEPS, Driven, exits_of, is_told


def post(url: str, body: object) -> list[dict[str, object]]:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        lines = answer.read().decode().split("\n")
    return [json.loads(it[6:]) for it in lines if it.startswith("data: {")]


def test_the_model_asks_for_one_call_after_another_in_both_protocols() -> None:
    script = Script([("shell", {"cmd": "one"}), ("shell", {"cmd": "two"})])
    with ScriptedModel(script) as model:
        said: list[dict[str, object]] = [
            {"type": "function_call", "name": "shell"},
            {"type": "message", "role": "developer", "content": [{"text": "news"}]},
            {"type": "function_call_output", "output": "first"},
        ]
        events = post(f"{model.base_url}/responses", {"input": said, "tools": [{"name": "shell"}]})
        assert script.read == ["first\nnews"]
        item = events[1]["item"]
        assert isinstance(item, dict)
        assert (item["name"], json.loads(item["arguments"])) == ("shell", {"cmd": "two"})
        told = [{"role": "tool", "content": "a"}, {"role": "tool", "content": [{"text": "b"}]}]
        asked = {"messages": told, "tools": [{"function": {"name": "shell"}}]}
        chunks = post(f"{model.base_url}/chat/completions", asked)
        assert script.read == ["a", "b"]
        assert "Done." in json.dumps(chunks[0])


def test_exits_and_news_are_found_in_either_form_of_a_command() -> None:
    hidden = next(it for it in STEPS if it.hides)
    read = ["" for _ in STEPS]
    read[STEPS.index(hidden)] = "zsh-ls: Exit 0 hides a failure of `x`."
    ran = (f"/bin/bash -c \"zsh-ls run --brief '{hidden.command}'\"", STEPS[0].command)
    driven = Driven(tuple(read), (0, 1), ran, "")
    assert exits_of(driven) == {hidden.command: 0, STEPS[0].command: 1}
    assert is_told(driven, hidden)
    assert not is_told(Driven(tuple("" for _ in STEPS), (), (), ""), hidden)


def test_the_model_speaks_to_claude_code_and_to_gemini_cli() -> None:
    script = Script([("Bash", {"command": "one"}), ("Bash", {"command": "two"})])
    with ScriptedModel(script) as model:
        given = {"type": "tool_result", "tool_use_id": "1", "content": "first"}
        said = [
            {"role": "user", "content": "go on"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "1"}]},
            {"role": "user", "content": [given]},
            {"role": "system", "content": "news"},
        ]
        body = {"messages": said, "tools": [{"name": "Bash"}]}
        events = post(f"{model.base_url}/messages?beta=true", body)
        assert script.read == ["first\nnews"]
        assert events[2]["delta"] == {
            "type": "input_json_delta",
            "partial_json": json.dumps({"command": "two"}),
        }
        answered = {"functionResponse": {"name": "Bash", "response": {"output": "first"}}}
        asked = {
            "contents": [{"role": "user", "parts": [{"text": "go on"}, answered]}],
            "tools": [{"functionDeclarations": [{"name": "Bash"}]}],
        }
        url = f"{model.base_url}beta/models/m:streamGenerateContent?alt=sse"
        [chunk] = post(url, asked)
        assert script.read == ["first"]
        assert '"args": {"command": "two"}' in json.dumps(chunk)


def test_exits_are_read_off_what_claude_code_and_gemini_cli_say() -> None:
    def ran(number: str, command: str, **result: object) -> list[dict[str, Any]]:
        call = {"type": "tool_use", "id": number, "name": "Bash", "input": {"command": command}}
        given = {"type": "tool_result", "tool_use_id": number, **result}
        return [
            {"type": "assistant", "message": {"content": [call]}},
            {"type": "user", "message": {"content": [given]}},
        ]

    events = [
        *ran("1", "make", content="done", is_error=False),
        *ran("2", "sh x", content="Exit code 3\nno", is_error=True),
        *ran("3", "terraform apply", content="Permission denied.", is_error=True),
    ]
    assert Claude().told(events, ()) == [("make", 0), ("sh x", 3)]
    spoken = [
        {"type": "tool_use", "parameters": {"command": "make"}},
        {"type": "tool_result", "status": "success"},
        {"type": "tool_use", "parameters": {"command": "sh x"}},
        {"type": "tool_result", "status": "success"},
        {"type": "tool_use", "parameters": {"command": "terraform apply"}},
        {"type": "tool_result", "status": "error"},
    ]
    read = ["Output: done", "Output: no\nExit Code: 3\n", "denied by policy"]
    assert Gemini().told(spoken, read) == [("make", 0), ("sh x", 3)]

"""Questions for the editor's language model, whose reply must keep the rules of form (ANS-4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .rpc import Message, Peer

pytestmark = pytest.mark.slow

Start = Callable[..., Peer]
OFFERS = {"experimental": {"zshLs": {"version": 1, "answer": True}}}
STRANGE = "who wrote the first shell"
GOOD = "[SUMMARY]\nKen Thompson, in 1971.\n\n[DETAILS]\nIt came with the first Unix."


def asked_with(peer: Peer, *replies: Any) -> tuple[Any, list[Message]]:
    """The response to a question that zsh-ls cannot answer, and what the client's model was asked."""
    msg_id = peer.ask("zsh/ask", {"query": STRANGE})
    asked = []
    for reply in replies:
        request = peer.until(lambda it: it.get("method") == "zsh/answer")
        asked.append(request["params"])
        peer.send({"jsonrpc": "2.0", "id": request["id"], "result": reply})
    return peer.answer_to(msg_id)["result"], asked


@pytest.mark.slow
def test_a_reply_in_the_form_is_the_answer_and_says_whose_it_is(real: Start) -> None:
    answer, asked = asked_with(real(OFFERS), {"text": GOOD})
    assert (answer["kind"], answer["summary"]) == ("llm", "Ken Thompson, in 1971.")
    assert asked[0]["query"] == STRANGE
    assert STRANGE in asked[0]["prompt"]


def test_a_reply_that_breaks_the_form_is_asked_for_once_more_with_the_rule(real: Start) -> None:
    answer, asked = asked_with(real(OFFERS), {"text": "# Ken Thompson"}, {"text": GOOD})
    assert answer["kind"] == "llm"
    assert "breaks the rule" in asked[1]["prompt"]


@pytest.mark.slow
def test_two_broken_replies_are_an_error_that_names_the_rule(real: Start) -> None:
    answer, _ = asked_with(real(OFFERS), {"text": "no form"}, {"text": "no form again"})
    assert answer["kind"] == "error"
    assert answer["summary"].startswith("Action plan generation failed.")


@pytest.mark.slow
def test_without_a_model_or_without_a_reply_the_fallback_stands(real: Start) -> None:
    assert asked_with(real(OFFERS), None)[0]["kind"] == "fallback"


@pytest.mark.slow
def test_a_client_that_offers_no_model_is_never_asked(real: Start) -> None:
    peer = real()
    assert peer.call("zsh/ask", {"query": STRANGE})["kind"] == "fallback"
    assert not any(message.get("method") == "zsh/answer" for message in peer.received)


@pytest.mark.slow
def test_what_a_family_knows_is_not_handed_on(real: Start) -> None:
    peer = real(OFFERS)
    assert peer.call("zsh/ask", {"query": "what failed last"})["kind"] == "deterministic"

"""docs/protocol.md says what the message classes say."""

from __future__ import annotations

from zsh_ls.dev import stale_pages
from zsh_ls.server import page
from zsh_ls.server.capabilities import zsh_methods


def test_the_page_is_what_the_message_classes_give() -> None:
    assert "protocol.md" not in stale_pages()


def test_every_param_is_described() -> None:
    assert page.undocumented() == []


def test_every_request_has_its_section() -> None:
    text = page.document()
    assert [method for method in zsh_methods() if f"### {method}\n" not in text] == []


def test_every_link_of_the_page_leads_somewhere() -> None:
    text = page.document()
    targets = {part.partition(")")[0] for part in text.split("](#")[1:]}
    headings = {line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")}
    assert targets <= headings

"""docs/protocol.md fits the message classes."""

from __future__ import annotations

from tools.docgen import protocol_page, settings
from tools.docs import stale_pages
from zsh_ls.server.capabilities import zsh_methods


def test_the_page_is_what_the_message_classes_give() -> None:
    assert "docs/protocol.md" not in stale_pages()


def test_every_param_is_described() -> None:
    assert settings.undocumented() == []


def test_every_request_has_its_section() -> None:
    text = protocol_page.document()
    assert [method for method in zsh_methods() if f"### {method}\n" not in text] == []


def test_every_link_of_the_page_leads_somewhere() -> None:
    text = protocol_page.document()
    targets = {part.partition(")")[0] for part in text.split("](#")[1:]}
    headings = {line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")}
    assert targets <= headings

"""The network interfaces, their addresses and traffic."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import count, size
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.machine import Interface, Unavailable


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """Interfaces that are up and have an address; addresses beyond a router are not known here."""
    found = facts.machine.interfaces()
    if isinstance(found, Unavailable):
        return NotKnown.of("the state of the network", found)
    connected = [one for one in found if one.is_up and one.addresses]
    if not connected:
        return Draft("deterministic", "No network interface is up.", tuple(map(_line, found)))
    addresses = ", ".join(address for one in connected for address in one.addresses[:1])
    up = f"{count(len(connected), 'network interface')} {'is' if len(connected) == 1 else 'are'} up"
    return Draft("deterministic", f"{up}: {addresses}.", tuple(map(_line, found)))


def _line(one: Interface) -> str:
    state = "up" if one.is_up else "down"
    addresses = ", ".join(one.addresses) or "no address"
    traffic = f"{size(one.received_bytes)} received, {size(one.sent_bytes)} sent"
    return f"- {code_span(one.name)} {state}: {addresses}; {traffic}"


FAMILY = Family(
    name="network",
    source="the machine, read now",
    examples=("what is my IP address", "which network interfaces are there"),
    patterns=(
        pattern(
            "network definite|status|interface|amount|have|state|check",
            "machine network interface amount status traffic definite have now connected",
        ),
        pattern("network connected", "machine definite now still"),
        pattern("am-online", "now definite"),
        pattern("traffic network|amount", "network definite amount went-over"),
        pattern("ip-address", "machine definite now have local network"),
        pattern("network", alone=True),
    ),
    answer=answer,
)

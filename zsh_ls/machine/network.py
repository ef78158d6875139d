"""Network interfaces on Linux, without asking a socket: /proc/net and /sys/class/net."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from zsh_ls.model.machine import Interface, Unavailable

from .unavailable import unreadable

_LOCAL = re.compile(r"\|-- (\d+\.\d+\.\d+\.\d+)\n\s+/32 host LOCAL")
_LOOPBACK = ipaddress.IPv4Network("127.0.0.0/8")
# A flag of /sys/class/net/*/flags, IFF_UP of netdevice(7).
_IS_UP = 0x1


def interfaces(proc: str) -> list[Interface] | Unavailable:
    """Every interface of this network namespace."""
    try:
        rows = _read(f"{proc}/net/dev").splitlines()[2:]
    except OSError as problem:
        return unreadable(problem, f"{proc}/net/dev", "ip addr")
    local, networks = _local_ipv4(proc), _networks(proc)
    return [_interface(row, proc, local, networks) for row in rows]


def _interface(
    row: str,
    proc: str,
    local: list[ipaddress.IPv4Address],
    networks: list[tuple[str, ipaddress.IPv4Network]],
) -> Interface:
    name, _, numbers = (part.strip() for part in row.partition(":"))
    counters = [int(number) for number in numbers.split()]
    mine = [network for owner, network in networks if owner == name]
    mine += [_LOOPBACK] if name == "lo" else []
    ipv4 = [str(address) for address in local if any(address in network for network in mine)]
    return Interface(
        name=name,
        is_up=_is_up(name),
        addresses=(*ipv4, *_ipv6(proc, name)),
        received_bytes=counters[0],
        sent_bytes=counters[8],
    )


def _is_up(name: str) -> bool:
    try:
        return bool(int(_read(f"/sys/class/net/{name}/flags"), 16) & _IS_UP)
    except (OSError, ValueError):
        return False


def _local_ipv4(proc: str) -> list[ipaddress.IPv4Address]:
    """The host's own addresses, from the kernel's routing trie; it has them in two tables."""
    found = _LOCAL.findall(_read_or_nothing(f"{proc}/net/fib_trie"))
    return [ipaddress.IPv4Address(address) for address in dict.fromkeys(found)]


def _networks(proc: str) -> list[tuple[str, ipaddress.IPv4Network]]:
    """Which interface leads to which network, the default route left out; numbers are in host order."""
    networks = []
    for line in _read_or_nothing(f"{proc}/net/route").splitlines()[1:]:
        fields = line.split()
        if len(fields) > 7 and fields[1] != "00000000":
            address, mask = (_ipv4_of(fields[at]) for at in (1, 7))
            networks.append((fields[0], ipaddress.IPv4Network((str(address), str(mask)))))
    return networks


def _ipv4_of(number: str) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(bytes.fromhex(number)[::-1])


def _ipv6(proc: str, name: str) -> Iterator[str]:
    for line in _read_or_nothing(f"{proc}/net/if_inet6").splitlines():
        fields = line.split()
        if fields and fields[-1] == name:
            yield str(ipaddress.IPv6Address(bytes.fromhex(fields[0])))


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _read_or_nothing(path: str) -> str:
    """A kernel without IPv4 routes or IPv6 has no such file: then there are none."""
    try:
        return _read(path)
    except OSError:
        return ""

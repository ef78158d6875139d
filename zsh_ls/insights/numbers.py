"""Formats of numbers in messages: seconds with one decimal or whole, rates as whole percent."""

from __future__ import annotations


def seconds(duration_s: float) -> str:
    """`47.0s`."""
    return f"{duration_s:.1f}s"


def whole_seconds(duration_s: float) -> str:
    """`47s`."""
    return f"{duration_s:.0f}s"


def percent(rate: float) -> str:
    """`92%`."""
    return f"{rate:.0%}"

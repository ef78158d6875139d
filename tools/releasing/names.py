"""The names and addresses of `names.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

NAMES: dict[str, str] = tomllib.loads(Path(__file__).with_name("names.toml").read_text())

"""What a keeper is told: the run it is to keep, and how the sidecar that it is asked from is set up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zsh_ls.lazy import attrs
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar.config import Places, Settings, SidecarOptions


@attrs.frozen
class ToDetach:
    """A run with its folder and shell decided; `variables` are its environment, None for this process's."""

    request: RunRequest
    variables: Mapping[str, str] | None


def written(options: SidecarOptions) -> bytes:
    """The options of a keeper's sidecar, as `read` takes them; no text of a command is among them."""
    places = {name: str(path) for name, path in attrs.asdict(options.places).items()}
    named = {name: getattr(options, name) for name in ("session", "workspace", "folders", "folder")}
    settings = attrs.asdict(options.settings)
    return json.dumps(named | {"settings": settings, "places": places}).encode()


def read(order: bytes) -> SidecarOptions:
    """The options that were written; the login shell is not asked for its environment once more."""
    values: dict[str, Any] = json.loads(order)
    places = Places(**{name: Path(path) for name, path in values.pop("places").items()})
    settings = values.pop("settings")
    settings |= {"redact": tuple(settings["redact"]), "environment_resolve": False}
    return SidecarOptions(
        **values | {"folders": tuple(values["folders"])},
        settings=Settings(**settings),
        places=places,
        keeps_detached=True,
    )

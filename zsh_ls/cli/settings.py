"""What `zsh-ls config` prints of each setting: its value as `config.toml` would have it, and its source."""

from __future__ import annotations

import json

from zsh_ls.lazy import attrs
from zsh_ls.sidecar.config import NAMES, VARIABLES, Places
from zsh_ls.sidecar.config_file import DEFAULT, PersonalSettings


@attrs.frozen
class Row:
    """One setting by its name, or by its variable where it has no other name."""

    name: str
    value: bool | float | str | list[str] | None
    source: str

    @property
    def shown(self) -> str:
        """The value in TOML, which has no word for none."""
        return "none" if self.value is None else json.dumps(self.value, ensure_ascii=False)


def rows_of(personal: PersonalSettings) -> list[Row]:
    """The settings in the order of the contract, then those that only variables set."""
    named = {field: name for name, (field, _) in NAMES.items()}
    only_variables = {field: name for name, (field, _) in VARIABLES.items() if field not in named}
    return [_row(personal, field, name) for field, name in (named | only_variables).items()]


def _row(personal: PersonalSettings, field: str, name: str) -> Row:
    value = getattr(personal.settings, field)
    source = personal.sources.get(field, DEFAULT)
    if field == "database" and value is None:
        value = str(Places.of_this_user().database)
    elif field == "agent_timeout_max_s" and value is None:
        value = 0  # no maximum
    elif isinstance(value, tuple):
        value = list(value)
    elif isinstance(value, float) and value.is_integer():
        value = int(value)
    return Row(name, value, source)

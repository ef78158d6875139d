"""All structures of the wire as an editor's types need them: names, fields, what may be left out."""

from __future__ import annotations

import json
import typing
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Any

import attrs

from zsh_ls.model.results import NOT_ASKED
from zsh_ls.server import messages
from zsh_ls.server.features import zsh_ask
from zsh_ls.sidecar.to_json import KEPT_BACK

from . import settings
from .settings import Request, classes, closure, description_of, field_descriptions, own_fields
from .type_names import where_asked, without_none

TO_CLIENTS = {zsh_ask.QUESTION: (messages.AnswerParams, messages.AnswerReply)}
DECLARATIONS = (
    messages.ClientDeclaration,
    messages.ServerDeclaration,
    messages.FaultData,
)


@attrs.frozen
class Field:
    """A field; `hint` is its type where it is there, `is_optional` whether it may be left out."""

    name: str
    hint: Any
    is_optional: bool
    text: str = ""


@attrs.frozen
class Structure:
    """A structure, and the name of the one whose fields it has too."""

    name: str
    text: str
    fields: tuple[Field, ...]
    extends: str | None = None


def structures() -> list[Structure]:
    """Params, results, all they hold, what both sides declare, the settings; each once."""
    tokens = Structure(
        messages.RequestTokens.__name__,
        description_of(messages.RequestTokens),
        _taken(attrs.fields(messages.RequestTokens), messages.RequestTokens),
    )
    params = [_params(request) for request in settings.requests()]
    return [tokens, *params, *map(_named, named_types()), _settings()]


def named_types() -> list[type]:
    """The classes that stand among the types under their own names."""
    requests = settings.requests()
    held = [kind for request in requests for kind in closure([request.params])[1:]]
    given = [kind for request in requests for kind in classes(request.result)]
    asked = [kind for pair in TO_CLIENTS.values() for kind in pair]
    given += [*settings.NOTIFICATIONS.values(), *asked, *DECLARATIONS]
    return list(dict.fromkeys([*held, *closure(given)]))


def vocabularies() -> list[type[Enum]]:
    """The closed vocabularies all of them speak in."""
    params = [request.params for request in settings.requests()]
    return settings.vocabularies([*params, *named_types()])


def params_name(method: str) -> str:
    """`RunScriptParams` are those of `zsh/runScript`."""
    name = short_name(method)
    return f"{name[0].upper()}{name[1:]}Params"


def short_name(method: str) -> str:
    """`zsh/runScript` is `runScript` in short."""
    return method.partition("/")[2]


def _params(request: Request) -> Structure:
    fields = _taken(own_fields(request.params), request.params)
    text = f"Params of `{request.method}`: {description_of(request.params)}"
    return Structure(
        params_name(request.method), text, fields, extends=messages.RequestTokens.__name__
    )


def _named(kind: type) -> Structure:
    is_sent_to_us = kind is messages.ClientDeclaration
    fields = _taken(attrs.fields(kind), kind) if is_sent_to_us else tuple(_given(kind))
    return Structure(kind.__name__, description_of(kind), fields)


def _taken(fields: Iterable[attrs.Attribute[Any]], kind: type) -> tuple[Field, ...]:
    """A sender may leave out what has a default."""
    hints, said = typing.get_type_hints(kind), field_descriptions(kind)
    return tuple(
        Field(
            field.name,
            hints[field.name],
            field.default is not attrs.NOTHING,
            " ".join(filter(None, (said.get(field.name), _default(field)))),
        )
        for field in fields
    )


def _default(field: attrs.Attribute[Any]) -> str:
    plain = isinstance(field.default, bool | int | float | str)
    return f"Default: `{json.dumps(field.default)}`." if plain else ""


def _given(kind: type) -> Iterator[Field]:
    """What is None is left out where the field has a default, and null elsewhere (sidecar/to_json.py)."""
    hints, said = typing.get_type_hints(kind), field_descriptions(kind)
    for field in attrs.fields(kind):
        if field.name not in KEPT_BACK.get(kind, ()):
            hint, may_miss = where_asked(hints[field.name]), field.default in (None, NOT_ASKED)
            hint = without_none(hint) if field.default is None else hint
            yield Field(field.name, hint, may_miss, said.get(field.name, ""))


def _settings() -> Structure:
    fields = tuple(
        Field(setting.name, without_none(setting.hint), True, f"Default: `{setting.default}`.")
        for setting in settings.settings()
    )
    text = "The section `zshLs` of the settings, and `initializationOptions`; dotted or nested."
    return Structure("Settings", text, fields)

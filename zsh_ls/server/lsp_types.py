"""lsprotocol's types, made with our own `attrs`: of what a start worked, half was these six hundred classes.

What the library declares with attrs is declared with `zsh_ls.lazy.attrs`, which writes a method when it is
first called. Its validators check each new value as they did; setting a field of a value is not checked.
"""

from __future__ import annotations

import builtins
import importlib.util
import sys
from types import ModuleType, SimpleNamespace
from typing import Any, get_type_hints

from zsh_ls.lazy import attrs

TYPES = "lsprotocol.types"


def load() -> None:
    """Import `lsprotocol.types`, unless it has been; to be called before anything else imports it.

    Where a class cannot be made this way, none is: the library is then imported as it is.
    """
    if TYPES in sys.modules:
        return
    import lsprotocol  # noqa: PLC0415  what this module is there to put off

    spec = importlib.util.find_spec(TYPES)
    code = getattr(getattr(spec, "loader", None), "get_code", lambda _: None)(TYPES)
    if spec is None or code is None:
        return
    module = importlib.util.module_from_spec(spec)
    # Not by `sys.modules`, where another thread would find what is meant for this module alone.
    module.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
    try:
        exec(code, module.__dict__)
    except Exception:  # a release of the library that declares more than is offered here
        return
    sys.modules[TYPES] = lsprotocol.types = module
    _resolve_when_used()


def _resolve_when_used() -> None:
    """The library resolves the annotations of all classes at once, `_Field` those of each that is used."""
    from lsprotocol import _hooks  # noqa: PLC0415

    if hasattr(_hooks, "_resolved_forward_references"):
        _hooks._resolved_forward_references = True


def _import(name: str, *arguments: Any) -> ModuleType | SimpleNamespace:
    return _attrs if name == "attrs" else __import__(name, *arguments)


class _Field(type(attrs.field())):  # type: ignore[misc]
    """A field whose annotation names classes that are declared behind its own."""

    validator: Any = None
    written: Any = None

    @property
    def annotation(self) -> Any:
        """The annotation with classes in place of their names."""
        holder = type("", (), {"__annotations__": {"it": self.written}})
        return get_type_hints(holder, vars(sys.modules[TYPES]))["it"]

    @annotation.setter
    def annotation(self, written: Any) -> None:
        self.written = written


def _field(*, validator: Any = None, **options: Any) -> Any:
    made: Any = attrs.field(**options)
    made.__class__ = _Field
    made.validator = validator
    return made


def _define(cls: type) -> type:
    checks = [
        (SimpleNamespace(name=name), field.validator)
        for name, field in vars(cls).items()
        if getattr(field, "validator", None) is not None
    ]

    def check(self: object) -> None:
        for attribute, validator in checks:
            validator(self, attribute, getattr(self, attribute.name))

    if checks:
        cls.__attrs_post_init__ = check  # type: ignore[attr-defined]
    return attrs.define(cls)


def _validators(name: str) -> Any:
    import attrs as library  # noqa: PLC0415

    return getattr(library.validators, name)


class _Validators:
    def __getattr__(self, name: str) -> Any:
        return _validators(name)


_attrs = SimpleNamespace(define=_define, field=_field, validators=_Validators())

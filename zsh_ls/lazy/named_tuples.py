"""`typing.NamedTuple`, whose classes are made without compiling anything.

The library writes and compiles a function where a class is declared: a short command declares sixty classes
and makes values of ten. Used in its place (`from zsh_ls.lazy.named_tuples import NamedTuple`), which is what
a type checker sees; only the function that makes values is put off.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    __all__ = ["NamedTuple"]
else:
    import typing

    try:
        from _collections import _tuplegetter as _field
    except ImportError:
        from operator import itemgetter

        def _field(number, doc):
            return property(itemgetter(number), doc=doc)

    # To compile the function takes as long as to make some thirty values without it.
    _FEW = 8
    _made_without_text = {}

    class _Declaration(type):
        """Makes a class of declared fields: a tuple, and nothing of this class."""

        def __new__(cls, name, bases, space):
            if not bases:
                return super().__new__(cls, name, bases, space)
            names = tuple(space.get("__annotations__", ()))
            defaults = {it: space.pop(it) for it in names if it in space}
            if any(it in defaults for it in names[: len(names) - len(defaults)]):
                raise TypeError(f"{name}: a field without a default follows one that has one")
            for number, it in enumerate(names):
                if it.startswith("_"):
                    raise ValueError(f"{name}: {it} begins with an underscore")
                space[it] = _field(number, "")
            space["__slots__"] = ()
            space["_fields"] = space["__match_args__"] = names
            space["_field_defaults"] = defaults
            space["__orig_bases__"] = (typing.NamedTuple,)  # by which cattrs knows it
            space["__new__"] = _new
            space.setdefault("__repr__", _repr)
            space["__getnewargs__"] = _values
            space["_make"] = classmethod(_make)
            space["_replace"] = _replace
            space["_asdict"] = _as_dictionary
            return type(name, (tuple,), space)

    class NamedTuple(metaclass=_Declaration):
        """What a class of named fields is declared with."""

    def _new(cls, *values, **named):
        owner = next(it for it in cls.__mro__ if "_field_defaults" in it.__dict__)
        made = _made_without_text[owner] = _made_without_text.get(owner, 0) + 1
        names = owner._fields
        if made <= _FEW and len(values) <= len(names) and named.keys() <= set(names[len(values) :]):
            given = owner._field_defaults | named
            missing = [it for it in names[len(values) :] if it not in given]
            if not missing:
                return tuple.__new__(cls, (*values, *(given[it] for it in names[len(values) :])))
        # What was given wrongly is said by the function, too.
        # No field begins with an underscore, so that none hides what the text names.
        parameters = ", ".join(
            f"{it}=_default_{it}" if it in owner._field_defaults else it for it in names
        )
        known = {f"_default_{it}": value for it, value in owner._field_defaults.items()}
        known["_made"] = tuple.__new__
        of = ", ".join(names)
        text = f"lambda _cls, {parameters}: _made(_cls, ({of}{',' if names else ''}))"
        function = eval(text, known)
        function.__name__, function.__qualname__ = "__new__", f"{owner.__qualname__}.__new__"
        owner.__new__ = staticmethod(function)
        return function(cls, *values, **named)

    def _repr(self):
        inner = ", ".join(
            f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True)
        )
        return f"{type(self).__name__}({inner})"

    def _values(self):
        return tuple(self)

    def _make(cls, values):
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"expected {len(cls._fields)} values, got {len(made)}")
        return made

    def _replace(self, /, **named):
        made = self._make(map(named.pop, self._fields, self))
        if named:
            raise ValueError(f"no such fields: {list(named)}")
        return made

    def _as_dictionary(self):
        return dict(zip(self._fields, self, strict=True))

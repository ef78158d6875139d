"""`typing`, whose `NamedTuple` compiles no text for each class: most of what declaring one costs.

Used in place of the library (`from zsh_ls.lazy.typing import NamedTuple`), which is what a type checker sees.
The classes made here are tuples with the attributes, methods and pickles of those of `typing`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    __all__ = ["NamedTuple"]
else:
    import typing as _library
    from collections import namedtuple

    # The library's own descriptors of a tuple's elements, the fastest there are; they fit every tuple.
    _MOST_FIELDS = 24
    _ELEMENTS = namedtuple("_ELEMENTS", [f"element_{at}" for at in range(_MOST_FIELDS)])
    _elements = [_ELEMENTS.__dict__[name] for name in _ELEMENTS._fields]
    _tuple_new = tuple.__new__

    class _Declared(type):
        """Makes a tuple of the class that is being declared."""

        def __new__(cls, name, bases, space):
            if not bases:
                return type.__new__(cls, name, bases, space)
            fields = tuple(space.get("__annotations__", ()))
            defaults = {it: space[it] for it in fields if it in space}
            if list(defaults) != list(fields[len(fields) - len(defaults) :]):
                raise TypeError(f"{name}: a field without default follows one with a default")
            for field, element in zip(fields, _elements[: len(fields)], strict=True):
                space[field] = element
            space["__slots__"] = ()
            space["__orig_bases__"] = (_library.NamedTuple,)  # by which cattrs knows one
            space["__match_args__"] = space["_fields"] = fields
            space["_field_defaults"] = defaults
            for method, its in _METHODS.items():
                space.setdefault(method, its)
            space["__new__"] = _new_of(name, fields, defaults)
            return type.__new__(type, name, (tuple,), space)

    # To write the method takes as long as to make some thirty values without it.
    _FEW = 30

    def _new_of(name, fields, defaults):
        """The class's `__new__`, which is written when it has been called a few times."""
        count = len(fields)
        times = 0

        def new(cls, *values, **named):
            nonlocal times
            times += 1
            if times <= _FEW:
                is_whole = len(values) == count and not named
                found = values if is_whole else _completed(values, named, fields, defaults)
                if found is not None:
                    return _tuple_new(cls, found)
            # What was given wrongly is said by it, too.
            written = _written_new(name, fields, defaults)
            owner = next(it for it in cls.__mro__ if it.__dict__.get("_fields") is fields)
            if times > _FEW:
                owner.__new__ = written
            return written(cls, *values, **named)

        return new

    def _completed(values, named, fields, defaults):
        """All values of a tuple of which some are named or left to their defaults; None for wrong ones."""
        given = dict(zip(fields, values))  # noqa: B905  may be fewer
        found = {**defaults, **given, **named}
        is_wrong = len(values) > len(fields) or not given.keys().isdisjoint(named)
        if is_wrong or len(found) != len(fields) or found.keys() != set(fields):
            return None
        return [found[it] for it in fields]

    def _written_new(name, fields, defaults):
        parameters = ", ".join(f"{it}=defaults[{it!r}]" if it in defaults else it for it in fields)
        elements = "".join(f"{it}, " for it in fields)
        known = {"defaults": defaults, "tuple_new": _tuple_new}
        text = f"def __new__(_cls, {parameters}): return tuple_new(_cls, ({elements}))"
        exec(compile(text, f"<__new__ of {name}>", "exec"), known)
        return known["__new__"]

    def _make(cls, values):
        found = _tuple_new(cls, values)
        if len(found) != len(cls._fields):
            raise TypeError(f"{cls.__name__} takes {len(cls._fields)} values, got {len(found)}")
        return found

    def _replace(self, /, **named):
        unknown = named.keys() - set(self._fields)
        if unknown:
            raise ValueError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        return self._make([named.get(it, value) for it, value in zip(self._fields, self)])  # noqa: B905

    def _asdict(self):
        return dict(zip(self._fields, self))  # noqa: B905

    def _repr(self):
        inner = ", ".join(f"{it}={value!r}" for it, value in zip(self._fields, self))  # noqa: B905
        return f"{type(self).__name__}({inner})"

    def _newargs(self):
        return tuple(self)

    _METHODS = {
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": _repr,
        "__getnewargs__": _newargs,
    }

    class NamedTuple(metaclass=_Declared):
        """A tuple whose elements have names; `typing.NamedTuple`."""

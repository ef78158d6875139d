"""attrs' classes, whose methods are made when they are first called.

attrs writes and compiles the methods of a class where it is declared: half a millisecond for each, and twenty
times that for importing attrs itself. A command that ends at once declares two hundred classes and makes
values of thirty. The classes made here have attrs' slots, equality and pickles, and attrs, with cattrs, takes
them for its own: `__attrs_attrs__` is there as soon as somebody asks for it.

It is used in place of the library (`from zsh_ls.lazy import attrs`), which is what a type checker sees. What
is not defined here comes from there: `fields`, `has`, `resolve_types`. Validators are not offered, and no
converters where a field may be set anew.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from attrs import (
        Factory,
        asdict,
        astuple,
        define,
        evolve,
        field,
        fields,
        frozen,
        has,
        resolve_types,
    )

    __all__ = [
        "Factory",
        "asdict",
        "astuple",
        "define",
        "evolve",
        "field",
        "fields",
        "frozen",
        "has",
        "resolve_types",
    ]
else:
    _NOTHING = object()
    _FIELDS = "__lazy_fields__"
    _NO_METHODS = (str, tuple, dict, type(None), int, bool)

    def __getattr__(name):
        import attrs  # noqa: PLC0415  what this module is there to put off

        value = globals()[name] = getattr(attrs, name)
        return value

    class Factory:
        """What makes a default value; with `takes_self` it is given the unfinished object."""

        __slots__ = ("factory", "takes_self")

        def __init__(self, factory, takes_self=False):
            self.factory = factory
            self.takes_self = takes_self

    class _Field:
        """What `field` declares; the name and the annotation are those of the class that holds it."""

        name = annotation = ""
        converter = None
        init = True
        kw_only = False
        alias = None
        repr = True
        eq = True

        def __init__(self, default):
            self.default_value = default

        def default(self, method):
            """Take what `method` gives for the unfinished object as the default: a decorator."""
            self.default_value = Factory(method, takes_self=True)
            return method

    _OPTIONS = {"converter", "init", "kw_only", "alias", "repr", "eq"}

    def field(*, default=_NOTHING, factory=None, **options):
        """A field of a class, as `attrs.field` declares it; see `_OPTIONS`."""
        if not options.keys() <= _OPTIONS:
            raise TypeError(f"not offered: {', '.join(options.keys() - _OPTIONS)}")
        made = _Field(default if factory is None else Factory(factory))
        made.__dict__.update(options)
        return made

    def define(cls=None, *, eq=True, kw_only=False):
        """A class of declared fields, which may be set anew."""
        return _decorated(cls, False, eq, kw_only)

    def frozen(cls=None, *, eq=True, kw_only=False):
        """A class of declared fields, which stay as they are."""
        return _decorated(cls, True, eq, kw_only)

    def evolve(value, **changes):
        """A copy of `value` with some of its fields changed."""
        cls = value.__class__
        fields = _fields_of(cls)
        if fields is None:
            import attrs  # noqa: PLC0415  a class of attrs' own

            return attrs.evolve(value, **changes)
        for it in fields:
            if it.init and it.alias not in changes:
                changes[it.alias] = getattr(value, it.name)
        return cls(**changes)

    def asdict(value, *, filter=None):  # noqa: A002
        """The fields of `value` by their names; those within it, and lists of them, are taken apart too."""
        fields = _fields_of(type(value))
        if fields is None:
            import attrs  # noqa: PLC0415

            return attrs.asdict(value, filter=filter)
        values = ((it, getattr(value, it.name)) for it in fields)
        return {
            it.name: _taken_apart(inner, filter)
            for it, inner in values
            if filter is None or filter(it, inner)
        }

    def _taken_apart(value, filter):  # noqa: A002
        if _fields_of(type(value)) is not None or hasattr(type(value), "__attrs_attrs__"):
            return asdict(value, filter=filter)
        if isinstance(value, (list, tuple, set, frozenset)):
            return [_taken_apart(it, filter) for it in value]
        if isinstance(value, dict):
            return {
                _taken_apart(name, filter): _taken_apart(it, filter) for name, it in value.items()
            }
        return value

    def _decorated(cls, is_frozen, eq, kw_only):
        if cls is None:
            return lambda cls: _made(cls, is_frozen, eq, kw_only)
        return _made(cls, is_frozen, eq, kw_only)

    def _made(cls, is_frozen, eq, kw_only):
        space = dict(cls.__dict__)
        own = _own_fields(space, kw_only)
        names = {it.name for it in own}
        fields = [it for it in _inherited(cls) if it.name not in names] + own
        _check(cls, fields, is_frozen)
        for name in ("__dict__", "__weakref__", *names):
            space.pop(name, None)
        space["__slots__"] = (*names, *_places_beside_fields(cls, space))
        space[_FIELDS] = fields = tuple(fields)
        space["__attrs_attrs__"] = _AttributesOfAttrs(fields)
        space["__match_args__"] = tuple(it.name for it in fields if it.init and not it.kw_only)
        if eq and "__eq__" not in space:
            space["__eq__"] = _eq
            if space.get("__hash__") is None:
                space["__hash__"] = _hash if is_frozen else None
        space.setdefault("__init__", _init)
        space.setdefault("__repr__", _repr)
        if is_frozen:
            space["__setattr__"] = _refuse_to_set
            space["__delattr__"] = _refuse_to_delete
        if "__reduce__" not in space:
            space["__getstate__"] = _state
            space["__setstate__"] = _set_state
        made = type(cls)(cls.__name__, cls.__bases__, space)
        _point_super_to(made, cls)
        return made

    def _own_fields(space, kw_only):
        found = []
        for name, annotation in space.get("__annotations__", {}).items():
            if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
                continue
            value = space.get(name, _NOTHING)
            it = value if isinstance(value, _Field) else _Field(value)
            it.name = name
            it.annotation = annotation
            it.alias = it.alias or name.lstrip("_")
            it.kw_only = it.kw_only or kw_only
            found.append(it)
        return found

    def _inherited(cls):
        found = {}
        for base in reversed(cls.__mro__[1:]):
            for it in base.__dict__.get(_FIELDS, ()):
                found.pop(it.name, None)
                found[it.name] = it
        return found.values()

    def _check(cls, fields, is_frozen):
        has_default = False
        for it in fields:
            if it.init and not it.kw_only:
                if has_default and it.default_value is _NOTHING:
                    raise ValueError(f"{cls.__name__}.{it.name} has no default; one before it has")
                has_default = has_default or it.default_value is not _NOTHING
            if it.converter and not is_frozen:
                raise TypeError(f"{cls.__name__}.{it.name}: converters are for frozen classes")

    def _places_beside_fields(cls, space):
        """`__weakref__`, and a dictionary where `functools.cached_property` keeps what it made."""
        if not any(hasattr(base, "__weakref__") for base in cls.__bases__):
            yield "__weakref__"
        keeps_values = any(type(it).__name__ == "cached_property" for it in space.values())
        if keeps_values and all("__slots__" in base.__dict__ for base in cls.__mro__[1:-1]):
            yield "__dict__"

    def _point_super_to(made, cls):
        """Methods that say `super()` hold the class they were written in: here, the one without slots."""
        for it in cls.__dict__.values():
            if type(it) in _NO_METHODS:
                continue
            inner = getattr(it, "__wrapped__", it)
            inner = getattr(inner, "fget", None) or getattr(inner, "func", None) or inner
            for cell in getattr(inner, "__closure__", None) or ():
                try:
                    if cell.cell_contents is cls:
                        cell.cell_contents = made
                except ValueError:  # it is empty
                    continue

    def _init(self, *arguments, **named):
        cls = _owner(self, "__init__", _init)
        made = _made_without_text[cls] = _made_without_text.get(cls, 0) + 1
        if made > _FEW or not _set_fields(self, cls, arguments, named):
            # What was given wrongly is said by the method, too.
            _written(self, "__init__", _init, _text_of_init)(self, *arguments, **named)

    # To write the method takes as long as to make some fifty values without it.
    _FEW = 8
    _made_without_text = {}

    def _set_fields(value, cls, arguments, named):
        """Do what the class's `__init__` would do; False where it would refuse what is given."""
        fields = cls.__dict__[_FIELDS]
        positional = [it.alias for it in fields if it.init and not it.kw_only]
        given = dict(zip(positional, arguments))  # noqa: B905  may be fewer
        if len(arguments) > len(positional) or not given.keys().isdisjoint(named):
            return False
        given.update(named)
        for it in fields:
            default = it.default_value
            if it.init and it.alias in given:
                inner = given.pop(it.alias)
            elif default is _NOTHING:
                return False
            elif isinstance(default, Factory):
                inner = default.factory(value) if default.takes_self else default.factory()
            else:
                inner = default
            if it.converter is not None:
                inner = it.converter(inner)
            getattr(cls, it.name).__set__(value, inner)
        if given:
            return False
        if hasattr(cls, "__attrs_post_init__"):
            value.__attrs_post_init__()
        return True

    def _eq(self, other):
        return _written(self, "__eq__", _eq, _text_of_eq)(self, other)

    def _hash(self):
        return _written(self, "__hash__", _hash, _text_of_hash)(self)

    def _written(value, name, until_then, write):
        """The method of the class that has only `until_then`; from now on it is the class's."""
        cls = _owner(value, name, until_then)
        method = _methods.get((cls, name))
        if method is None:
            method = write(cls)
            method.__qualname__ = f"{cls.__qualname__}.{name}"
            _methods[cls, name] = method
            setattr(cls, name, method)
        return method

    # Written methods. Another thread may have called `until_then` before the class had its own.
    _methods = {}

    def _owner(value, name, until_then):
        """The class whose method `until_then` is, or was until it was written."""
        return next(
            it
            for it in type(value).__mro__
            if it.__dict__.get(name) is until_then or (it, name) in _methods
        )

    def _repr(self):
        names = [it.name for it in _fields_of(type(self)) if it.repr]
        inner = ", ".join(f"{name}={getattr(self, name, None)!r}" for name in names)
        return f"{type(self).__qualname__.rpartition('>.')[2]}({inner})"

    def _fields_of(cls):
        return getattr(cls, _FIELDS, None)

    def _compiled(cls, name, parameters, body, known):
        text = f"def {name}({parameters}):\n    " + "\n    ".join(body or ["pass"])
        exec(compile(text, f"<{name} of {cls.__qualname__}>", "exec"), known)
        return known[name]

    def _text_of_init(cls):
        positional, named, body = ["self"], [], []
        known = {"nothing": _NOTHING}
        for number, it in enumerate(cls.__dict__[_FIELDS]):
            given = it.alias if it.init else f"made{number}"
            parameter = given
            default = it.default_value
            if default is not _NOTHING:
                known[f"default{number}"] = default
                if isinstance(default, Factory):
                    known[f"default{number}"] = default.factory
                    made = f"default{number}({'self' if default.takes_self else ''})"
                    body.append(
                        f"if {given} is nothing: {given} = {made}"
                        if it.init
                        else f"{given} = {made}"
                    )
                    parameter = f"{given}=nothing"
                else:
                    parameter = f"{given}=default{number}"
                    if not it.init:
                        body.append(f"{given} = default{number}")
            if it.converter is not None:
                known[f"convert{number}"] = it.converter
                given = f"convert{number}({given})"
            known[f"set{number}"] = getattr(cls, it.name).__set__
            body.append(f"set{number}(self, {given})")
            if it.init:
                (named if it.kw_only else positional).append(parameter)
        if hasattr(cls, "__attrs_post_init__"):
            body.append("self.__attrs_post_init__()")
        parameters = [*positional, *(["*", *named] if named else [])]
        return _compiled(cls, "__init__", ", ".join(parameters), body, known)

    def _text_of_eq(cls):
        names = [it.name for it in cls.__dict__[_FIELDS] if it.eq]
        same = " and ".join(f"self.{name} == other.{name}" for name in names) or "True"
        body = [
            "if other.__class__ is not self.__class__: return NotImplemented",
            f"return {same}",
        ]
        return _compiled(cls, "__eq__", "self, other", body, {})

    def _text_of_hash(cls):
        names = [it.name for it in cls.__dict__[_FIELDS] if it.eq]
        values = "".join(f"self.{name}, " for name in names)
        return _compiled(
            cls, "__hash__", "self", [f"return hash((salt, {values}))"], {"salt": id(cls)}
        )

    def _refuse_to_set(self, name, value):
        from attrs.exceptions import FrozenInstanceError  # noqa: PLC0415

        raise FrozenInstanceError

    def _refuse_to_delete(self, name):
        from attrs.exceptions import FrozenInstanceError  # noqa: PLC0415

        raise FrozenInstanceError

    def _state(self):
        return {it.name: getattr(self, it.name) for it in _fields_of(type(self))}

    def _set_state(self, state):
        for name, value in state.items():
            object.__setattr__(self, name, value)

    class _AttributesOfAttrs:
        """`__attrs_attrs__`: attrs' own description of the fields, made when it is asked for."""

        def __init__(self, fields):
            self._fields = fields

        def __get__(self, value, owner):
            cls = next(it for it in owner.__mro__ if it.__dict__.get("__attrs_attrs__") is self)
            made = self._described(cls)
            cls.__attrs_attrs__ = made
            return made

        def _described(self, cls):
            import attrs  # noqa: PLC0415

            described = {it.name: _as_field_of_attrs(attrs, it) for it in self._fields}
            return attrs.make_class(
                cls.__name__, described, init=False, repr=False, eq=False, slots=False
            ).__attrs_attrs__

    def _as_field_of_attrs(library, it):
        default = it.default_value
        if default is _NOTHING:
            default = library.NOTHING
        elif isinstance(default, Factory):
            default = library.Factory(default.factory, takes_self=default.takes_self)
        return library.field(
            default=default,
            converter=it.converter,
            init=it.init,
            kw_only=it.kw_only,
            alias=it.alias,
            repr=it.repr,
            eq=it.eq,
            type=it.annotation,
        )

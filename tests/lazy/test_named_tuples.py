"""The classes of `zsh_ls.lazy.named_tuples` are as the library's own, and cattrs takes them for such."""

from __future__ import annotations

import copy
import pickle
import typing
from typing import Any

import cattrs
import pytest

from zsh_ls.lazy import named_tuples as lazy


def point_of(base: Any) -> Any:
    class Point(base):  # type: ignore[misc]
        """A place."""

        x: int
        y: int = 2
        names: tuple[str, ...] = ()

        @property
        def sum(self) -> int:
            """Of both."""
            return self.x + self.y  # type: ignore[no-any-return]

        def moved(self) -> Any:
            """One further."""
            return self._replace(x=self.x + 1)

    return Point


class Place(lazy.NamedTuple):
    """What can be pickled: it stands in a module."""

    line: int
    column: int = 0


PAIR = [point_of(typing.NamedTuple), point_of(lazy.NamedTuple)]

USES = [
    lambda cls: cls(1),
    lambda cls: cls(1, 2, ("a",)),
    lambda cls: cls(1, names=("a",)),
    lambda cls: cls(y=3, x=1),
    lambda cls: repr(cls(1)),
    lambda cls: cls(1)._asdict(),
    lambda cls: cls(1)._replace(y=7),
    lambda cls: cls._make([1, 2, ()]),
    lambda cls: (cls._fields, cls._field_defaults, cls.__match_args__, cls.__doc__),
    lambda cls: (cls(1).sum, cls(1).moved(), cls(1)[0], len(cls(1)), hash(cls(1))),
    lambda cls: cls(1) == (1, 2, ()) and cls(1) < cls(2) and not hasattr(cls(1), "__dict__"),
    lambda cls: copy.copy(cls(1)),
    lambda cls: cattrs.unstructure(cls(1)),
]
FAULTS = [
    lambda cls: cls(),
    lambda cls: cls(1, 2, (), 4),
    lambda cls: cls(1, x=2),
    lambda cls: cls(1, z=2),
    lambda cls: cls._make([1]),
    lambda cls: cls(1)._replace(z=1),
    lambda cls: setattr(cls(1), "x", 2),
]


@pytest.mark.parametrize("times", [1, 40])
@pytest.mark.parametrize("use", USES)
def test_it_gives_what_the_library_gives(use: Any, times: int) -> None:
    for _ in range(times):
        usual, ours = (use(cls) for cls in PAIR)
        assert usual == ours


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("used_before", [0, 40])
def test_it_refuses_what_the_library_refuses(fault: Any, used_before: int) -> None:
    for cls in (point_of(typing.NamedTuple), point_of(lazy.NamedTuple)):
        for _ in range(used_before):
            cls(1)
        with pytest.raises((TypeError, ValueError, AttributeError)):
            fault(cls)


def test_a_value_is_pickled() -> None:
    for _ in range(20):
        assert pickle.loads(pickle.dumps(Place(3))) == Place(3, 0)
        assert type(pickle.loads(pickle.dumps(Place(3)))) is Place


@pytest.mark.parametrize("base", [typing.NamedTuple, lazy.NamedTuple])
@pytest.mark.parametrize("fields", ["x: int = 1\n    y: int", "_x: int"])
def test_fields_are_declared_as_the_library_wants_them(base: Any, fields: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        exec(f"class A(B):\n    {fields}", {"B": base})


def test_a_class_of_one_may_be_extended() -> None:
    class Wide(Place):
        __slots__ = ()

        def both(self) -> int:
            return self.line + self.column

    for _ in range(20):
        assert Wide(1, 2).both() == 3
        assert type(Wide(1)) is Wide


def test_it_crosses_a_wire() -> None:
    class Place(lazy.NamedTuple):
        line: int
        column: int = 0

    Place.__annotations__ = {"line": int, "column": int}  # as without the import from `__future__`
    converter = cattrs.Converter()
    assert converter.structure((3, 4), Place) == Place(3, 4)


def test_a_field_may_have_any_name() -> None:
    class Edit(lazy.NamedTuple):
        new: str
        default_new: str = "b"
        tuple: str = "c"

    for _ in range(20):
        assert Edit("a") == ("a", "b", "c")

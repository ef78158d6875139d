"""Named tuples of `zsh_ls.lazy.typing` are what those of `typing` are."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple, get_type_hints

import cattrs
import pytest

from zsh_ls.lazy import typing as lazy

OFTEN = 100


class Usual(NamedTuple):
    """One with defaults."""

    name: str
    at: int
    kind: str | None = None
    sizes: tuple[int, ...] = ()

    @property
    def twice(self) -> int:
        """A property of its own."""
        return 2 * self.at

    def __str__(self) -> str:
        return f"<{self.name}>"


class Ours(lazy.NamedTuple):
    """One with defaults."""

    name: str
    at: int
    kind: str | None = None
    sizes: tuple[int, ...] = ()

    @property
    def twice(self) -> int:
        """A property of its own."""
        return 2 * self.at

    def __str__(self) -> str:
        return f"<{self.name}>"


def shown(made: object) -> str:
    return repr(made).replace("Usual", "Ours")


@pytest.mark.parametrize(
    "use",
    [
        lambda cls: cls("a", 1, "b", (2,)),
        lambda cls: cls("a", 1),
        lambda cls: cls("a", at=1, sizes=(3,)),
        lambda cls: cls(kind="b", at=1, name="a"),
        lambda cls: cls._make(["a", 1, "b", ()]),
        lambda cls: cls("a", 1)._replace(at=2, kind="c"),
        lambda cls: cls("a", 1)._asdict(),
        lambda cls: tuple(cls("a", 1)),
        lambda cls: cls("a", 1) == ("a", 1, None, ()),
        lambda cls: cls("a", 1) < cls("b", 0),
        lambda cls: hash(cls("a", 1)),
        lambda cls: cls("a", 4).twice,
        lambda cls: str(cls("a", 1)),
        lambda cls: copy.deepcopy(cls("a", 1, sizes=(1,))),
        lambda cls: pickle.loads(pickle.dumps(cls("a", 1))),
        lambda cls: (cls._fields, cls._field_defaults, cls.__match_args__, cls.__slots__),
        get_type_hints,
        lambda cls: (cls.__doc__, cls.__mro__[1:], cls.__orig_bases__),
        lambda cls: cattrs.unstructure(cls("a", 1)),
        lambda cls: hasattr(cls("a", 1), "__dict__"),
    ],
)
@pytest.mark.parametrize("times", [1, OFTEN])
def test_it_is_used_as_the_librarys(use: Callable[[type], Any], times: int) -> None:
    for _ in range(times):
        ours, usual = use(Ours), use(Usual)
        assert shown(ours) == shown(usual)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda cls: cls(),
        lambda cls: cls("a"),
        lambda cls: cls("a", 1, None, (), 5),
        lambda cls: cls("a", 1, name="b"),
        lambda cls: cls("a", 1, size=5),
        lambda cls: cls._make("a"),
        lambda cls: cls("a", 1)._replace(size=5),
        lambda cls: setattr(cls("a", 1), "name", "b"),
    ],
)
@pytest.mark.parametrize("times", [1, OFTEN])
def test_what_the_library_refuses_is_refused(wrong: Callable[[type], Any], times: int) -> None:
    for _ in range(times):
        with pytest.raises((TypeError, ValueError, AttributeError)) as usual:
            wrong(Usual)
        with pytest.raises(usual.type):
            wrong(Ours)


def test_one_that_is_made_often_is_made_by_a_method_of_its_own() -> None:
    class Point(lazy.NamedTuple):
        x: int
        y: int = 0

    assert [Point(at).x for at in range(OFTEN)] == list(range(OFTEN))
    assert list(inspect.signature(Point.__new__).parameters) == ["_cls", "x", "y"]


def test_one_that_inherits_is_made_and_written_too() -> None:
    class Base(lazy.NamedTuple):
        x: int
        y: int = 0

    class Derived(Base):
        def __new__(cls, x: int) -> Derived:
            return super().__new__(cls, x, y=x)

    made = [Derived(at) for at in range(OFTEN)]
    assert {type(it) for it in made} == {Derived}
    assert [it.y for it in made] == list(range(OFTEN))


def test_a_default_before_none_is_refused() -> None:
    with pytest.raises(TypeError):

        class Wrong(lazy.NamedTuple):
            x: int = 0
            y: int

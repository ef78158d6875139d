"""The classes of `zsh_ls.lazy.attrs` are as attrs' own, and attrs and cattrs take them for theirs."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from functools import cached_property
from types import ModuleType
from typing import Any, ClassVar

import attrs as library
import cattrs
import pytest
from attrs.exceptions import FrozenInstanceError

from zsh_ls.lazy import attrs as lazy


def classes(attrs: Any) -> dict[str, Any]:
    """The same declarations, by the library and by this project's module."""

    @attrs.frozen
    class Point:
        x: int
        y: int = 2
        names: list[str] = attrs.field(factory=list)

        KIND: ClassVar[str] = "point"

    @attrs.frozen(kw_only=True)
    class Options:
        shell: str | None = None
        cwd: str

    @attrs.frozen
    class Request(Options):
        command: str
        words: tuple[str, ...] = attrs.field(default=(), converter=tuple)

    @attrs.frozen
    class Named:
        _private: int
        shown: bool = attrs.field(default=True, alias="is_shown", repr=False, eq=False)
        made: int = attrs.field(default=7, init=False)
        twice: int = attrs.field()

        @twice.default
        def _twice(self) -> int:
            return self._private * 2

    @attrs.define
    class Counter:
        count: int = 0

        def __attrs_post_init__(self) -> None:
            self.count += 1

    @attrs.define(eq=False)
    class Handle:
        number: int

    @attrs.frozen
    class Circle:
        radius: float

        @cached_property
        def area(self) -> float:
            return 3 * self.radius**2

    @attrs.frozen
    class Shout(Point):
        def __str__(self) -> str:
            return super().__str__().upper()

    @attrs.frozen
    class Case:
        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Case) and other.text.lower() == self.text.lower()

        def __hash__(self) -> int:
            return hash(self.text.lower())

    return {name: it for name, it in locals().items() if isinstance(it, type)}


BOTH = [pytest.param(library, id="library"), pytest.param(lazy, id="lazy")]
CASES: dict[str, Callable[[Any, Any], Any]] = {
    "repr": lambda of, _: repr(of.Point(1, names=["a"])),
    "repr of a subclass": lambda of, _: repr(of.Request("ls", ["-l"], cwd="/")),
    "repr leaves out": lambda of, _: repr(of.Named(3, is_shown=False)),
    "equal": lambda of, _: (of.Point(1) == of.Point(1, 2), of.Point(1) == of.Point(2)),
    "not equal to another class": lambda of, _: of.Point(1) == of.Shout(1),
    "not compared": lambda of, _: of.Named(1, is_shown=True) == of.Named(1, is_shown=False),
    "same hash": lambda of, _: hash(of.Circle(1)) == hash(of.Circle(1)),
    "in a set": lambda of, _: len({of.Circle(1), of.Circle(1), of.Circle(2)}),
    "own equality": lambda of, _: (of.Case("A") == of.Case("a"), len({of.Case("A"), of.Case("a")})),
    "by identity": lambda of, _: (of.Handle(1) == of.Handle(1), len({of.Handle(1), of.Handle(1)})),
    "a list of its own": lambda of, _: of.Point(1).names is of.Point(1).names,
    "converted": lambda of, _: of.Request("ls", ["-l"], cwd="/").words,
    "made of others": lambda of, _: of.Named(4).twice,
    "not given": lambda of, _: of.Named(4).made,
    "after init": lambda of, _: of.Counter().count,
    "set": lambda of, _: [setattr(it := of.Counter(), "count", 5), it.count],
    "kept": lambda of, _: (it := of.Circle(2)).area is it.area,
    "super": lambda of, _: str(of.Shout(1)),
    "of the class": lambda of, _: of.Point.KIND,
    "matched": lambda of, _: of.Point.__match_args__ + of.Request.__match_args__,
    "evolved": lambda of, attrs: repr(attrs.evolve(of.Point(1), y=9)),
    "evolved private": lambda of, attrs: repr(attrs.evolve(of.Named(1), private=5)),
    "as a dictionary": lambda of, attrs: attrs.asdict(of.Point(1, names=[of.Circle(1)])),
    "some of it": lambda of, attrs: attrs.asdict(of.Point(1), filter=lambda it, _: it.name != "y"),
    "as a tuple": lambda of, attrs: attrs.astuple(of.Point(1)),
    "fields": lambda of, attrs: [
        (it.name, it.alias, it.init, it.kw_only, it.type) for it in attrs.fields(of.Request)
    ],
    "has": lambda of, attrs: (attrs.has(of.Request), attrs.has(int)),
    "structured": lambda of, _: repr(cattrs.Converter().structure({"radius": "2.5"}, of.Circle)),
    "unstructured": lambda of, _: cattrs.Converter().unstructure(of.Circle(2.0)),
    "weakly": lambda of, _: __import__("weakref").ref(it := of.Point(1))() is it,
    "no dictionary": lambda of, _: hasattr(of.Point(1), "__dict__"),
}
REFUSED: dict[str, Callable[[Any], Any]] = {
    "set": lambda of: setattr(of.Point(1), "x", 2),
    "deleted": lambda of: delattr(of.Point(1), "x"),
    "another name": lambda of: setattr(of.Point(1), "z", 2),
    "no such slot": lambda of: setattr(of.Counter(), "z", 2),
    "too few": lambda of: of.Point(),
    "too many": lambda of: of.Point(1, 2, [], 4),
    "unknown": lambda of: of.Point(1, z=2),
    "by its place": lambda of: of.Options("zsh", "/"),
    "unhashable": lambda of: hash(of.Counter()),
}


MORE_THAN_FEW = 12


class _Of:
    def __init__(self, attrs: ModuleType) -> None:
        self.__dict__.update(classes(attrs))


# CLI-26
@pytest.mark.parametrize("case", CASES)
def test_a_class_does_what_that_of_the_library_does(case: str) -> None:
    expected, found = (CASES[case](_Of(attrs), attrs) for attrs in (library, lazy))
    assert found == expected
    # The first values are made without a method of their own, later ones by one that is compiled.
    again = _Of(lazy)
    assert [CASES[case](again, lazy) for _ in range(MORE_THAN_FEW)] == [expected] * MORE_THAN_FEW


@pytest.mark.parametrize("case", REFUSED)
def test_a_class_refuses_what_that_of_the_library_refuses(case: str) -> None:
    of = _Of(library)
    with pytest.raises((TypeError, AttributeError)) as expected:
        REFUSED[case](of)
    again = _Of(lazy)
    for _ in range(MORE_THAN_FEW):
        with pytest.raises((TypeError, AttributeError)) as found:
            REFUSED[case](again)
        assert type(found.value) is type(expected.value)


@lazy.frozen
class Kept:
    """At the top of a module, as a pickle needs it."""

    text: str
    inner: tuple[int, ...] = ()


def test_a_frozen_value_is_pickled_and_its_copy_is_frozen() -> None:
    copy = pickle.loads(pickle.dumps(Kept("a", (1, 2))))
    assert copy == Kept("a", (1, 2))
    with pytest.raises(FrozenInstanceError):
        copy.text = "b"


def test_the_library_inherits_from_a_lazy_class() -> None:
    @library.frozen
    class More(Kept):
        last: int = 3

    assert repr(More("a")).endswith("More(text='a', inner=(), last=3)")


def test_a_class_says_at_once_what_it_cannot_be() -> None:
    with pytest.raises(ValueError, match="no default"):

        @lazy.frozen
        class Order:
            first: int = 1
            second: str

    with pytest.raises(TypeError, match="converters"):

        @lazy.define
        class Converted:
            words: tuple[str, ...] = lazy.field(converter=tuple)


def test_neither_the_library_nor_a_compiler_is_needed_to_declare_a_class() -> None:
    text = (
        "import sys\n"
        "from zsh_ls.lazy import attrs\n"
        "@attrs.frozen\nclass A:\n    x: int\n"
        "assert repr(attrs.evolve(A(1), x=2)) == 'A(x=2)', A\n"
        "print('attr' in sys.modules, attrs.fields(A).x.name, 'attr' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("False x True\n", "")


@pytest.mark.parametrize("name", ["__init__", "__eq__", "__hash__"])
def test_a_method_that_another_thread_wrote_meanwhile_is_taken(name: str) -> None:
    @lazy.frozen
    class Point:
        x: int

    @lazy.frozen
    class Named(Point):
        name: str = ""

    class Plain(Named):
        """A class of its own, whose methods are those of the class above."""

    # What a thread holds that is about to call the method, while another one makes and compares values.
    held = {cls: getattr(cls, name) for cls in (Point, Named, Plain)}
    for cls in held:
        assert {cls(it) for it in range(20)} == {cls(it) for it in range(20)}
    for cls, method in held.items():
        if name == "__init__":
            value = cls.__new__(cls)
            method(value, 3)
            assert value == cls(3)
        elif name == "__eq__":
            assert method(cls(3), cls(3)) is True
            assert method(cls(3), cls(4)) is False
        else:
            assert method(cls(3)) == hash(cls(3))

"""The folders are those that platformdirs tells."""

from __future__ import annotations

import platformdirs
import pytest

from zsh_ls.lazy import platformdirs as lazy


# CLI-26
@pytest.mark.parametrize("kind", ["data", "state", "config", "cache"])
@pytest.mark.parametrize("home", ["/home/ada", "/home/ada/", "/", "relative", "", None])
@pytest.mark.parametrize("base", ["/elsewhere", "/elsewhere/", "relative", "~/own", "", None])
def test_a_folder_is_where_the_library_says(
    monkeypatch: pytest.MonkeyPatch, kind: str, home: str | None, base: str | None
) -> None:
    for name, value in (("HOME", home), (f"XDG_{kind.upper()}_HOME", base)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    ask = f"user_{kind}_dir"
    assert getattr(lazy, ask)("zsh-ls") == getattr(platformdirs, ask)("zsh-ls")

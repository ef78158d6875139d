"""The unpacked Emacs, and the variables that it needs to find its own files."""

from __future__ import annotations

from tests.editors.environment import EditorEnvironment
from tests.editors.fetch_debs import unpacked

VERSION = "30.1"


def emacs_at(environment: EditorEnvironment) -> tuple[list[str], dict[str, str]]:
    """The command that starts it without anybody's configuration, and the environment."""
    root = unpacked("emacs")
    shared = root / "usr/share/emacs" / VERSION
    helpers = root / "usr/libexec/emacs" / VERSION / "x86_64-linux-gnu"
    (dump,) = helpers.glob("*.pdmp")
    env = {
        **environment.env,
        "EMACSLOADPATH": str(shared / "lisp"),
        "EMACSDATA": str(shared / "etc"),
        "EMACSDOC": str(shared / "etc"),
        "EMACSPATH": str(helpers),
    }
    return [str(root / "usr/bin/emacs-nox"), f"--dump-file={dump}", "-Q"], env

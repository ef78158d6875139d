"""Rehearsals in a real VS Code (REH-2, REH-3)."""

from __future__ import annotations

from .studio import REAL_EDITOR, Studio

pytestmark = REAL_EDITOR

SCRIPT = "#!/bin/bash\nrm -r built\npython3 b.py || exit 4\n"


async def test_the_lens_tells_behind_the_lines_what_a_script_would_do(studio: Studio) -> None:
    kept = studio.environment.write("rehearsed.sh", "").parent / "built" / "one"
    kept.parent.mkdir()
    kept.write_text("x")
    script = await studio.show("rehearsed.sh", SCRIPT)
    lenses = await studio.host.until("lenses", script, holds=lambda it: len(it) >= 3)
    lens = next(it for it in lenses if it["title"] == "▷ rehearse")
    found = await studio.host.ask("command", lens["command"], *lens["args"])
    assert found["exit"] == 0
    assert [(it["line"], it["marks"]) for it in found["lines"] if it["marks"]] == [
        (1, ["destroys"])
    ]
    assert kept.exists()
    hints = await studio.host.until("hints", script, holds=lambda it: len(it) >= 2)
    assert "would remove" in str(hints)
    assert "would run python3" in str(hints)
    await studio.host.ask("select", [2, 0], [2, 0])
    failed = await studio.host.ask("command", "zsh-ls.rehearseFailure")
    assert [(it["command"], it["exit"]) for it in failed["fates"]] == [("python3 b.py", 4)]

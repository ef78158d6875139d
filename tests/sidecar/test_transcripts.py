"""Watching a task, second by second and word by word, in virtual time (POLL-1…5, KILL).

`python -m tests.sidecar.test_transcripts` writes the answers of today into the
files; read them before you commit them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from zsh_ls.sidecar import SidecarOptions

from .transcript import play, read, replay, without_times

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_transcript_is_played_word_for_word(path: Path) -> None:
    assert play(read(path)) == path.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["two_observers", "news_resets_the_count", "waiting_for_nothing"])
async def test_a_real_sidecar_answers_the_same(name: str, options: SidecarOptions) -> None:
    path = next(path for path in FILES if path.stem == name)
    assert without_times(await replay(read(path), options)) == without_times(path.read_text())


if __name__ == "__main__":
    for file in FILES:
        file.write_text(play(read(file)))

"""`tools/releasing/publish` needs a token for each registry, and nothing else."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FILES = ("zsh_ls-0.1.0-py3-none-any.whl", "zsh_ls-0.1.0.tar.gz", "zsh-ls-0.1.0.vsix")


@pytest.fixture
def made(tmp_path: Path) -> Path:
    sums = []
    for name in FILES:
        (tmp_path / name).write_text(name)
        sums.append(f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n")
    (tmp_path / "SHA256SUMS").write_text("".join(sums))
    return tmp_path


def publish(folder: Path, **tokens: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "tools/releasing/publish", folder],
        env={"PATH": "/usr/bin:/bin", "DRY_RUN": "1", **tokens},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_registry_without_a_token_is_passed_over_and_said(made: Path) -> None:
    done = publish(made, OVSX_PAT="x")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"npx --yes ovsx@1.3.0 publish {made}/{FILES[2]}\n"
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        "passed over, no UV_PUBLISH_TOKEN",
        "passed over, no VSCE_PAT",
        "passed over, no NVIM_PUSH",
        "passed over, no LUAROCKS_API_KEY",
    ]


def test_what_differs_from_its_sum_is_not_published(made: Path) -> None:
    (made / FILES[0]).write_text("something else")
    done = publish(made, UV_PUBLISH_TOKEN="x")
    assert done.returncode != 0
    assert done.stdout == ""

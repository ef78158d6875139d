"""What other projects take into their reviews: the hook for pre-commit, and the action that uploads SARIF."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
FAULTY = "#!/bin/zsh\nset -e\nlocal version=$(git describe)\necho $version\n"
FINE = "#!/bin/zsh\nprint hi\n"


def git(folder: Path, *words: str) -> None:
    names = {
        f"GIT_{who}_{what}": "t@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, env={**os.environ, **names}
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "fine.zsh").write_text(FINE)
    (folder / "notes.txt").write_text("local x=$(false)\n")
    git(folder, "add", ".")
    return folder


@pytest.mark.slow
def test_pre_commit_stops_a_commit_with_a_finding(project: Path, tmp_path: Path) -> None:
    """By pre-commit itself, which installs the program from this repository."""
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    environment.pop("GIT_DIR", None)
    words = [
        sys.executable,
        "-m",
        "pre_commit",
        "try-repo",
        str(ROOT),
        "zsh-ls-check",
        "--all-files",
    ]

    def tried() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )

    assert tried().returncode == 0
    (project / "faulty.zsh").write_text(FAULTY)
    git(project, "add", ".")
    done = tried()
    assert done.returncode == 1, done.stderr
    assert "faulty.zsh:3" in done.stdout
    assert "fine.zsh" not in done.stdout
    assert "notes.txt" not in done.stdout


class Runner:
    """Runs the `run` steps of a composite action as GitHub's runner does, and notes what it would use."""

    def __init__(self, action: dict[str, Any], folder: Path, temp: Path) -> None:
        self._action = action
        self._folder = folder
        self._temp = temp
        self.outputs: dict[str, dict[str, str]] = {}
        self.used: list[dict[str, Any]] = []

    def _value(self, text: str, inputs: dict[str, str]) -> str:
        known = {f"inputs.{name}": value for name, value in inputs.items()}
        for step, given in self.outputs.items():
            known |= {f"steps.{step}.outputs.{name}": value for name, value in given.items()}
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda found: known[found[1]], text)

    def _holds(self, condition: str, inputs: dict[str, str]) -> bool:
        for part in condition.split(" && "):
            name, operator, literal = part.split(" ")
            where, *rest = name.split(".")
            value = inputs[rest[0]] if where == "inputs" else self.outputs[rest[0]][rest[2]]
            if (value == literal.strip("'")) != (operator == "=="):
                return False
        return True

    def run(self, **given: str) -> int:
        inputs = {name: str(it.get("default", "")) for name, it in self._action["inputs"].items()}
        inputs |= given
        for step in self._action["runs"]["steps"]:
            if "if" in step and not self._holds(step["if"], inputs):
                continue
            if "uses" in step:
                self.used.append({k: self._value(v, inputs) for k, v in step["with"].items()})
                continue
            out = self._temp / "outputs"
            out.write_text("")
            environment = {
                name: self._value(it, inputs) for name, it in step.get("env", {}).items()
            }
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                cwd=self._folder,
                env={
                    **os.environ,
                    **environment,
                    "RUNNER_TEMP": str(self._temp),
                    "GITHUB_OUTPUT": str(out),
                },
                timeout=280,
                check=False,
            )
            if done.returncode:
                return done.returncode
            if "id" in step:
                self.outputs[step["id"]] = dict(
                    line.split("=", 1) for line in out.read_text().splitlines()
                )
        return 0


@pytest.mark.slow
def test_the_action_uploads_findings_and_then_fails(project: Path, tmp_path: Path) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    (project / "faulty.zsh").write_text(FAULTY)
    runner = Runner(action, project, tmp_path)
    assert runner.run(version=f"{ROOT}/.", paths="faulty.zsh\nfine.zsh") == 1
    (upload,) = runner.used
    found = json.loads(Path(upload["sarif_file"]).read_text())["runs"][0]["results"]
    places = [it["locations"][0]["physicalLocation"] for it in found]
    assert [it["artifactLocation"]["uri"] for it in places] == ["faulty.zsh"]
    assert runner.run(version=f"{ROOT}/.", paths="fine.zsh") == 0
    assert len(runner.used) == 2


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-actions", "action.yml"),
        ("github-workflows", ".github/workflows/release.yml"),
        ("github-workflows", ".github/workflows/tests.yml"),
    ],
)
def test_what_github_reads_is_as_its_schema_asks(schema: str, file: str) -> None:
    words = ["--builtin-schema", f"vendor.{schema}", str(ROOT / file)]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout

"""Questions what a command or an option does, and those that only look like one."""

from __future__ import annotations

import pytest

from zsh_ls.answers.meaning import Asked, asked_about


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what does tar -xzf do", Asked("tar -xzf", "-xzf")),
        ("what does -p do in mkdir?", Asked("mkdir", "-p")),
        ("What is the -p option of mkdir", Asked("mkdir", "-p")),
        ("Kindly explain what the -p does in mkdir -p.", Asked("mkdir -p", "-p")),
        ("what wants to say the -f by curl?", Asked("curl", "-f")),
        ("whats -r in rm", Asked("rm", "-r")),
        ("explain git stash pop", Asked("git stash pop")),
        ("could you please tell me what tar does", Asked("tar")),
        ("what does docker build --no-cache -t x do", Asked("docker build --no-cache -t x")),
    ],
)
def test_what_is_asked_about(question: str, asked: Asked) -> None:
    assert asked_about(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "what does make do on the other server",
        "what does npm test do when it fails",
        "what did tar do",
        "what does /etc/passwd do",
        "explain why make failed",
        "explain",
        "what is running",
        "what does tar -x do; rm -rf /",
    ],
)
def test_what_asks_something_else(question: str) -> None:
    assert asked_about(question) is None

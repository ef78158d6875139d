"""Whether an output may hold a sign of a failure: a hook's process asks it, and loads only `re` for it."""

from __future__ import annotations

from zsh_ls.lazy import re

# What tools, shells and test runners write where something failed; `news` judges what it is.
_MAY_BE_ONE = re.compile(
    r"error|\berr\b|fail|fatal|panic|traceback|not found|no such|denied|cannot|can't|could not|invalid|"
    r"unknown|went wrong|unrecogni|abort|exception|not ok|refused|timed out|unable|illegal|missing|usage|"
    r"no module|offense|style issues|would (?:be )?reformat|"
    r"\*\*\*|\bE: |build stopped|segmentation|✕|✖|✗|●|\bFAILED\b|^\s+at \S.*:\d+:\d+\)?$",
    re.IGNORECASE | re.MULTILINE,
)
_SEVERAL = re.compile(r"[;|&\n]")
# A redirection to a file, not `2>&1`, and something behind it that gives the line its exit.
_MAY_HIDE_OUTPUT = re.compile(r">(?!&[\d-])[^\n;|&)]*[\n;|&)]")


def may_have_failed(output: str, exit_status: int | None, command: str) -> bool:
    """Whether there may be news of a run.

    It has another exit than 0, its output may tell of a failure, or a command of it may have sent to a
    file what would.
    """
    may_tell = bool(output) and _MAY_BE_ONE.search(output) is not None
    return bool(exit_status) or may_tell or may_hide_output(command)


def may_hide_output(command: str) -> bool:
    """Whether a command of a line may print to a file, and another one end the line."""
    return ">" in command and _MAY_HIDE_OUTPUT.search(command) is not None


def ends_in_silence(command: str, output: str) -> bool:
    """Whether what failed said nothing: no output at all, or that of other commands of the line alone."""
    if not output.strip():
        return True
    return _SEVERAL.search(command) is not None and _MAY_BE_ONE.search(output) is None

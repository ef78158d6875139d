"""Whether an output may hold a sign of a failure: a hook's process asks it, and loads only `re` for it."""

from __future__ import annotations

import re

# What tools, shells and test runners write where something failed; `news` judges what it is.
_MAY_BE_ONE = re.compile(
    r"error|\berr\b|fail|fatal|panic|traceback|not found|no such|denied|cannot|can't|could not|invalid|"
    r"unknown|went wrong|unrecogni|abort|exception|not ok|refused|timed out|unable|illegal|missing|usage|"
    r"\*\*\*|\bE: |build stopped|segmentation|✕|✖|✗|●|\bFAILED\b",
    re.IGNORECASE,
)


def may_have_failed(output: str, exit_status: int | None) -> bool:
    """Whether there may be news of a run: it has another exit than 0, or its output may tell of a failure."""
    return bool(exit_status) or _MAY_BE_ONE.search(output) is not None

"""What a hook event tells of a command, without the classes that judge it: a hook loads nothing else."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The two ends of an output that are passed on: signs of a failure stand at its end, or come first.
END_CHARS = 192 * 1024


class ToldRun:
    """A command with what the agent tells of it; the names are those of `model.agent_run.AgentRun`."""

    def __init__(
        self,
        command: str,
        folder: str,
        output: str,
        exit_status: int | None,
        *,
        duration_s: float | None = None,
        timed_out: bool = False,
        session: str = "",
    ) -> None:
        self.command = command
        self.folder = folder
        self.output = shortened(output)
        self.exit = exit_status
        self.duration_s = duration_s
        self.timed_out = timed_out
        self.session = session


class ToldCommand:
    """A command that an agent is about to run, where its hook may have it run otherwise."""

    def __init__(
        self,
        command: str,
        folder: str,
        *,
        shell: str = "",
        permissions: object = None,
        transcript: str = "",
        call: str = "",
    ) -> None:
        self.command = command
        self.folder = folder
        self.shell = shell
        """The shell that runs it; empty where it is the person's."""
        self.permissions = permissions
        """The agent's rules, where it tells them itself."""
        self.transcript = transcript
        """The file that says whether the agent asks about the call `call` first, where it may."""
        self.call = call


def shortened(output: str) -> str:
    """An output, or of a very long one its two ends."""
    if len(output) <= 2 * END_CHARS:
        return output
    return f"{output[:END_CHARS]}\n{output[-END_CHARS:]}"


def text_of(event: Mapping[str, Any], name: str) -> str:
    """A field of an event that holds text; empty where it holds none."""
    value = event.get(name)
    return value if isinstance(value, str) else ""


def object_of(event: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A field of an event that holds an object; empty where it holds none."""
    value = event.get(name)
    return value if isinstance(value, dict) else {}


def seconds_of(event: Mapping[str, Any], name: str) -> float | None:
    """A field in milliseconds, in seconds; None where it holds no number."""
    value = event.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value / 1000 if value >= 0 else None


def exit_of(value: object) -> int | None:
    """An exit status; None for what is none."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= 255 else None

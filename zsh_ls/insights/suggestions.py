"""The meta data of a poll of a running task: counts, estimates and a suggestion (POLL-2…5)."""

from __future__ import annotations

from zsh_ls.lazy import attrs
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.results import AlanEstimate, PollMeta

from .formatting import seconds, whole_seconds

WAITING_FOR_INPUT = "Waiting for input. Use zsh_send."
NEARING_COMPLETION = "Nearing typical completion — poll again soon."
_HUNG = "Command may be hung. Consider zsh_kill."
MAYBE_HUNG = f"No output for {{idle}} across {{polls}} polls. {_HUNG}"
SPACE_POLLS = (
    "No output for {idle}. Median completion for '{template}' is {median} "
    "({elapsed} elapsed). Consider spacing polls."
)
SPACE_POLLS_WIDER = "No output for {idle}. Consider spacing polls wider."

EARLY_POLLS = 2
EARLY_IDLE_S = 30.0
NEAR_SHARE_OF_MEDIAN = 0.8
HUNG_POLLS = 10


@attrs.frozen
class IdleCount:
    """An observer's number of consecutive polls (or heartbeats) without output."""

    polls: int = 0

    def after(self, new_bytes: int) -> IdleCount:
        """The count after one more poll, which brought `new_bytes` of output."""
        return IdleCount(0 if new_bytes else self.polls + 1)


def suggestion(
    *,
    waiting_for_input: bool,
    polls_since_output: int,
    idle_s: float,
    elapsed_s: float,
    estimate: Estimate | None,
) -> str | None:
    """The suggestion by the table of POLL-5, first match wins; None if nothing matches."""
    if waiting_for_input:
        return WAITING_FOR_INPUT
    if polls_since_output == 0 or (polls_since_output <= EARLY_POLLS and idle_s < EARLY_IDLE_S):
        return None
    idle = whole_seconds(idle_s)
    if (
        estimate is not None
        and NEAR_SHARE_OF_MEDIAN * estimate.median_s < elapsed_s <= estimate.median_s
    ):
        return NEARING_COMPLETION
    if polls_since_output >= HUNG_POLLS and (estimate is None or elapsed_s > estimate.p90_s):
        return MAYBE_HUNG.format(idle=idle, polls=polls_since_output)
    if estimate is None:
        return SPACE_POLLS_WIDER.format(idle=idle)
    return SPACE_POLLS.format(
        idle=idle,
        template=estimate.command_template,
        median=seconds(estimate.median_s),
        elapsed=whole_seconds(elapsed_s),
    )


def poll_meta(
    idle: IdleCount,
    *,
    elapsed_s: float,
    idle_s: float,
    waiting_for_input: bool,
    estimate: Estimate | None,
) -> PollMeta:
    """The meta data of a poll response or a progress notification (POLL-2)."""
    return PollMeta(
        polls_since_output=idle.polls,
        elapsed_since_last_output_s=round(idle_s, 1),
        total_elapsed_s=round(elapsed_s, 1),
        alan_estimate=None if estimate is None else alan_estimate(estimate, elapsed_s),
        waiting_for_input=waiting_for_input,
        next_useful_poll_s=None if estimate is None else estimate.next_useful_poll_s(elapsed_s),
        suggestion=suggestion(
            waiting_for_input=waiting_for_input,
            polls_since_output=idle.polls,
            idle_s=idle_s,
            elapsed_s=elapsed_s,
            estimate=estimate,
        ),
    )


def told_to_people(meta: PollMeta | None) -> str | None:
    """What a suggestion says, for who polls nothing and knows no tool (POLL-9)."""
    if meta is None or meta.suggestion is None:
        return None
    if meta.waiting_for_input:
        return "Waiting for input."
    if meta.suggestion == NEARING_COMPLETION:
        return "Nearing typical completion."
    quiet = f"No output for {whole_seconds(meta.elapsed_since_last_output_s)}."
    if meta.suggestion.endswith(_HUNG):
        return f"{quiet} It may be hung."
    usual = meta.alan_estimate
    return f"{quiet} Usually takes ~{usual.median_duration_s:g}s." if usual is not None else quiet


def alan_estimate(estimate: Estimate, elapsed_s: float) -> AlanEstimate:
    """The estimate after `elapsed_s`, rounded for the protocol (POLL-4)."""
    return AlanEstimate(
        command_template=estimate.command_template,
        median_duration_s=round(estimate.median_s, 1),
        p90_duration_s=round(estimate.p90_s, 1),
        completion_probability=estimate.completion_probability(elapsed_s),
        sample_size=estimate.sample_size,
        basis=estimate.basis.value,
        scope=estimate.scope.value,
        agents=estimate.agents,
    )


def prospects_of(meta: PollMeta | None, ends_at_s: float | None) -> list[str]:
    """What `poll_meta` knows, as text: the facts in one line, a suggestion in its own (POLL-9)."""
    facts = []
    if meta is not None and meta.waiting_for_input:
        facts.append("waiting for input")
    if meta is not None and (known := meta.alan_estimate) is not None:
        runs = f"{known.sample_size} run{'s' if known.sample_size != 1 else ''}"
        facts.append(
            f"usually {known.median_duration_s:g}s ({runs} of '{known.command_template}'), "
            f"{known.completion_probability:.0%} have ended by now"
        )
    if ends_at_s is not None:
        facts.append(f"ends at {ends_at_s:g}s")
    suggestion = None if meta is None else meta.suggestion
    return [line for line in (" · ".join(facts), suggestion) if line]

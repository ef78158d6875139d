"""A failed request as an answer: what was missing, and the command that would install it (ANS-3)."""

from __future__ import annotations

from zsh_ls.answers.build import error_answer
from zsh_ls.answers.markup import code_span
from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import SidecarError


def fault_answer(failed: str, fault: Exception) -> Answer:
    """`Failed to execute: {failed}` with the reason, and how to install a program that was missing."""
    program = fault.missing_program if isinstance(fault, SidecarError) else None
    if program is None:
        return error_answer(failed, str(fault))
    # Few faults are of this kind, and every server's start loads this module.
    from zsh_ls.answers.software import install_commands  # noqa: PLC0415
    from zsh_ls.machine.facts import package_manager  # noqa: PLC0415

    commands = install_commands(program, package_manager())
    steps = ["Install it, then ask again.", "Ask for one that is there."] if commands else ()
    return error_answer(
        failed, str(fault), steps, commands, missing=f"the program {code_span(program)}"
    )

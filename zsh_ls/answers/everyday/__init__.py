"""The questions people ask first, in any words: why, which tests, outputs, ports (ANS-6, ANS-7).

An intent is tried after the families, whose patterns know the order of words. Each answers from facts
or gives None: then the next one that fits is tried, and in the end nobody knows the question.

To add one, write its function and its row of QUESTIONS into the module of its thought.
"""

from . import changes, failures, machine, names, runs
from .meant import Everyday

EVERYDAY: tuple[Everyday, ...] = (
    *failures.QUESTIONS,
    *runs.QUESTIONS,
    *machine.QUESTIONS,
    *changes.QUESTIONS,
    *names.QUESTIONS,
)
__all__ = ["EVERYDAY", "Everyday"]

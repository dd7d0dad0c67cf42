"""A system that is asked the later questions of a conversation as they are understood without the earlier turns.

Compared with a run without this, it shows what a system loses by following a conversation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgsynth.base.records import Answer, Item
from kgsynth.scoring.systems import System


class StandaloneSystem:
    """A system that gets ``Item.standalone`` as the question, without history, where an item has it."""

    takes_history = True

    def __init__(self, system: System) -> None:
        self.name, self.signature = f"{system.name}, standalone questions", f"{system.signature}|standalone"
        self._system = system
        if hasattr(system, "ask_first"):
            self.ask_first = lambda item: system.ask_first(standalone(item))

    def __getattr__(self, name: str) -> Any:
        """Return what else the system has, such as ``at_once`` and ``notes``."""
        return getattr(self._system, name)

    def ask(self, item: Item) -> Answer:
        """Return the answer to the standalone question."""
        return self._system.ask(standalone(item))

    def close(self) -> None:
        """Close the system."""
        self._system.close()


def standalone(item: Item) -> Item:
    """Return an item with its standalone question and no history; one without earlier turns as it is.

    Example:
        >>> item = Item("q", "And in York?", (), "simple", "", "en", (), standalone="Who leads the desk in York?")
        >>> standalone(item).question
        'Who leads the desk in York?'
    """
    return replace(item, question=item.standalone, history=()) if item.standalone else item

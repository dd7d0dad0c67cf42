"""Estimate one metric of a whole golden set from the answers to some of its questions (``score --until``).

``past_runs`` reads earlier runs, ``trust`` checks that the interval would have held for them, ``choosing`` picks the
questions, ``estimating`` is the interval, and ``asking`` asks until it is narrow enough.
"""

from kgsynth.scoring.adaptive.asking import Aim, ask_some, open_aim

__all__ = ["Aim", "ask_some", "open_aim"]

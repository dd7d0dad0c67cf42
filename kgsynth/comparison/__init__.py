"""Compare runs of ``score``, a set with a human one, runs over time, and two systems in service."""

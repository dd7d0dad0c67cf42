"""Compare runs of ``score``, a question set with a human one, runs over time, and two systems in production."""

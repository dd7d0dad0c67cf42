"""The version of kgsynth: what a run records, and what a page shows."""

__version__ = "0.1.0"

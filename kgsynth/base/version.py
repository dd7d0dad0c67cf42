"""The version of kgsynth, which runs record and pages show."""

__version__ = "0.1.0"

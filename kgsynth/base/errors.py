"""The errors that kgsynth raises on purpose: one sentence with the value, where it is, and the next step."""

from __future__ import annotations


class KgsynthError(Exception):
    """The base class of all errors a user can fix; ``exit_code`` is the exit code of the command line."""

    exit_code = 3


class ConfigError(KgsynthError):
    """An option or setting is wrong; the message names all problems."""

    exit_code = 2


class UnknownArgumentError(ConfigError, TypeError):
    """A function was called with an argument that it does not have."""


class UnknownNameError(ConfigError, KeyError):
    """A mapping has no value of this name."""

    __str__ = Exception.__str__  # a KeyError would show the sentence in quotes


class InputError(KgsynthError):
    """A file or folder cannot be used as it is."""

    exit_code = 3


class DamagedDatabaseError(InputError):
    """A file is not a database, is damaged, or is a database of another kind."""


class SystemUnreachableError(KgsynthError):
    """The system under test, or a model, cannot be reached or loaded."""

    exit_code = 4


class GateError(KgsynthError):
    """A gate of ``score`` or ``audit`` failed."""

    exit_code = 1


class BudgetError(KgsynthError):
    """The budget for a language model is spent; its replies are cached, and the same command resumes."""

    exit_code = 130

"""Every error kgsynth raises on purpose: one sentence, the value, where it is, the next step."""

from __future__ import annotations


class KgsynthError(Exception):
    """The base of all errors a user can mend; ``exit_code`` is what the command line ends with."""

    exit_code = 3


class ConfigError(KgsynthError):
    """A wrong option, config file or combination of the two; all faults found are in the message."""

    exit_code = 2


class InputError(KgsynthError):
    """A file or folder that could not be used as it is."""

    exit_code = 3


class SystemUnreachableError(KgsynthError):
    """The scored system, or the model, could not be reached or loaded."""

    exit_code = 4


class GateError(KgsynthError):
    """A gate of ``score`` or ``audit`` did not hold."""

    exit_code = 1


class BudgetError(KgsynthError):
    """What a language model may cost was spent; what was paid for is kept, and the same command goes on."""

    exit_code = 130

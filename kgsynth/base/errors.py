"""The errors that kgsynth raises on purpose: one sentence with the value, where it is, and the next step."""

from __future__ import annotations

import sys
from importlib.util import find_spec

EXTRAS = {
    **dict.fromkeys(("lxml", "mammoth", "pptx", "python_calamine"), "office"),
    **dict.fromkeys(("docutils", "yaml"), "markup"),
    **dict.fromkeys(("jieba", "opencc"), "zh"),
    **dict.fromkeys(("matplotlib", "PIL"), "plots"),
    **dict.fromkeys(("sacrebleu", "sklearn"), "lab"),
    "openai": "llm",
    "mcp": "mcp",
    "xlsxwriter": "export",
    "pyarrow": "parquet",
    "ray": "ray",
    **dict.fromkeys(("huggingface_hub", "networkx", "sentence_transformers", "spacy", "torch", "transformers"), ""),
}
"""Module that may be missing -> the extra that installs it; "" for what only the light install leaves out.

The extra of a language has its code as name.
"""
NOT_INSTALLED = "which is not installed: run pip install"


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


def installed(module: str) -> bool:
    """Check whether a top-level module is installed, without importing it."""
    return (sys.modules[module] if module in sys.modules else find_spec(module)) is not None


def lack(what: str, module: str) -> str:
    """Return the sentence for a module of ``EXTRAS`` that is not installed, and ``what`` needs it.

    Example:
        >>> lack("Chinese text", "jieba")
        "Chinese text needs jieba, which is not installed: run pip install 'kgsynth[zh]'"
        >>> lack("the parser", "spacy")
        'the parser needs spacy, which is not installed: run pip install kgsynth'
    """
    return f"{what} needs {module}, {NOT_INSTALLED} " + (
        f"'kgsynth[{EXTRAS[module]}]'" if EXTRAS[module] else "kgsynth"
    )


def lacking(what: str, error: BaseException) -> str:
    """Return the sentence of ``lack`` if an import failed because a module of ``EXTRAS`` is not installed, else ""."""
    module = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return lack(what, module) if module in EXTRAS else ""

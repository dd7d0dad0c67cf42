"""Wrong names of settings, arguments and metrics: an error that names the nearest right one."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Collection
from functools import wraps
from typing import ParamSpec, TypeVar

from kgsynth.base.errors import ConfigError, UnknownArgumentError, UnknownNameError, lacking

_MIN_LIKENESS = 0.5  # of difflib, which by itself takes 0.6: too much for short names

Args = ParamSpec("Args")
Out = TypeVar("Out")
Value = TypeVar("Value")


def suggestion(name: str, known: Collection[str]) -> str:
    """Return what may have been meant by an unknown name.

    Example:
        >>> suggestion("chunk_sise", ["n", "chunk_size"]), suggestion("num", ["n", "chunk_size"])
        ('did you mean chunk_size?', 'did you mean n?')
        >>> suggestion("top", ["n", "chunk_size"])
        'known are n, chunk_size'
    """
    near = difflib.get_close_matches(name, known, n=1, cutoff=_MIN_LIKENESS)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


def checked_arguments(function: Callable[Args, Out]) -> Callable[Args, Out]:
    """Return the function; a call with an unknown argument raises ``UnknownArgumentError`` with the nearest one.

    For an argument that is a setting of ``config``, the error says so. A package that is not installed becomes a
    ``ConfigError`` that says how to install it.
    """
    known = inspect.signature(function).parameters

    @wraps(function)
    def call(*args: Args.args, **kwargs: Args.kwargs) -> Out:
        for name in kwargs:
            if name not in known:
                hint = suggestion(name, list(known))
                if "config" in known and name in _setting_names():
                    hint = f"give it as config=Config({name}=…)"
                raise UnknownArgumentError(f"{function.__name__}() has no argument {name}; {hint}")
        try:
            return function(*args, **kwargs)
        except ModuleNotFoundError as error:
            if sentence := lacking(f"{function.__name__}()", error):
                raise ConfigError(sentence) from error
            raise

    return call


def _setting_names() -> Collection[str]:
    from kgsynth.base.config import CONFIG_KEYS

    return CONFIG_KEYS


class MetricValues(dict[str, Value]):
    """Metrics by name; an unknown name raises ``UnknownNameError``, which is a ``KeyError``, with the nearest one.

    Example:
        >>> MetricValues({"recall@5": 0.9})["recal@5"]
        Traceback (most recent call last):
        kgsynth.base.errors.UnknownNameError: no metric recal@5; did you mean recall@5?
    """

    def __missing__(self, name: str) -> Value:
        raise UnknownNameError(f"no metric {name}; {suggestion(name, self)}")

"""The words that an embedding model wants before a text, which tell it a question from a passage that may answer it."""

from __future__ import annotations

import re
from typing import NamedTuple

_E5 = re.compile(r"(?:^|[/-])e5-(?:small|base|large)(?!.*instruct)")


class Prefixes(NamedTuple):
    """What stands before a question, and before any other text."""

    question: str = ""
    passage: str = ""


NO_PREFIXES = Prefixes()
E5_PREFIXES = Prefixes("query: ", "passage: ")
"""The prefixes of the family E5 (Wang et al. 2022), except for those that follow instructions."""


def prefixes_of(name: str) -> Prefixes:
    """Return the prefixes of the model with this name or in this folder, none for a model that needs none.

    Example:
        >>> prefixes_of("intfloat/multilingual-e5-small")
        Prefixes(question='query: ', passage='passage: ')
        >>> prefixes_of("BAAI/bge-m3"), prefixes_of("intfloat/multilingual-e5-large-instruct")
        (Prefixes(question='', passage=''), Prefixes(question='', passage=''))
    """
    return E5_PREFIXES if _E5.search(name.lower().replace("\\", "/")) else NO_PREFIXES

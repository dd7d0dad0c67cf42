"""Find the document that a name means: a path with more or fewer folders than ours, or only a title."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath


class DocNames:
    """Resolves names to documents: the id itself, a longer path that ends with it, or the end of it.

    Example:
        >>> names = DocNames(["people/leave.md", "people/travel.md"])
        >>> names.resolve("C:\\\\docs\\\\people\\\\leave.md"), names.resolve("leave.md"), names.resolve("other.md")
        ('people/leave.md', 'people/leave.md', None)
    """

    def __init__(self, docs: Iterable[str] = ()) -> None:
        self._docs: set[str] = set()
        self._tails: dict[str, set[str]] = {}
        self._stems: dict[str, set[str]] = {}
        self.learn(docs)

    def __contains__(self, name: object) -> bool:
        return name in self._docs

    def learn(self, docs: Iterable[str]) -> None:
        """Add more documents."""
        for doc in docs:
            if doc not in self._docs:
                self._docs.add(doc)
                self._stems.setdefault(_stem(doc), set()).add(doc)
                parts = doc.split("/")
                for at in range(1, len(parts)):
                    self._tails.setdefault("/".join(parts[at:]), set()).add(doc)

    def resolve(self, name: str) -> str | None:
        """Return the document a path means, which may have more or fewer folders than ours; None if that is unclear."""
        if name in self._docs:
            return name
        parts = normalize_path(name).split("/")
        for at in range(len(parts)):
            tail = "/".join(parts[at:])
            if tail in self._docs:
                return tail
        return _only(self._tails.get("/".join(parts), set()))

    def resolve_title(self, name: str) -> str | None:
        """Return the document a path or a title means; a title is compared with file names without their extension.

        Example:
            >>> DocNames(["wiki/Steam_engine.md"]).resolve_title("Steam engine")
            'wiki/Steam_engine.md'
        """
        return self.resolve(name) or _only(self._stems.get(_stem(name), set()) | self._stems.get(_letters(name), set()))


def normalize_path(name: str) -> str:
    r"""Return a path with forward slashes and without a leading ``./``.

    Example:
        >>> normalize_path(r".\docs\leave.md")
        'docs/leave.md'
    """
    return name.replace("\\", "/").removeprefix("./")


def _only(docs: set[str]) -> str | None:
    return next(iter(docs)) if len(docs) == 1 else None


def _stem(name: str) -> str:
    return _letters(PurePosixPath(normalize_path(name)).stem)


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()

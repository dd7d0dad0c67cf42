"""Which document does a name mean? Paths as others write them: longer, shorter, or the title alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath


class DocNames:
    """The names of the documents, and what each may be called: its own path, a longer one, or the end of it.

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
        """Add the names of more documents."""
        for doc in docs:
            if doc not in self._docs:
                self._docs.add(doc)
                self._stems.setdefault(_stem(doc), set()).add(doc)
                parts = doc.split("/")
                for at in range(1, len(parts)):
                    self._tails.setdefault("/".join(parts[at:]), set()).add(doc)

    def resolve(self, name: str) -> str | None:
        """Return the document a path means, which may start higher or lower than ours; None when that is not clear."""
        if name in self._docs:
            return name
        parts = plain(name).split("/")
        for at in range(len(parts)):
            tail = "/".join(parts[at:])
            if tail in self._docs:
                return tail
        return _only(self._tails.get("/".join(parts), set()))

    def resolve_title(self, name: str) -> str | None:
        """Return the document a path or a title means: that too whose file has this name but for its ending.

        Example:
            >>> DocNames(["wiki/Steam_engine.md"]).resolve_title("Steam engine")
            'wiki/Steam_engine.md'
        """
        return self.resolve(name) or _only(self._stems.get(_stem(name), set()) | self._stems.get(_level(name), set()))


def plain(name: str) -> str:
    r"""Return a path with forward slashes and no leading dot.

    Example:
        >>> plain(r".\docs\leave.md")
        'docs/leave.md'
    """
    return name.replace("\\", "/").removeprefix("./")


def _only(docs: set[str]) -> str | None:
    return next(iter(docs)) if len(docs) == 1 else None


def _stem(name: str) -> str:
    return _level(PurePosixPath(plain(name)).stem)


def _level(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()

"""What changed in a folder of documents: which were edited, added, removed and renamed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Changes:
    """The documents that differ between two states of a folder; ``renamed`` maps old names to new ones.

    The content of a renamed document is the same to the last byte. One that was also edited is removed and added.
    """

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Check whether anything changed."""
        return bool(self.changed or self.added or self.removed or self.renamed)


def compare(before: Mapping[str, str], now: Mapping[str, str]) -> Changes:
    """Return what changed between two folders, each given as document → sha256.

    A document was renamed if another one with its content appeared, and its content was there only once before and now.

    Example:
        >>> compare({"a.md": "1", "b.md": "2"}, {"a.md": "9", "c.md": "2"})
        Changes(changed=('a.md',), added=(), removed=(), renamed={'b.md': 'c.md'})
    """
    gone, new = sorted(before.keys() - now.keys()), sorted(now.keys() - before.keys())
    was, became = _by_content(before), _by_content(now)
    renamed = {
        old: became[before[old]][0] for old in gone if len(was[before[old]]) == len(became.get(before[old], ())) == 1
    }
    return Changes(
        changed=tuple(name for name in sorted(before.keys() & now.keys()) if before[name] != now[name]),
        added=tuple(name for name in new if name not in renamed.values()),
        removed=tuple(name for name in gone if name not in renamed),
        renamed=renamed,
    )


def _by_content(documents: Mapping[str, str]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    for name in sorted(documents):
        names[documents[name]].append(name)
    return dict(names)

"""Turn places of a PDF page, whose origin is anywhere and whose page may be rotated, into places as displayed.

A place is left, top, right, bottom in points from the top left corner of the page as displayed. Text that runs up or
down the page is read in a frame turned with it: ``upright`` turns a place into that frame, ``displayed`` turns it back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PageFrame:
    """The visible box of a page in the units of the file, and its rotation in quarter turns clockwise."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height as displayed."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.turns % 2 else (width, height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the file as displayed.

        Example:
            >>> PageFrame(10, 20, 110, 220, 0).point(10, 220), PageFrame(10, 20, 110, 220, 1).point(10, 20)
            ((0, 0), (0, 0))
        """
        if self.turns == 0:
            return x - self.left, self.top - y
        if self.turns == 1:
            return y - self.bottom, x - self.left
        if self.turns == 2:
            return self.right - x, y - self.bottom
        return self.top - y, self.right - x

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Return a box of the file as displayed."""
        return _box(self.point(left, bottom), self.point(right, top))

    def direction(self, x: float, y: float) -> int:
        """Return where text with this direction in the file runs as displayed: 0 right, 1 down, 2 left, 3 up."""
        turned = (0 if x > 0 else 2) if abs(x) >= abs(y) else (3 if y > 0 else 1)
        return (turned + self.turns) % 4

    def holds(self, box: Box) -> bool:
        """Check whether the middle of a box as displayed is on the page."""
        width, height = self.size
        return -1 <= (box[0] + box[2]) / 2 <= width + 1 and -1 <= (box[1] + box[3]) / 2 <= height + 1


def page_frame(page: Any) -> PageFrame:
    """Return the frame of a pypdfium2 page."""
    left, bottom, right, top = page.get_bbox()
    return PageFrame(left, bottom, right, top, page.get_rotation() // 90 % 4)


def upright(box: Box, direction: int, size: tuple[float, float]) -> Box:
    """Return a box as displayed in the frame in which text of this direction runs to the right.

    Example:
        >>> upright((10, 20, 30, 60), 3, (100, 200)), displayed((140, 10, 180, 30), 3, (100, 200))
        ((140, 10, 180, 30), (10, 20, 30, 60))
    """
    (left, top, right, bottom), (width, height) = box, size
    if direction == 0:
        return box
    if direction == 1:
        return top, width - right, bottom, width - left
    if direction == 2:
        return width - right, height - bottom, width - left, height - top
    return height - bottom, left, height - top, right


def displayed(box: Box, direction: int, size: tuple[float, float]) -> Box:
    """Return a box of the turned frame as displayed on the page of ``size``."""
    (left, top, right, bottom), (width, height) = box, size
    if direction == 0:
        return box
    if direction == 1:
        return width - bottom, left, width - top, right
    if direction == 2:
        return width - right, height - bottom, width - left, height - top
    return top, height - right, bottom, height - left


def around(boxes: list[Box]) -> Box:
    """Return the smallest box around all of them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _box(one: tuple[float, float], other: tuple[float, float]) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])

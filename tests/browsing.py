"""A real browser for tests marked ``browser``: Chromium, driven by Playwright, which ``make test-browser`` installs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window; its path is KGSYNTH_CHROMIUM, or that of the ``chromium`` on the PATH."""
    playwright = pytest.importorskip("playwright.sync_api", reason="`make test-browser` installs it")
    chromium = os.environ.get("KGSYNTH_CHROMIUM") or shutil.which("chromium")
    if not chromium:
        pytest.skip("no chromium on the PATH: install it, or set KGSYNTH_CHROMIUM to its path")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()

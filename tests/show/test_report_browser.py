"""Reports in a real browser: no error, no request, nothing too wide for a phone, and quick answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_sets import audited, compared, documents, generated, items, scored

from kgsynth.golden.dataset import Dataset

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

COMMANDS = ("generate", "score", "audit", "compare")
LARGE = 3_000_000
Opened = Callable[..., "Page"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of each command on 500 questions."""
    base = tmp_path_factory.mktemp("pages")
    texts = documents(60)
    dataset = Dataset(items(texts, 500))
    runs = (scored(texts, dataset, base / "even", 0), scored(texts, dataset, base / "odd", 1))
    htmls = {
        "generate": generated(texts, dataset).html,
        "audit": audited(texts, dataset).html,
        "compare": compared(*runs).html,
    }
    for command, html in htmls.items():
        (base / f"{command}.html").write_text(html, encoding="utf-8")
    return {**{command: base / f"{command}.html" for command in htmls}, "score": runs[0] / "report.html"}


@pytest.fixture
def opened(browser: Browser, pages: dict[str, Path]) -> Iterator[Opened]:
    """Open the page of a command; what it says on its console and asks of the network is looked at when it closes."""
    told: list[str] = []
    contexts = []

    def opening(command: str, width: int = 1280, scheme: str = "light") -> Page:
        context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: told.append(message.text))
        page.on("pageerror", lambda error: told.append(str(error)))
        page.on("dialog", lambda dialog: told.append(f"a script of a document ran: {dialog.message}"))
        page.on("request", lambda request: None if request.url.startswith("file:") else told.append(request.url))
        page.goto(pages[command].as_uri())
        return page

    yield opening
    for context in contexts:
        context.close()
    assert [line for line in told if not line.startswith("data:")] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_page_opens_without_error_and_fits(
    command: str, width: int, scheme: str, opened: Opened, pages: dict[str, Path]
) -> None:
    page = opened(command, width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for summary in page.locator("main > details > summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "nor when all is unfolded"
    assert pages[command].stat().st_size < LARGE


@pytest.mark.parametrize("command", ["generate", "score", "audit", "compare"])
def test_filters_choose_and_tell_how_many(command: str, opened: Opened) -> None:
    page = opened(command)
    box = page.locator("[data-filters]").first
    rows = page.locator(f"#{box.get_attribute('data-filters')} > details")

    def shown() -> int:
        return int(rows.evaluate_all("rows => rows.filter(row => row.offsetParent).length"))

    for select in box.locator("select").all():
        select.select_option("")
    everything = shown()
    assert everything == rows.count() > 100
    select = box.locator("select[data-key=difficulty]")
    option = select.locator("option").nth(1)
    told = int((option.text_content() or "").rpartition("(")[2].rstrip(")"))
    select.select_option(index=1)
    assert shown() == told < everything
    box.locator("input").fill("depot 6 KEEP")
    assert 0 < shown() < told
    assert (box.locator("output").text_content() or "").startswith(f"{shown()} of {everything} questions")
    box.locator("input").fill("words that stand nowhere")
    assert shown() == 0


def test_score_begins_with_what_failed_and_a_row_unfolds(opened: Opened) -> None:
    page = opened("score", 390)
    assert page.locator("#list > details[data-state='passed']").first.is_hidden()
    row = page.locator("#list > details:not([hidden])").first
    row.locator("summary").click()
    assert row.get_by_text("Retrieved passages").is_visible() and row.locator("mark").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def timed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


# ---- the frame of every page -----------------------------------------------------------------------


def test_the_theme_is_chosen_and_remembered(opened: Opened, pages: dict[str, Path]) -> None:
    page = opened("score", 390, "dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    button = page.locator("button.theme")
    button.click()
    assert page.evaluate(paper) != dark and "light" in (button.get_attribute("aria-label") or "")
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light", "it is remembered"
    button.click()
    assert page.evaluate(paper) == dark
    button.click()
    assert page.evaluate("document.documentElement.dataset.theme") is None, "as the system is"


def test_a_table_is_sorted_by_its_head_and_back(opened: Opened) -> None:
    page = opened("generate")
    table = page.locator("main table").first
    first = table.locator("tbody tr td:first-child").all_text_contents()
    head = table.locator("th").first
    head.locator("button").focus()
    for sort, wanted in (("ascending", sorted(first)), ("descending", sorted(first)[::-1]), ("none", first)):
        page.keyboard.press("Enter")
        assert head.get_attribute("aria-sort") == sort
        assert table.locator("tbody tr td:first-child").all_text_contents() == wanted


@pytest.mark.parametrize("command", ["generate", "score", "audit", "compare"])
def test_the_address_has_the_filter_and_the_row(command: str, opened: Opened) -> None:
    page = opened(command)
    box = page.locator("[data-filters]").first
    name = box.get_attribute("data-filters")
    box.locator("select[data-key=difficulty]").select_option(index=1)
    box.locator("input").fill("depot 6")
    shown = box.locator("output").text_content()
    other = opened(command)
    other.goto(page.url)
    other.reload()
    assert other.locator("[data-filters] output").first.text_content() == shown
    row = page.locator(f"#{name} > details:not([hidden])").first
    row.locator("summary").click()
    link = row.locator("a.permalink").get_attribute("href") or ""
    assert link == f"#{name}?row={row.get_attribute('data-id')}"
    other.goto(page.url.partition("#")[0] + link)
    other.reload()
    found = other.locator(f"#{name} > details[data-id='{row.get_attribute('data-id')}']").first
    assert found.get_attribute("open") is not None and found.is_visible()


def test_a_mark_has_its_tooltip_by_pointer_and_by_keyboard(opened: Opened) -> None:
    page = opened("score")
    mark = page.locator("svg .mark").first
    mark.evaluate("mark => mark.scrollIntoView({block: 'center'})")
    box = mark.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tip = page.locator("#tip")
    assert tip.is_visible() and "95 % interval" in (tip.text_content() or "")
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    mark.focus()
    page.keyboard.press("ArrowDown")
    assert tip.text_content() == page.locator("svg .mark").nth(1).get_attribute("aria-label")


def test_the_navigation_stays_and_does_not_cover_a_section(opened: Opened) -> None:
    page = opened("score", 390)
    nav = page.locator("nav.sections")
    nav.locator("a").last.click()
    box = nav.bounding_box()
    assert box is not None and box["y"] == 0
    assert nav.locator("a").count() == page.locator("main h2").count()
    page.locator("nav.sections a").nth(1).click()
    assert (page.locator("main h2").nth(1).bounding_box() or {"y": 0})["y"] >= box["height"] - 1

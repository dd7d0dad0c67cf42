"""The page in a real browser: two annotators, a server that is killed, and documents with scripts in them."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from annotated import DOCUMENTS, ITEMS
from click.testing import CliRunner
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance

from kgsynth.auditing.flow import check_set
from kgsynth.base.records_json import to_json
from kgsynth.cli import main
from kgsynth.golden.dataset import load, write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

NAMES = ("Ada Berg", "Bo")
LOGGED: list[str] = []
KEYS = {"accept": "a", "reject": "r", "edit": "e"}


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    write(ITEMS, tmp_path / "golden.jsonl")
    lines = (to_json(document) + "\n" for document in DOCUMENTS.values())
    (tmp_path / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "golden.jsonl"


@pytest.fixture(autouse=True)
def nothing_logged() -> Iterator[None]:
    """Fail the test on anything a page logs, except that the server is gone."""
    LOGGED.clear()
    yield
    assert not LOGGED


@contextmanager
def served(golden: Path, port: int = 0) -> Iterator[str]:
    """The address of a server that is killed when the block ends."""
    command = [sys.executable, "-m", "kgsynth", "review", str(golden), "--port", str(port), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield next(line.split()[1] for line in process.stdout if line.startswith("open "))
        finally:
            process.kill()


def port_of(url: str) -> int:
    return int(re.findall(r":(\d+)/", url)[0])


def opened(context: BrowserContext, url: str, name: str = "") -> Page:
    """The page in a new tab, with this annotator if a name is given."""
    page = context.new_page()
    page.on("pageerror", lambda error: LOGGED.append(str(error)))
    page.on("console", lambda line: None if "ERR_CONNECTION" in line.text else LOGGED.append(line.text))
    page.goto(url)
    if name:
        page.fill("#name", name)
        page.keyboard.press("Enter")
        page.wait_for_selector("main:not([hidden])")
    return page


def status(page: Page, text: str) -> None:
    from playwright.sync_api import expect

    expect(page.locator("#status")).to_have_text(text, timeout=15_000)


def results(golden: Path) -> dict[str, Any]:
    done = CliRunner().invoke(main, ["review", str(golden), "--results", "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def plan(name: str) -> list[tuple[str, str]]:
    """Twenty decisions with the grades of the five criteria as digits; the two annotators differ on some."""
    rng = random.Random(3)
    both = [(rng.choice(("accept", "accept", "reject")), "".join(rng.choices("2345", k=5))) for _ in ITEMS]
    own = random.Random(name)
    return [
        (own.choice(("accept", "reject")), own.choice("12345") + digits[1:]) if own.random() < 0.3 else (said, digits)
        for said, digits in both
    ]


def annotate(page: Page, entries: list[tuple[str, str]]) -> None:
    for decision, digits in entries:
        for key in (*digits, KEYS[decision]):  # a decision shows the next item
            page.keyboard.press(key)


def test_two_annotators_a_killed_server_and_the_reviewed_set(golden: Path, browser: Browser) -> None:
    plans = {name: plan(name) for name in NAMES}
    contexts = {name: browser.new_context() for name in NAMES}
    with served(golden) as url:
        pages = {name: opened(contexts[name], url, name) for name in NAMES}
        for name in NAMES:
            annotate(pages[name], plans[name][:8])
        for name in NAMES:
            status(pages[name], "saved")
    # the server was killed: Ada continues without it, Bo makes one more annotation and closes the tab
    annotate(pages["Ada Berg"], plans["Ada Berg"][8:12])
    pages["Ada Berg"].keyboard.press("c")
    pages["Ada Berg"].keyboard.type("typed without a server")
    annotate(pages["Bo"], plans["Bo"][8:9])
    for name in NAMES:
        status(pages[name], "not saved")
        assert "The server does not respond" in pages[name].inner_text("#notice")
    pages["Bo"].close()

    with served(golden, port_of(url)) as again:
        assert again == url, "the token is the same, so an open page continues"
        status(pages["Ada Berg"], "saved")
        assert not pages["Ada Berg"].is_visible("#notice")
        pages["Bo"] = opened(contexts["Bo"], again)
        pages["Bo"].click("text=Continue as Bo")
        pages["Bo"].wait_for_selector("main:not([hidden])")
        assert pages["Bo"].inner_text("#count") == "9 of 20", (
            "annotations made without a server were stored in the browser"
        )
        pages["Ada Berg"].keyboard.press("Escape")
        for name, done in (("Ada Berg", 12), ("Bo", 9)):
            annotate(pages[name], plans[name][done:])
        for name in NAMES:
            status(pages[name], "saved")
            assert pages[name].inner_text("#count") == "all 20 decided"
        pages["Bo"].click("#results")
        pages["Bo"].wait_for_selector("#results-dialog[open]")
        assert "20 of 20 questions decided by 2 annotators" in pages["Bo"].inner_text("#results-text")
    for context in contexts.values():
        context.close()
    check(golden, plans)


def check(golden: Path, plans: dict[str, list[tuple[str, str]]]) -> None:
    """All annotations are there, alpha agrees with nltk, and the reviewed set passes the audit."""
    found = results(golden)
    assert {name: each["decided"] for name, each in found["annotators"].items()} == dict.fromkeys(NAMES, 20)
    decisions = [(name, str(at), said) for name in NAMES for at, (said, _) in enumerate(plans[name])]
    assert found["alpha_nominal"] == pytest.approx(AnnotationTask(decisions, binary_distance).alpha(), abs=1e-12)
    for place, criterion in enumerate(("relevance", "accuracy", "completeness", "coherence", "fluency")):
        grades = [(name, str(at), int(each[place])) for name in NAMES for at, (_, each) in enumerate(plans[name])]
        theirs = AnnotationTask(grades, interval_distance).alpha()
        assert found["grades"][criterion]["alpha_interval"] == pytest.approx(theirs, abs=1e-12)
    comments = [each for dispute in found["disputes"] for each in dispute["comments"].values()]
    out = golden.with_name("reviewed.jsonl")
    applied = CliRunner().invoke(main, ["review", str(golden), "--apply", str(out)])
    assert applied.exit_code == 0, applied.output
    kept = [at for at in range(20) if all(plans[name][at][0] == "accept" for name in NAMES)]
    reviewed = load(out)
    assert [item.id for item in reviewed] == [ITEMS[at].id for at in kept]
    assert 0 < len(kept) < 20 and not check_set(reviewed, DOCUMENTS).at_least("error")
    said = json.dumps(
        [item.metadata["review"] for item in (*reviewed, *load(golden.with_name("reviewed.rejected.jsonl")))]
    )
    assert "typed without a server" in said and all(comment in said for comment in comments)


def test_scripts_in_documents_are_not_run(golden: Path, browser: Browser) -> None:
    context = browser.new_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    with served(golden) as url:
        page = opened(context, url, "Ada <img src=x onerror=\"window.ran='name'\">")
        annotate(page, [("accept", "")] * 10)
        assert "<script>window.ran" in page.inner_text("article:not([hidden])"), "it is shown as text"
        page.keyboard.press("e")
        page.fill("#question", "<script>window.ran='edit'</script> What?")
        status(page, "saved")
        assert page.evaluate("[window.ran, document.images.length, document.scripts.length]") == [None, 0, 3], (
            "the scripts are those of the page: frame, data, review"
        )
        assert all(each.startswith((f"http://127.0.0.1:{port_of(url)}/", "data:")) for each in asked)
        page.reload()  # the name and all annotations come back
        page.wait_for_selector("main:not([hidden])")
        assert page.evaluate("[window.ran, document.images.length, document.scripts.length]") == [None, 0, 2]
    context.close()


def test_shortcuts_are_off_while_typing_and_undo_works(golden: Path, browser: Browser) -> None:
    context = browser.new_context()
    with served(golden) as url:
        page = opened(context, url, "Ada")
        page.keyboard.press("c")
        page.keyboard.type("area 51 jk?")
        page.keyboard.press("Escape")
        assert (page.input_value("#comment"), page.inner_text("#count")) == ("area 51 jk?", "0 of 20")
        annotate(page, [("accept", "45")])
        assert page.inner_text("#count") == "1 of 20" and page.title().startswith("2/20 ")
        for _ in range(3):
            page.keyboard.press("u")
        assert page.title().startswith("1/20 ") and page.inner_text("#count") == "0 of 20"
        assert (
            page.locator(".criterion [aria-pressed=true]").count() == 0
            and page.input_value("#comment") == "area 51 jk?"
        )
        status(page, "saved")
        page.keyboard.press("e")
        page.fill("#answers", "forty in all")
        page.wait_for_selector("#findings p.warn")
        assert "you vouch for the answer" in page.inner_text("#findings")
    context.close()
    assert results(golden)["decisions"] == {"accept": 0, "reject": 0, "edit": 1}


def shown(page: Page) -> tuple[str, str, str]:
    """The place of the item that is shown, the decision that is pressed, and the count of decided items."""
    pressed = page.locator(".decision[aria-pressed=true]").evaluate_all("(all) => all.map((b) => b.dataset.decision)")
    return page.title().partition(" ")[0], " ".join(pressed), page.inner_text("#count")


def test_a_decision_shows_the_next_item_and_undo_goes_back(golden: Path, browser: Browser) -> None:
    context = browser.new_context()
    with served(golden) as url:
        page = opened(context, url, "Ada")
        page.keyboard.press("a")
        assert shown(page) == ("2/20", "", "1 of 20")
        page.keyboard.press("r")  # of the second item: the first stays accepted
        assert shown(page) == ("3/20", "", "2 of 20")
        page.keyboard.press("u")
        assert shown(page) == ("2/20", "", "1 of 20")
        page.click("#undo")
        assert shown(page) == ("1/20", "", "0 of 20") and page.locator("#undo").is_disabled()
        page.keyboard.press("a")
        page.keyboard.press("k")
        assert shown(page) == ("1/20", "accept", "1 of 20")
        page.keyboard.press("x")
        assert shown(page) == ("1/20", "", "0 of 20"), "x clears the decision"
        page.keyboard.press("a")
        status(page, "saved")
    context.close()
    assert results(golden)["decisions"] == {"accept": 1, "reject": 0, "edit": 0}


def test_escape_leaves_the_decision_as_it_was_before_the_edit(golden: Path, browser: Browser) -> None:
    context = browser.new_context()
    with served(golden) as url:
        page = opened(context, url, "Ada")
        for key in ("a", "k", "e", "Escape"):
            page.keyboard.press(key)
        assert shown(page) == ("1/20", "accept", "1 of 20") and page.is_hidden("#edit")
        page.keyboard.press("e")
        page.keyboard.type(" Which?")
        assert shown(page)[1] == "edit"
        page.keyboard.press("Escape")
        assert shown(page) == ("1/20", "accept", "1 of 20") and page.is_hidden("#edit")
        page.keyboard.press("u")  # the words that were given up come back
        assert shown(page)[1] == "edit" and page.input_value("#question").endswith("Which?")
        page.fill("#question", ITEMS[0].question)  # the old words are no edit
        assert shown(page) == ("1/20", "", "0 of 20")
        page.fill("#question", "Which hall?")
        page.keyboard.press("Control+Enter")
        assert shown(page) == ("2/20", "", "1 of 20")
        page.keyboard.press("e")
        page.keyboard.press("Escape")
        assert shown(page) == ("2/20", "", "1 of 20")
        status(page, "saved")
        context.close()  # before the server, which may still audit the edit
    assert results(golden)["decisions"] == {"accept": 0, "reject": 0, "edit": 1}


def test_reasons_are_toggled_by_digit_letter_and_click_and_stay_with_the_rejection(
    golden: Path, browser: Browser
) -> None:
    context = browser.new_context()
    with served(golden) as url:
        page = opened(context, url, "Ada")
        reasons = page.locator("#reasons [aria-pressed=true]")
        for key in ("r", "k", "1", "3", "s", "3"):  # 1 is W, 3 is A, which the second 3 takes back
            page.keyboard.press(key)
        assert shown(page)[:2] == ("1/20", "reject") and reasons.all_inner_texts() == ["W 1", "S 2"]
        assert page.locator(".criterion [aria-pressed=true]").count() == 0, "digits give no grades here"
        page.keyboard.press("r")
        page.keyboard.press("Shift+U")  # rejects and stays, for another reason
        page.click("#reasons [data-reason=V]")
        assert shown(page) == ("2/20", "reject", "2 of 20") and reasons.all_inner_texts() == ["U 5", "V 7"]
        page.keyboard.press("j")
        page.keyboard.press("4")
        assert page.locator(".criterion [aria-pressed=true]").count() == 1 and reasons.count() == 0
        page.click("#reasons [data-reason=C]")
        page.keyboard.press("a")  # an accepted item has no reasons
        status(page, "saved")
    context.close()
    assert results(golden)["reasons"] == {"W": 1, "S": 1, "A": 0, "C": 0, "U": 1, "T": 0, "V": 1}


def test_the_whole_document_is_shown_with_the_evidence_marked(golden: Path, browser: Browser) -> None:
    context = browser.new_context()
    with served(golden) as url:
        page = opened(context, url, "Ada")
        for key in (*"j" * 10, "d"):  # the eleventh item is in the document with HTML
            page.keyboard.press(key)
        assert page.inner_text("#document-name") == "marked.md"
        assert page.locator("#document-text").text_content() == DOCUMENTS["marked.md"].text
        assert page.locator("#document-text mark").all_inner_texts() == ["Depot 10 keeps 50 barrels in hall K."]
        page.keyboard.press("a")  # no key decides anything while it is open
        page.keyboard.press("Escape")
        assert shown(page) == ("11/20", "", "0 of 20") and page.evaluate("window.ran") is None
    context.close()


def test_the_time_of_an_item_is_stored_without_pauses(golden: Path, browser: Browser) -> None:
    context = browser.new_context()
    context.clock.install()
    with served(golden) as url:
        page = opened(context, url, "Ada")
        context.clock.pause_at("2100-01-01")
        page.keyboard.press("j")
        context.clock.run_for(20_000)
        page.keyboard.press("1")
        context.clock.run_for(3_600_000)  # away for an hour
        page.keyboard.press("2")
        context.clock.run_for(5_000)
        page.keyboard.press("a")
        context.clock.resume()
        status(page, "saved")
    context.close()
    assert results(golden)["seconds"] == pytest.approx(25, abs=0.2)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(golden: Path, browser: Browser, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    with served(golden) as url:
        page = opened(context, url, "Ada")
        for step in ("e", "?"):
            page.keyboard.press(step)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.keyboard.press("Escape")
    context.close()


def test_a_form_is_filled_in_offline_and_imported(golden: Path, browser: Browser, tmp_path: Path) -> None:
    form, back = tmp_path / "form.html", tmp_path / "back.json"
    assert CliRunner().invoke(main, ["review", str(golden), "--form", str(form)]).exit_code == 0
    context = browser.new_context(offline=True)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = opened(context, form.as_uri(), "Ada")
    annotate(page, plan("Ada")[:7])
    page.reload()  # the annotations are stored in the browser
    page.wait_for_selector("main:not([hidden])")
    assert page.inner_text("#count") == "7 of 20"
    annotate(page, plan("Ada")[7:])
    with page.expect_download() as download:
        page.click("#download")
    assert download.value.suggested_filename == "review Ada.json"
    download.value.save_as(back)
    assert page.evaluate("window.ran") is None
    assert {each.split(":")[0] for each in asked} <= {"file", "data", "blob"}
    context.close()
    imported = CliRunner().invoke(main, ["review", str(golden), "--import", str(back)])
    assert imported.exit_code == 0 and "20 rows imported, 20 of them new" in imported.output
    assert results(golden)["decisions"]["accept"] == sum(said == "accept" for said, _ in plan("Ada"))

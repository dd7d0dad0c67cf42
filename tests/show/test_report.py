"""Reports: what stands on each page, that documents stay text on it, and that the same figures are the same bytes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner
from planted import read_markdown
from report_sets import HOSTILE, audited, compared, documents, generated, items, manifest, place, scored

from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.flow import check_set
from kgsynth.auditing.page import SENTENCES
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.cli import main
from kgsynth.generation import page as generating
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS, MEANINGS
from kgsynth.golden.dataset import Dataset, write
from kgsynth.scoring.flow import score
from kgsynth.scoring.passage_view import PASSAGES_SHOWN, passage_views
from kgsynth.show.coverage import coverage

BY_LLM = [rule for rule in MEANINGS if rule not in {*BY_WORDS, *BY_VECTOR}]

PAGES = documents(12)
SET = Dataset(items(PAGES, 30))
LARGE = 3_000_000


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two runs of ``score``: of the first, the even questions are found, of the second the odd ones."""
    base = tmp_path_factory.mktemp("runs")
    return scored(PAGES, SET, base / "even", 0), scored(PAGES, SET, base / "odd", 1)


@pytest.fixture(scope="module")
def htmls(runs: tuple[Path, Path]) -> dict[str, str]:
    return {
        "generate": generated(PAGES, SET).html,
        "score": (runs[0] / "report.html").read_text(encoding="utf-8"),
        "audit": audited(PAGES, SET).html,
        "compare": compared(*runs).html,
    }


def parsed(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


def text(found: object) -> str:
    assert hasattr(found, "get_text"), "it is not on the page"
    return " ".join(found.get_text(" ").split())


# ---- every page ------------------------------------------------------------------------------------

COMMANDS = ("generate", "score", "audit", "compare")


@pytest.mark.parametrize("command", COMMANDS)
def test_documents_are_text_and_nothing_points_outside(command: str, htmls: dict[str, str]) -> None:
    page = parsed(htmls[command])
    scripts = page.find_all("script")
    assert len(scripts) == 2, "that of every page, and that of lists"
    assert not any("alert" in text(script) for script in scripts)
    assert not page.find_all("img") and not page.find_all(onerror=True)
    points = [tag[name] for name in ("src", "href") for tag in page.find_all(attrs={name: True})]
    assert all(re.match(r"data:|#", point) for point in points), points
    assert HOSTILE in page.get_text(), "it is shown as it stands"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_filter_chooses_rows_that_are_there(command: str, htmls: dict[str, str]) -> None:
    page = parsed(htmls[command])
    for box in page.select("[data-filters]"):
        rows = page.find(id=box["data-filters"]).find_all("details", recursive=False)
        for select in box.find_all("select"):
            for option in select.find_all("option")[1:]:
                told = int(re.search(r"\((\d+)\)$", option.get_text()).group(1))
                having = [row for row in rows if option["value"] in row[f"data-{select['data-key']}"].split("\n")]
                assert len(having) == told > 0


def test_the_same_records_are_the_same_bytes(runs: tuple[Path, Path]) -> None:
    for made in (lambda: generated(PAGES, SET), lambda: audited(PAGES, SET), lambda: compared(*runs)):
        assert list(made().files()) == list(made().files())


def test_five_hundred_questions_stay_below_three_megabytes(tmp_path: Path) -> None:
    pages = documents(60)
    dataset = Dataset(items(pages, 500))
    sizes = {
        "generate": len(generated(pages, dataset).html.encode()),
        "audit": len(audited(pages, dataset).html.encode()),
        "score": (scored(pages, dataset, tmp_path / "a") / "report.html").stat().st_size,
    }
    assert {name: size for name, size in sizes.items() if size >= LARGE} == {}


# ---- generate --------------------------------------------------------------------------------------


def test_generate_tells_the_finding_the_funnel_and_what_is_missing(htmls: dict[str, str]) -> None:
    page = parsed(htmls["generate"])
    assert text(page.h1) == "30 questions with proof; 9 documents read; 2 fewer than asked for"
    assert "35 candidates written, 22 passed every rule, 30 chosen: 10 simple" in text(page.header)
    funnel = next(figure for figure in page.find_all("figure") if "22 of 35 candidates passed" in text(figure))
    drawn = [tag.get_text() for tag in funnel.find_all("text")]
    assert {"candidates", "35", "self_contained", "−7", "valid", "22", "chosen"} <= set(drawn)
    assert "reasoning: 9 asked for, 2 chosen of 2 valid" in page.get_text()
    assert "Total cost: 0.02." in text(page.main)


def test_generate_shows_a_sample_of_every_type_with_its_evidence_marked(htmls: dict[str, str]) -> None:
    cards = parsed(htmls["generate"]).select(".sample article")
    assert len(cards) == 12
    assert {text(card.select_one(".chip")).split(" ·")[0] for card in cards} == {"simple", "reasoning", "multi context"}
    assert all("keeps" in "".join(mark.get_text() for mark in card.find_all("mark")) for card in cards)


def test_every_plot_is_beside_the_page_as_picture_and_figures(runs: tuple[Path, Path]) -> None:
    figures = parsed((runs[0] / "report.html").read_text(encoding="utf-8")).find_all("figure")
    names = {path.stem for path in (runs[0] / "plots").iterdir()}
    wanted = {f"{name}.{end}" for name in names for end in ("png", "csv")}
    assert {path.name for path in (runs[0] / "plots").iterdir()} == wanted
    assert len(names) == len(figures) > 3


def test_generate_begins_with_the_questions_and_explains_every_rule_in_words(htmls: dict[str, str]) -> None:
    page = parsed(htmls["generate"])
    assert [h2["id"] for h2 in page.select("main h2")][:3] == ["sample", "questions", "made"]
    heads = page.find("th", string="A candidate passes if").find_parent("table")
    rows = {text(row.td): [text(cell) for cell in row.find_all("td")[1:]] for row in heads.tbody.find_all("tr")}
    assert {rule.replace("_", " ") for rule in (*BY_WORDS, *BY_VECTOR)} <= set(rows)
    assert rows["self contained"] == [
        "the question can be understood without the text it comes from",
        "7",
        "20 % (7 of 35)",
    ]
    assert rows["leaking"][1:] == ["4", "14 % (4 of 28)"], "of those that this rule left"
    few, none, _ = page.find("th", string="valid candidates").find_parent("table").tbody.find_all("tr")
    assert text(few) == "simple 40 30 20 10 10 67 % (20 of 30) 61 %"
    assert text(none).endswith("40 % (2 of 5) 6 questions are fewer than 20"), "no figure for few questions"
    why = page.find("h3", string="Why scenarios got no candidate").find_next("table").tbody.find_all("tr")
    assert [[text(cell) for cell in row.find_all("td")] for row in why] == [
        ["only an example", "8", "0", "8"],
        ["other reasons", "4", "3", "7"],
    ]
    told = "A strict reader would keep an estimated 58 % of the questions (95 % interval 44 to 72; fitted to 1,700"
    assert told in text(page)


def test_a_run_with_a_language_model_lists_the_rules_for_its_questions() -> None:
    counts = manifest(SET)
    counts["config"]["llm"] = "m"
    counts["counts"]["rejected"] = {"simple": {"quoted": 5, "verified": 6, "alone": 4, "duplicate": 2}}
    page = parsed(generating.page(SET, PAGES, counts).html)
    table = page.find("th", string="A candidate passes if").find_parent("table")
    rows = [[text(cell) for cell in row.find_all("td")] for row in table.tbody.find_all("tr")]
    assert [row[0] for row in rows][:5] == ["quoted", "self contained", "hop necessity", "difficulty", "alone"]
    assert [row[0] for row in rows][5:] == ["closed book", "verified", "needed", "duplicate"], "the others do not apply"
    shares = {row[0]: row[3] for row in rows if row[2] != "0"}
    assert shares == {
        "quoted": "14 % (5 of 35)",
        "alone": "13 % (4 of 30)",
        "verified": "23 % (6 of 26)",
        "duplicate": "10 % (2 of 20)",
    }
    assert rows[6][1].startswith("an LLM that sees the evidence")


@pytest.mark.parametrize("rule", [*BY_WORDS, *BY_VECTOR, *BY_LLM])
def test_every_rule_says_in_a_sentence_what_it_asks_for(rule: str) -> None:
    assert len(MEANINGS[rule].split()) > 4 and not MEANINGS[rule].startswith(rule)


def test_a_share_of_fewer_than_five_is_grey() -> None:
    counts = manifest(SET)
    counts["counts"]["candidates"], counts["counts"]["valid"] = {"simple": 4}, {"simple": 3}
    counts["counts"]["rejected"] = {"simple": {"self_contained": 1}}
    few = parsed(generating.page(SET, PAGES, counts).html).select("table .few")
    assert text(few[0]) == "75 % (3 of 4)"


# ---- coverage --------------------------------------------------------------------------------------


def test_coverage_counts_documents_and_sections_never_asked_about() -> None:
    found = coverage(SET[:3], PAGES)  # one question each on three documents, the third on both sections
    first, second, third, fourth = found.documents[:4]
    assert [each.questions for each in (first, second, third, fourth)] == [1, 1, 1, 0]
    assert (first.sections, first.missed) == (2, ("Depot 0 › Staff 0",))
    assert third.missed == ()
    assert fourth.missed == ("Depot 3", "Depot 3 › Staff 3")
    assert found.sections == 24 and found.sections_asked == 4


def test_sections_are_counted_once(tmp_path: Path) -> None:
    """The finding, the text, the JSON and the page count alike: 24 sections and three more.

    The same heading twice in one document is two sections; a heading with nothing but code is none.
    """
    sections = ("Same\n\nAda leads it.", "Same\n\nBo leads it.", "Code\n\n    x = 1", "Table\n\n| a |\n| - |\n| b |")
    page = read_markdown("a.md", "# Top\n\n" + "\n\n".join(f"## {each}" for each in sections) + "\n")
    ada, cell = page.span(at := page.text.index("Ada"), at + 13), page.span(at := page.text.index("b |"), at + 1)
    items = [Item(f"q-{n}", f"Who is {n}?", ("Ada",), "simple", "", "en", ((ada,),)) for n in range(20)]
    items.append(Item("q-20", "What is in it?", ("b",), "simple", "", "en", ((cell,),)))
    report = check_set(Dataset(items), {**PAGES, "a.md": page})
    (finding,) = (each for each in report.findings if each.code == "sections")
    most = "a.md under 'Top › Same' (20), a.md under 'Top › Table' (1)"
    assert finding.message == f"21 items are about 2 of 27 sections, most about {most}"
    assert finding.message in report.to_text()
    told = report.to_json()["stats"]["coverage"]
    assert told["sections"] == {"all": 27, "asked": 2}
    assert told["documents"][0] == {"doc": "a.md", "items": 21, "sections": 3, "sections_asked": 2}
    report.save(tmp_path)
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "2 of 27 sections (7 %). A section is the text directly under one heading that has a" in html
    assert set(re.findall(r"[\d,]+ of [\d,]+ sections", html)) == {"2 of 27 sections"}


# ---- score -----------------------------------------------------------------------------------------


def test_score_leads_with_what_was_found_and_what_failed(htmls: dict[str, str]) -> None:
    page = parsed(htmls["score"])
    # even numbers are found: 5 of 10 simple and reasoning each, and of 10 with two pieces one of two at 5
    assert text(page.h1).startswith("half passes ") and "of the evidence in its first 5 passages" in text(page.h1)
    verdicts = {
        text(row.td): text(row.select_one(".chip")) for row in page.find("h2", id="gates").find_next("table").tbody
    }
    assert verdicts == {"gate recall@5>=0.9": "FAILED", "gate mrr>=0.1": "passed"}


def test_a_failing_question_unfolds_to_what_was_said_and_retrieved(htmls: dict[str, str]) -> None:
    page = parsed(htmls["score"])
    rows = page.select("#list > details")
    failing = [row for row in rows if row["data-state"] == "failed"]
    assert rows[: len(failing)] == failing, "those that failed come first"
    lost = next(row for row in rows if "q-0001" in row.get_text())
    assert lost["data-cause"] == "not retrieved"
    told = text(lost)
    assert "expected 4 barrels" in told and "actual 7 barrels" in told and "latency 0.25 s" in told
    assert told.count("covers no new evidence") == PASSAGES_SHOWN and "retrieve more passages" in told
    partly = next(row for row in failing if "q-0002" in row.get_text())
    assert "covers evidence 1" in text(partly), "a passage that covers says which evidence"


def test_evidence_is_marked_in_a_passage_by_offsets_and_by_words() -> None:
    item, page = SET[0], PAGES["depots/000.md"]
    span = item.evidence[0][0]
    by_place = Passage(page.id, span.start - 5, span.end + 50)
    by_words = Passage(text="x" * 900 + span.text + "y" * 900)
    shown = passage_views(Answer(item.id, None, (by_place, by_words, Passage(page.id))), item, [2], PAGES)
    marked = [[piece.text for piece in each.pieces if piece.mark] for each in shown]
    assert marked == [[span.text], [span.text], []]
    assert [each.covers for each in shown] == [(), (1,), ()]
    assert sum(len(piece.text) for piece in shown[1].pieces) < 400, "a long passage is cut around its mark"


def test_passages_beyond_the_first_are_shown_when_they_cover() -> None:
    answer = Answer("q", None, tuple(Passage(text=f"p{at}") for at in range(20)))
    assert [each.rank for each in passage_views(answer, SET[0], [17], PAGES)] == [1, 2, 3, 4, 5, 17]


# ---- compare ---------------------------------------------------------------------------------------


def test_a_passage_is_cut_between_words_and_without_spaces_anywhere() -> None:
    item = replace(SET[0], evidence=())
    shown = passage_views(Answer("q", None, (Passage(text="harbour " * 60), Passage(text="港" * 400))), item, [], {})
    words, letters = ("".join(piece.text for piece in each.pieces) for each in shown)
    assert words == "harbour " * 39 + "harbour …" and letters == "港" * 160 + " …"


def test_resources_have_units(tmp_path: Path) -> None:
    page = parsed((scored(PAGES, SET[:4], tmp_path) / "report.html").read_text(encoding="utf-8"))
    shown = dict(
        zip(
            *([text(each) for each in page.select(f"#resources ~ dl.facts {tag}")] for tag in ("dt", "dd")), strict=True
        )
    )
    wanted = ("0.25 s (n 4)", "4 answers per second (n 4)", "0 (n 4)")
    assert (shown["latency_mean"], shown["throughput"], shown["error_rate"]) == wanted


def test_passages_are_rendered_where_their_document_is_known(tmp_path: Path) -> None:
    page = read_markdown("a.md", "# Depot\n\nThe **Kiel** depot runs `sync` daily.\n\nAda leads it.\n")
    item = replace(SET[0], evidence=((place(page, "depot runs `sync` daily"),),))
    start, end = page.text.index("The"), page.text.index("daily") + 5
    by_place, by_text = Passage("a.md", start, end), Passage("a.md", text=page.text[start:end])
    changed = Passage("a.md", start, end, text="The **Bonn** depot")
    shown = passage_views(Answer(item.id, None, (by_place, by_text, changed)), item, [None], {"a.md": page})
    rendered = [("b", "Kiel"), ("", " "), ("", "depot runs "), ("code", "sync")]
    for view in shown[:2]:
        assert [(each.style, each.text) for each in view.pieces if each.style != "md"][1:5] == rendered
        assert "".join(each.text for each in view.pieces) == page.text[start:end], "verbatim, no letter is lost"
    assert {each.style for each in shown[2].pieces} == {""}, "another text than that of the document stays plain"
    failed = replace(item, evidence=((place(page, "Ada leads it."),),))
    asked = SimpleNamespace(
        name="x", signature="x", ask=lambda item: Answer(item.id, None, (by_place,)), close=lambda: None
    )
    score(Dataset([failed]), asked, docs=[page], out=tmp_path)
    passage = parsed((tmp_path / "report.html").read_text(encoding="utf-8")).select_one("#list blockquote")
    assert (
        passage.b.get_text() == "Kiel" and passage.code.get_text() == "sync" and passage.select_one("button.as-written")
    )


def test_compare_says_whether_the_runs_differ_and_lists_the_changed_questions(htmls: dict[str, str]) -> None:
    page = parsed(htmls["compare"])
    assert text(page.h1) == "No significant difference between even and odd on pass_rate"
    rows = page.select("#list > details")
    assert len(rows) == 30, "each question is found by one of the two"
    worse = {name: sum(row["data-worse"] == name for row in rows) for name in ("even", "odd")}
    assert worse == {"even": 15, "odd": 15}
    lost = next(row for row in rows if row["data-worse"] == "odd")
    even, odd = lost.select(".runs > section")
    assert (
        text(even).startswith("even pass_rate")
        and "recall@5 1.000" in text(even)
        and text(odd).startswith("odd lower on recall@5")
    )
    assert "covers evidence 1" in text(even) and "covers evidence" not in text(odd)
    assert "barrels" in text(even.mark) and not odd.mark, "the evidence is marked in the passage that covers it"
    assert "answer 7 barrels" in text(odd) and len(odd.select("blockquote")) == 3


def test_three_runs_are_ranked_with_intervals(runs: tuple[Path, Path], tmp_path: Path) -> None:
    page = parsed(compared(*runs, scored(PAGES, SET[:], tmp_path / "third", 1)).html)
    ranking = next(figure for figure in page.find_all("figure") if "recall@5: rank and mean" in text(figure))
    assert "1. even" in text(ranking), "runs that do not differ significantly share the first rank"
    assert [text(cell) for cell in page.select("#pairs ~ details tbody td:first-child")][:3] == [
        "odd − even", "third − even", "third − odd",
    ]  # fmt: skip
    assert len(page.select("#list > details")) == 30 and len(page.select("#list section")) == 90, "side by side"


# ---- audit -----------------------------------------------------------------------------------------


def test_audit_tells_errors_first_with_what_to_do_and_what_was_clean(htmls: dict[str, str]) -> None:
    page = parsed(htmls["audit"])
    assert text(page.h1) == "15 errors and 1 warning in 30 questions"
    cards = page.select("section.finding")
    assert [text(card.h3) for card in cards] == ["span · evidence without text", "coverage"]
    assert "15 findings in 15 of 30 questions (50 %)" in text(cards[0])
    assert "What to do: correct it." in text(cards[0])
    assert "15 of 30 questions (50 %) without a finding in the 3 checks that ran." in text(page)


def test_audit_lists_every_check_with_what_it_checks_and_its_result(htmls: dict[str, str]) -> None:
    page = parsed(htmls["audit"])
    assert [[text(cell) for cell in row.find_all("td")] for row in page.select("table.checklist tr")] == [
        ["15 errors", "Every evidence span has a text.", "span"],
        ["passed", "No question contains its answer.", "leaking"],
        ["not run", f"{SENTENCES['closed_book']} (no model was given)", "closed_book"],
        ["1 warning", "Every long document has a question.", "coverage"],
    ]
    assert page.find(id=page.select_one("table.checklist a")["href"][1:]) is page.select_one("section.finding")
    assert "They do not measure whether a question is natural or worth asking" in text(page.main)
    codes = [code for name, check in CHECKS.items() for code in check.codes or (name,)]
    assert set(SENTENCES) == set(codes)


def test_audit_says_that_its_own_rules_are_no_proof_of_quality() -> None:
    own = Dataset(replace(item, metadata={"source": "kgsynth"}) for item in SET[:4])
    for dataset, said in ((SET[:4], False), (own, True)):
        page = parsed(audited(PAGES, dataset).html)
        assert ("kgsynth generate applies most of these rules itself" in text(page.main)) is said
        assert len(page.select(".chip.few")) == 2, "a share of four questions is greyed"
        assert text(page.select_one(".lead .few")) == "2 of 4 questions (50 %)", "in the lead too"
        assert text(page.select_one(".lead")).startswith("2 of 4 questions (50 %) without a finding in the ")
        assert {each["title"] for each in page.select(".few")} == {"of fewer than 5"}
    assert not parsed(audited(PAGES, SET[:5]).html).select(".few")


def test_audit_draws_distributions_of_any_name(htmls: dict[str, str]) -> None:
    page = parsed(htmls["audit"])
    titles = {text(caption) for caption in page.find_all("figcaption")}
    assert {"Difficulty", "Words: the middle half is from 5 to 9, the mean is 7.2"} <= titles
    assert [
        text(cell) for cell in page.find("summary", string="Coverage of topics").find_next("tbody").find_all("td")
    ] == [
        HOSTILE,
        "4",
    ]


def test_the_command_names_its_report(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    for name, page in PAGES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(page.text, encoding="utf-8")
    write(SET, tmp_path / "golden.jsonl")
    done = CliRunner().invoke(
        main, ["audit", str(tmp_path / "golden.jsonl"), "--docs", str(folder), "-o", str(tmp_path / "audit")]
    )
    assert done.stdout.splitlines()[-1] == f"report: {tmp_path / 'audit' / 'report.html'}", done.output
    told = json.loads((tmp_path / "audit" / "audit.json").read_text(encoding="utf-8"))
    page = parsed((tmp_path / "audit" / "report.html").read_text(encoding="utf-8"))
    assert f"{told['errors']} error" in text(page.h1) or text(page.h1).startswith("No errors")
    assert place(PAGES["depots/000.md"], "Keeper 0").doc in page.get_text()

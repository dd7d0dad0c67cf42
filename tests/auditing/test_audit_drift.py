"""Documents edited after the set was made: text that moved is found and fixed, text that is gone is reported."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from planted import document, read_markdown

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.fix import FixedSet, fix
from kgsynth.auditing.flow import check_set
from kgsynth.auditing.schema import drifted
from kgsynth.base.records import Document, Finding, Heading, Item, Span, item_id, placed_id
from kgsynth.cli import main
from kgsynth.documents import read_folder
from kgsynth.golden.dataset import Dataset, load
from kgsynth.golden.span_tracking import SpanTracker

FERRY = "The ferry to Tern sails at ten on every weekday."
PIER = "The pier of Tern was built by Ada Low in the year of the long frost."
INN = "There is an inn behind the church, and it has nine rooms."
OLD = {"sea.md": f"# The sea\n\n{FERRY}\n\n{PIER}\n\n{INN}\n", "land.md": "# The land\n\nHills, mostly.\n"}


def span(text: str, doc: str = "sea.md", texts: Mapping[str, str] = OLD, after: int = 0) -> Span:
    start = texts[doc].index(text, after)
    return Span(doc, start, start + len(text), text)


def place(found: Span) -> dict[str, Any]:
    return {"doc": found.doc, "start": found.start, "end": found.end}


def item(question: str, answer: str, *groups: tuple[Span, ...], **fields: Any) -> Item:
    name = fields.pop("id", item_id(question, (answer,), groups))
    metadata = fields.pop("metadata", {"source": "kgsynth"})
    return Item(name, question, (answer,), "simple", "factoid", "en", groups, metadata=metadata, **fields)


def lookup(found: Span) -> dict[str, Any]:
    return {"operator": "lookup", "steps": [{"fact": "f-1", "find": place(found)}]}


WHEN = item("When does the ferry sail?", "ten", (span(FERRY),), derivation=lookup(span("ten")))
WHO = item("Who built the pier?", "Ada Low", (span(PIER),), derivation=lookup(span("Ada Low")))
ROOMS = item("How many rooms has the inn?", "nine", (span(INN),), derivation=lookup(span("nine")))
SET = Dataset([WHEN, WHO, ROOMS])


def pages(texts: Mapping[str, str]) -> dict[str, Document]:
    return {doc: document(doc, text) for doc, text in texts.items()}


def drift(dataset: Dataset, texts: Mapping[str, str]) -> list[Finding]:
    return list(drifted(AuditCase(dataset, pages(texts))))


def codes(dataset: Dataset, texts: Mapping[str, str]) -> dict[str, str]:
    """The code of each item by the first word of its question; each item has one finding at most."""
    findings = drift(dataset, texts)
    assert all(finding.severity == "error" for finding in findings)
    assert len({finding.item for finding in findings}) == len(findings), "one cause, one finding"
    return {dataset[finding.item].question.split()[0]: finding.code for finding in findings}


def fixed(dataset: Dataset, texts: Mapping[str, str]) -> FixedSet:
    """The fixed set; it has no errors, is the same when computed twice, and needs no further fix."""
    made = fix(dataset, pages(texts))
    errors = check_set(made.dataset, pages(texts)).at_least("error")
    assert [each.message for each in errors] == ([] if len(made.dataset) else ["the set has no items"])
    assert list(fix(dataset, pages(texts)).dataset) == list(made.dataset)
    assert fix(made.dataset, pages(texts)).moved == 0, "nothing is left to fix"
    return made


def test_nothing_moved() -> None:
    assert codes(SET, OLD) == {}
    made = fixed(SET, OLD)
    assert list(made.dataset) == list(SET) and made.to_text() == "0 items updated, 3 unchanged, 0 left out"


def test_text_inserted_above() -> None:
    new = OLD | {"sea.md": OLD["sea.md"].replace(FERRY, f"A new opening.\n\n{FERRY}")}
    assert codes(SET, new) == {"When": "moved", "Who": "moved", "How": "moved"}
    (first, *_) = drift(SET, new)
    assert first.message == (
        "'The ferry to Tern sails at ten on every weekday.' moved from sea.md [11, 59) to sea.md [27, 75)"
    )
    assert "--fix" in first.advice
    when, who, _ = fixed(SET, new).dataset
    assert when.evidence == ((span(FERRY, texts=new),),) and when.derivation == lookup(span("ten", texts=new))
    assert who.derivation == lookup(span("Ada Low", texts=new))
    assert when.id == item_id(when.question, when.golden_answers, when.evidence) == WHEN.id
    assert when.metadata == {"source": "kgsynth"}, "its text is the same, so it is the same item"


def test_a_paragraph_moved_within_the_document_and_into_another() -> None:
    within = OLD | {"sea.md": f"# The sea\n\n{PIER}\n\n{INN}\n\n{FERRY}\n"}
    assert codes(SET, within) == {"When": "moved", "Who": "moved", "How": "moved"}
    assert [each.evidence[0][0] for each in fixed(SET, within).dataset] == [
        span(text, texts=within) for text in (FERRY, PIER, INN)
    ]
    away = {"sea.md": OLD["sea.md"].replace(f"\n\n{INN}", ""), "land.md": f"{OLD['land.md']}\n{INN}\n"}
    assert codes(SET, away) == {"How": "moved"}
    assert fixed(SET, away).dataset[2].evidence == ((span(INN, "land.md", away),),)


def test_a_paragraph_that_left_something_like_it_behind() -> None:
    new = {"sea.md": OLD["sea.md"].replace("nine rooms", "five rooms"), "land.md": f"{OLD['land.md']}\n{INN}\n"}
    assert codes(SET, new) == {"How": "moved"}
    assert fixed(SET, new).dataset[2].evidence == ((span(INN, "land.md", new),),)


def test_a_file_renamed() -> None:
    new = {"coast/water.md": OLD["sea.md"], "land.md": OLD["land.md"]}
    assert set(codes(SET, new).values()) == {"moved"}
    (first, *_) = drift(SET, new)
    assert first.message.endswith("moved from sea.md [11, 59) (sea.md is gone) to coast/water.md [11, 59)")
    assert {each.evidence[0][0].doc for each in fixed(SET, new).dataset} == {"coast/water.md"}


def test_a_file_deleted() -> None:
    new = {"land.md": OLD["land.md"]}
    assert set(codes(SET, new).values()) == {"vanished"}
    made = fixed(SET, new)
    assert len(made.dataset) == 0 and [old.id for old, _ in made.left_out] == [WHEN.id, WHO.id, ROOMS.id]
    assert f"  {WHEN.id} 'When does the ferry sail?': sea.md is gone, and 'The ferry to Tern" in made.to_text()


def test_changed_words_are_named() -> None:
    new = OLD | {"sea.md": OLD["sea.md"].replace("at ten on", "at 1,500 on").replace("nine rooms", "nine  rooms")}
    assert codes(SET, new) == {"When": "changed", "Who": "moved", "How": "moved"}
    (first, *_) = drift(SET, new)
    assert "is different now at sea.md [11, 61): 'ten' became '1,500'" in first.message
    made = fixed(SET, new)
    assert [old.id for old, _ in made.left_out] == [WHEN.id]
    assert made.dataset[1].evidence[0][0].text == INN.replace("nine rooms", "nine  rooms"), "white space is no change"


def test_chinese() -> None:
    old = {
        "海.md": "# 海\n\n去海燕岛的渡轮每个工作日十点钟从旧码头出发。\n\n教堂后面有一家旅馆，一共有九个房间可以住。\n"
    }
    sail = old["海.md"].strip().split("\n\n")[1]
    both = Dataset(
        [
            item("渡轮几点出发？", "十点钟", (span(sail, "海.md", old),)),
            item("有几个房间？", "九个", (span("九个", "海.md", old),)),
        ]
    )
    new = {"海.md": old["海.md"].replace("# 海", "# 海\n\n新的开头。").replace("十点", "九点")}
    assert codes(both, new) == {"渡轮几点出发？": "changed", "有几个房间？": "unsettled"}
    (first, _) = drift(both, new)
    assert first.message.endswith("'十' became '九'")


# ---- ids ---------------------------------------------------------------------------------------------


def test_ids_stay_when_a_file_is_renamed_and_text_is_added_above(tmp_path: Path) -> None:
    (tmp_path / "docs/coast").mkdir(parents=True)
    (tmp_path / "docs/coast/water.md").write_text(OLD["sea.md"].replace(FERRY, f"New words.\n\n{FERRY}"), "utf-8")
    SET.save(tmp_path / "golden.jsonl")
    paths = {"--docs": tmp_path / "docs", "--fix": tmp_path / "fixed.jsonl"}
    run = ["audit", tmp_path / "golden.jsonl", *(each for pair in paths.items() for each in pair), "--quick"]
    result = CliRunner().invoke(main, list(map(str, run)))
    assert result.exit_code == 0 and "3 items updated, 0 unchanged, 0 left out" in result.output
    new = load(tmp_path / "fixed.jsonl")
    assert [each.id for each in new] == [each.id for each in SET]
    assert {each.evidence[0][0].doc for each in new} == {"coast/water.md"}


def test_an_item_gets_another_id_when_the_text_of_its_evidence_changes() -> None:
    other = "Ferries leave for Tern at ten."
    old = OLD | {"land.md": f"{OLD['land.md']}\n{other}\n"}
    both = item("When does it sail?", "ten", (span(FERRY), span(other, "land.md", old)))
    assert both.id == item("When does it sail?", "ten", (span(FERRY),)).id, "a copy is no part of the id"
    (copy,) = fixed(Dataset([both]), old | {"sea.md": "# The sea\n"}).dataset
    assert copy.evidence == ((span(other, "land.md", old),),)
    assert copy.id == item("When does it sail?", "ten", *copy.evidence).id != both.id
    assert copy.metadata["previous_id"] == both.id


def test_an_id_that_depends_on_places_is_a_finding_and_a_fix_does_not_change_it() -> None:
    placed = Dataset([replace(each, id=placed_id(each)) for each in SET])
    assert set(check_set(placed, pages(OLD)).counts) == {"id"}
    made = fix(placed, pages(OLD | {"sea.md": f"New.\n\n{OLD['sea.md']}"})).dataset
    assert [each.id for each in made] == [each.id for each in placed]


# ---- one text in several places --------------------------------------------------------------------

SAME = "Doors are closed at the same hour as in the years before."
TWO = {"rules.md": f"In the north of it lies a lake.\n\n{SAME}\n\nIn the south of it lies a harbour.\n\n{SAME}\n"}
NORTH = item("What lies north?", "a lake", (span("In the north of it lies a lake.", "rules.md", TWO),))
SOUTH = item("What lies south?", "a harbour", (span("In the south of it lies a harbour.", "rules.md", TWO),))
SECOND = span(SAME, "rules.md", TWO, TWO["rules.md"].index("south"))


def test_neighbours_decide_between_several_places() -> None:
    doors = item("When are doors closed in the south?", "at the same hour", (SECOND,))
    new = {"rules.md": f"New words come first here.\n\n{TWO['rules.md']}"}
    now = span(SAME, "rules.md", new, new["rules.md"].index("south"))
    made = fixed(Dataset([NORTH, SOUTH, doors]), new)
    assert made.dataset[2].evidence == ((now,),)
    turned = {"rules.md": "\n\n".join(new["rules.md"].strip().split("\n\n")[at] for at in (3, 4, 0, 1, 2))}
    assert fixed(Dataset([NORTH, SOUTH, doors]), turned).dataset[2].evidence[0][0].start == 36, "the south comes first"


def test_without_neighbours_no_place_is_guessed() -> None:
    doors = item("When are doors closed in the south?", "at the same hour", (SECOND,))
    new = {"rules.md": f"New words come first here.\n\n{TWO['rules.md']}"}
    assert codes(Dataset([doors]), new) == {"When": "unsettled"}
    (finding,) = drift(Dataset([doors]), new)
    assert "it is in 2 places, rules.md [61, 118), rules.md [156, 213), and no span near it" in finding.message
    made = fixed(Dataset([doors]), new)
    assert len(made.dataset) == 0 and [old.id for old, _ in made.left_out] == [doors.id]


def test_a_single_word_needs_neighbours_that_moved_as_it_did() -> None:
    nine = item("How many rooms?", "nine", (span("nine"),))
    new = OLD | {"sea.md": f"All nine of us.\n\n{OLD['sea.md']}"}
    assert fixed(Dataset([WHO, nine]), new).dataset[1].evidence == ((span("nine", texts=new, after=20),),)
    gone = OLD | {"sea.md": f"All nine of us.\n\n{OLD['sea.md'].replace(INN, '')}"}
    assert codes(Dataset([WHO, nine]), gone) == {"Who": "moved", "How": "unsettled"}


def test_an_empty_span_is_reported() -> None:
    empty = item("Who?", "Ada Low", (Span("sea.md", 3, 3, ""),))
    assert codes(Dataset([empty]), OLD) == {"Who?": "span"}
    assert codes(Dataset([item("Who?", "x", (replace(span(PIER), start=-3),))]), OLD) == {"Who?": "moved"}


# ---- derivations and hard negatives ----------------------------------------------------------------


def test_one_span_of_a_group_is_enough_unless_the_derivation_uses_a_lost_one() -> None:
    two = OLD | {"land.md": f"{OLD['land.md']}\nThat the pier is Ada Low's own work is well known.\n"}
    other = span("That the pier is Ada Low's own work is well known.", "land.md", two)
    both = replace(WHO, evidence=((span(PIER), other),), id="h-1", metadata={})
    new = two | {"sea.md": OLD["sea.md"].replace(PIER, "")}
    made = fixed(Dataset([replace(both, derivation={})]), new)
    assert made.dataset[0].evidence == ((other,),) and made.dataset[0].id == "h-1", "an id of one's own stays"
    ((_, why),) = fixed(Dataset([both]), new).left_out
    assert why == "its derivation uses sea.md [91, 98), which was not found again"


def test_a_derivation_place_outside_the_evidence_moves_with_another_span_of_the_set() -> None:
    texts = {
        "uk.md": "Leave is twenty days in the year, we say.",
        "us.md": "Leave is fifteen days in the year, we say.",
    }
    uk, us = (span(texts[doc], doc, texts) for doc in ("uk.md", "us.md"))
    twenty, fifteen = span("twenty days", "uk.md", texts), span("fifteen days", "us.md", texts)
    step = {"fact": "f-1", "scope": "UK", "find": place(twenty)}
    rival = {"fact": "f-2", "scope": "US", "find": place(fifteen)}
    scoped = {"operator": "scoped", "steps": [step], "rivals": [rival]}
    leave = item("For the UK, how long is leave?", "twenty days", (uk,), derivation=scoped)
    theirs = item("For the US, how long is leave?", "fifteen days", (us,))
    new = {"uk.md": texts["uk.md"], "us.md": f"New. {texts['us.md']}"}
    made = fixed(Dataset([leave, theirs]), new)
    assert made.dataset[0].derivation["rivals"][0]["find"] == place(span("fifteen days", "us.md", new))
    assert made.dataset[0].id == leave.id, "the id depends on question, answers and evidence only"
    # without the other item its old text is unknown: the place is kept where nothing in the document has moved
    assert fix(Dataset([leave]), pages(texts)).dataset[0].derivation == scoped
    same = new | {"us.md": texts["us.md"].replace("fifteen", "twenty")}
    ((_, why),) = fix(Dataset([leave, theirs]), pages(same)).left_out[:1]
    assert why == "its derivation uses us.md [9, 21), which was not found again"


def test_hard_negatives_are_moved_or_dropped() -> None:
    hard = replace(WHEN, hard_negatives=(span(PIER), span(INN)))
    new = OLD | {"sea.md": OLD["sea.md"].replace(PIER, "").replace(INN, f"Later.\n\n{INN}")}
    made = fixed(Dataset([hard]), new)
    assert made.dataset[0].hard_negatives == (span(INN, texts=new),) and made.dataset[0].id == WHEN.id
    assert made.to_text() == (
        "0 items updated, 1 unchanged, 0 left out (in 1 of the unchanged, hard negatives were moved or dropped)"
    )
    assert codes(Dataset([hard]), new) == {}, "hard negatives prove nothing here"


def test_an_unanswerable_question_that_now_has_an_answer_is_left_out() -> None:
    swapped, to = place(span("Tern")), place(span("Hills", "land.md"))
    absent = {"operator": "absent", "steps": [{"fact": "f", "swapped": swapped, "to": to}]}
    absent |= {"names": ["Hills"], "words": [["ferr*"], ["sail*"]]}
    none = Item("q-0", "When does the ferry to the Hills sail?", (), "unanswerable", "", "en", (), absent,
                (span(FERRY), span("Hills, mostly.", "land.md")), answerable=False)  # fmt: skip
    new = OLD | {"sea.md": f"Opening.\n\n{OLD['sea.md']}"}
    assert codes(Dataset([none]), new) == {"When": "moved"}
    assert fixed(Dataset([none]), new).dataset[0].hard_negatives[0] == span(FERRY, texts=new)
    said = new | {"land.md": f"{OLD['land.md']}\nThe ferry to the Hills sails at six.\n"}
    ((_, why),) = fix(Dataset([none]), pages(said)).left_out
    assert why.startswith("the documents no longer prove it: land.md [")


def test_the_shortest_span_that_contains_a_place() -> None:
    tracker = SpanTracker(Dataset([WHO, item("Who?", "Ada", (span("Ada Low in"),))]), pages(OLD))
    start = OLD["sea.md"].index("Low")
    found = tracker.covering("sea.md", start, start + 3)
    assert found and found.text == "Ada Low in" and tracker.covering("sea.md", 0, 3) is None


# ---- a real set ------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
Edit = Callable[[Path], None]


def insert(folder: Path) -> None:
    page = folder / "people" / "leave.md"
    page.write_text(page.read_text(encoding="utf-8").replace("\n\n", "\n\nThis page was new.\n\n", 1), encoding="utf-8")


def turn(folder: Path) -> None:
    page = folder / "about" / "org.md"
    parts = page.read_text(encoding="utf-8").strip().split("\n\n")
    page.write_text("\n\n".join([parts[0], *reversed(parts[1:])]), encoding="utf-8")


def rename(folder: Path) -> None:
    (folder / "about" / "committees.md").rename(folder / "about" / "boards.md")


def delete(folder: Path) -> None:
    (folder / "about" / "glossary.md").unlink()


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drift") / "handbook"
    shutil.copytree(ROOT / "corpora" / "handbook", folder)
    for edit in (insert, turn, rename, delete):
        edit(folder)
    return folder


def test_a_real_set_over_an_edited_folder(edited: Path, tmp_path: Path) -> None:
    golden, out = ROOT / "tests" / "handbook.jsonl", tmp_path / "golden.fixed.jsonl"
    arguments = ["audit", str(golden), "--docs", str(edited)]
    result = CliRunner().invoke(main, [*arguments, "--fix", str(out), "--json"])
    assert result.exit_code == 0, result.output
    documents = {each.id: each for each in read_folder(edited) if isinstance(each, Document)}
    old, new = load(golden), load(out)
    gone = {each.id for each in old if any({s.doc for s in group} == {"about/glossary.md"} for group in each.evidence)}
    renamed = {each.id for each in old for group in each.evidence for s in group if s.doc == "about/committees.md"}
    back = {each.metadata.get("previous_id", each.id): each for each in new}
    assert gone and renamed and gone.isdisjoint(back) and len(new) == len(old) - len(gone)
    for name in renamed - gone:
        assert "about/boards.md" in {span.doc for group in back[name].evidence for span in group}
    assert [f for f in check_set(new, documents).findings if f.severity == "error"] == []
    texts = {name: [span.text for group in each.evidence for span in group] for name, each in back.items()}
    assert all(texts[each.id] == [s.text for g in each.evidence for s in g] for each in old if each.id in back)


def test_the_set_itself_is_not_overwritten(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    SET.save(golden)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "sea.md").write_text("New.\n\n" + OLD["sea.md"], encoding="utf-8")
    arguments = ["audit", str(golden), "--docs", str(tmp_path / "docs")]
    for named in (golden, tmp_path):
        refused = CliRunner().invoke(main, ["audit", str(named), *arguments[2:], "--fix", str(golden)])
        assert refused.exit_code == 2 and "would overwrite the set itself" in refused.output
    done = CliRunner().invoke(main, [*arguments, "--fix", str(tmp_path / "fixed.jsonl")])
    assert "fixed.jsonl: 3 items updated, 0 unchanged, 0 left out" in done.output
    assert [each.id for each in load(golden)] == [WHEN.id, WHO.id, ROOMS.id]
    again = CliRunner().invoke(main, ["audit", str(tmp_path / "fixed.jsonl"), *arguments[2:], "--fail-on", "error"])
    assert again.exit_code == 0, again.output


def test_the_set_of_a_run_is_better_renewed_by_generate(tmp_path: Path) -> None:
    docs, run = tmp_path / "docs", tmp_path / "run"
    for folder in (docs, run):
        folder.mkdir()
    SET.save(run / "golden.jsonl")
    SET.save(run / "copy.jsonl")
    (docs / "sea.md").write_text("New.\n\n" + OLD["sea.md"], encoding="utf-8")
    (run / "manifest.json").write_text('{"docs": "../docs"}', encoding="utf-8")
    advice = f"better: kgsynth generate {docs} -o {run} renews the set itself"
    fixed = ["--fix", str(tmp_path / "fixed.jsonl")]
    for golden, options, advised in (
        (run, fixed, True),
        (run / "golden.jsonl", [], True),
        (run / "copy.jsonl", fixed, False),
    ):
        done = CliRunner().invoke(main, ["audit", str(golden), "--docs", str(docs), "-q", *options])
        assert "moved" in done.output and advice not in done.output, "-q leaves out advice"
        done = CliRunner().invoke(main, ["audit", str(golden), "--docs", str(docs), *options])
        assert (advice in done.output) == advised
    (docs / "sea.md").write_text(OLD["sea.md"], encoding="utf-8")
    unmoved = CliRunner().invoke(main, ["audit", str(run), "--docs", str(docs)])
    assert advice not in unmoved.output, "nothing is to be renewed"


def test_an_updated_set_is_audited_again_until_it_has_no_error(tmp_path: Path) -> None:
    """Checks of evidence are skipped while it has moved, so what they find shows only after the update."""
    golden, fixed_set = tmp_path / "golden.jsonl", tmp_path / "fixed.jsonl"
    inns = "The inn has nine doors.\n\nBo Ek must not dance in the inn.\n\nAda Low leads the inn.\n"
    whole = {"sea.md": inns}

    def asked(question: str, answer: str, text: str) -> Item:
        return item(question, answer, (span(text, texts=whole),))

    denied = asked("Who may dance in the inn?", "Bo Ek", "Bo Ek must not dance in the inn.")
    wrong = asked("How many doors has the inn?", "seven doors", "The inn has nine doors.")
    leads = asked("Who leads the inn?", "Ada Low", "Ada Low leads the inn.")
    Dataset([denied, wrong, leads]).save(golden)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "sea.md").write_text(f"New.\n\n{inns}", encoding="utf-8")
    arguments = ["--docs", str(tmp_path / "docs"), "--quick"]
    done = CliRunner().invoke(main, ["audit", str(golden), *arguments, "--fix", str(fixed_set)])
    text = done.output[done.output.index("fixed.jsonl:") :]
    assert text.splitlines() == [
        "fixed.jsonl: 2 items updated, 0 unchanged, 1 left out",
        f"  {wrong.id} 'How many doors has the inn?': evidence: the answer is 'seven doors', but '7' is not in the "
        "evidence",
        "the updated set has 1 new warning; check these items",
        f"  denied {denied.id}: 'Who may dance in the inn?' is answered with 'Bo Ek', but the evidence denies it: "
        "'Bo Ek must not dance in the inn.'",
    ]
    assert len(load(fixed_set)) == 2
    again = CliRunner().invoke(main, ["audit", str(fixed_set), *arguments])
    assert again.exit_code == 0 and "0 errors" in again.output


# ---- evidence with its heading -------------------------------------------------------------------

PREMIUM = "The company pays all of the premium."
PLANS = f"# Insurance\n\n## Dental\n\n{PREMIUM}\n\n## Vision\n\n{PREMIUM}\n"


def under_vision() -> Item:
    head, start = PLANS.index("Vision"), PLANS.rindex(PREMIUM)
    headed = Span("a.md", start, start + len(PREMIUM), PREMIUM, heading=Heading(head, head + 6, "Vision"))
    return item("Of the vision premium, how much does the company pay?", "all", (headed,))


def drift_to(text: str) -> tuple[list[str], list[Item]]:
    documents = {"a.md": read_markdown("a.md", text)}
    dataset = Dataset([under_vision()])
    return [each.message for each in drifted(AuditCase(dataset, documents))], list(fix(dataset, documents).dataset)


def test_a_heading_moves_with_its_sentence_and_decides_which_copy_is_meant() -> None:
    assert drift_to(PLANS) == ([], [under_vision()])
    turned = f"# Insurance\n\n## Vision\n\n{PREMIUM}\n\n## Life\n\nNone.\n\n## Dental\n\n{PREMIUM}\n"
    (message,), (kept,) = drift_to(turned)
    assert "moved from a.md [" in message
    (span,) = kept.evidence[0]
    assert span.start == turned.index(PREMIUM) and span.heading == Heading(turned.index("Vision"), 22, "Vision")
    assert kept.id == under_vision().id


def test_a_sentence_that_is_under_another_heading_now_is_left_out() -> None:
    (message,), kept = drift_to(PLANS.replace(PREMIUM, "None.", 1).replace("Vision", "Travel"))
    assert message == f"{PREMIUM!r} at a.md [42, 78) is no longer under 'Vision'"
    assert kept == []

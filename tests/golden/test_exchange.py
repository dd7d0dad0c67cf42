"""Question files of other tools, in each format, and files that fit none of them."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from foreign_tools import LEADS, MAKERS, PAIRS, ROOMS, TEXTS
from hypothesis import given
from hypothesis import strategies as st
from planted import document

from kgsynth.auditing.flow import check_set
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Document, Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.cli import main
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import markdown
from kgsynth.golden.dataset import Dataset, load, write
from kgsynth.golden.exchange import FORMATS, LoadedSet, cells, read
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion
from kgsynth.golden.exchange.locating import ContextLocator
from kgsynth.golden.exchange.platforms import PLATFORMS
from kgsynth.golden.item_json import to_json

FOREIGN = Path(__file__).parents[1] / "foreign"
PAGES = {doc: document(doc, text) for doc, text in TEXTS.items()}
QUESTIONS = [question for question, _, _ in PAIRS]
FILES = {
    "ragas": ("ragas.csv", "ragas.jsonl", "ragas.json"),
    "deepeval": ("deepeval.json", "deepeval.csv", "deepeval.jsonl"),
    "llamaindex": ("llamaindex.json", "llamaindex-pairs.json"),
    "beir": ("beir",),
    "columns": ("columns.csv",),
}


def evidence(item: Item) -> list[list[str]]:
    return [[span.text for span in group] for group in item.evidence]


def load_foreign(path: Path, mapping: str | None = None, pages: dict[str, Document] = PAGES) -> LoadedSet:
    found = read(path, mapping).locate(pages)
    spans = [span for item in found.dataset for group in item.evidence for span in group]
    assert all(pages[span.doc].span(span.start, span.end) == span for span in spans), (
        "the evidence is in the documents exactly"
    )
    return found


def check(path: Path, form: str) -> Dataset:
    """Check that a file with ``PAIRS`` is recognised by its content, and that its evidence is found."""
    assert read(path).format == form
    found = load_foreign(path)
    assert found.findings == () and found.dataset.questions == QUESTIONS
    answers = [(answer,) for _, answer, _ in PAIRS]
    without_answers = "the file has no answers" in found.summary
    assert found.dataset.golden_answers == ([(), ()] if without_answers else answers)
    assert [evidence(item) for item in found.dataset] == [[[LEADS]], [[LEADS], [ROOMS]]]
    assert all(item.metadata["source"] == form and item.answerable for item in found.dataset)
    report = check_set(found, PAGES)
    assert report.findings == () and "contexts in the documents: 3 found exactly" in report.to_text()
    return found.dataset


@pytest.mark.parametrize(("form", "name"), [(form, name) for form, names in FILES.items() for name in names])
def test_the_file_of_each_tool_is_read(form: str, name: str) -> None:
    check(FOREIGN / name, form)


@pytest.mark.parametrize("tool", MAKERS)
def test_what_a_tool_writes_today_is_read(tool: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, make = MAKERS[tool]
    monkeypatch.chdir(tmp_path)  # some tools write to the current folder
    for name in ("RAGAS_DO_NOT_TRACK", "DEEPEVAL_TELEMETRY_OPT_OUT"):
        monkeypatch.setenv(name, "true")
    pytest.importorskip(module, reason=f"{tool} is not installed", exc_type=ImportError)
    for path in make(tmp_path).values():
        check(path, tool.partition("-")[0])


def test_every_format_has_a_file_here() -> None:
    elsewhere = {"squad", "trec", "items", "promptfoo", "inspect", *PLATFORMS}
    assert {*FILES, *elsewhere} == set(FORMATS), "others are below and in test_export.py"


@pytest.mark.parametrize(
    ("name", "form"),
    [("inspect-b.json", "inspect"), ("promptfoo-results.json", "promptfoo"), ("ragas-results-a.csv", "columns (")],
)
def test_the_questions_of_results_are_read_once_each(name: str, form: str) -> None:
    """The log of Inspect has two epochs, the results of promptfoo two systems."""
    found = read(FOREIGN / name)
    assert found.format.startswith(form.strip(" (")) and found.findings == ()
    assert [(each.question, each.answers) for each in found.questions] == [
        ("Who leads the Borealis team?", ("Ada Low",)),
        ("How many storerooms has Leeds?", ("nine",)),
        ("What is the warranty?", ("two years",)),
    ]


def test_the_type_of_a_ragas_question_comes_from_its_synthesizer_or_evolution(tmp_path: Path) -> None:
    one, two = check(FOREIGN / "ragas.csv", "ragas")
    assert (one.question_type, two.question_type) == ("simple", "multi_context")
    assert (one.metadata["persona"], one.metadata["columns"]) == (
        "Clerk",
        {"synthesizer_name": "single_hop_specific_query_synthesizer"},
    )
    old = {"question": "Who leads it?", "ground_truth": "Ada Low", "contexts": [LEADS], "evolution_type": "reasoning"}
    old |= {"metadata": [{"source": "docs/people/teams.md"}], "episode_done": True}
    path = tmp_path / "old.jsonl"
    path.write_text(json.dumps(old) + "\n" + json.dumps(old | {"ground_truth": float("nan")}), encoding="utf-8")
    assert read(path).format == "ragas" and read(path).questions[0].doc == "docs/people/teams.md"
    first, second = load_foreign(path).dataset
    assert (first.question_type, first.golden_answers, second.golden_answers) == ("reasoning", ("Ada Low",), ())


def test_squad_evidence_is_at_the_offsets_of_the_answers() -> None:
    found = load_foreign(FOREIGN / "squad.json")
    low, none, nine = found.dataset
    assert [span.start for span in low.evidence[0]] == [9, 13] and evidence(low) == [["Ada Low", "Low"]]
    assert evidence(nine) == [["nine"]], "the paragraph has other line breaks than the document"
    assert (none.answerable, none.evidence, none.hard_negatives[0].text) == (False, (), LEADS)
    assert none.question_type == "unanswerable" and low.metadata["original_id"] == "s1"
    assert "2 found exactly" not in found.summary and "3 found exactly" in found.summary
    assert check_set(found, PAGES).findings == ()


def test_squad_in_rows(tmp_path: Path) -> None:
    row = {"id": "s", "title": "teams", "context": LEADS, "question": "Who?"}
    rows = [
        row | {"answers": {"text": ["Ada Low", "Low"], "answer_start": [0, 4]}},
        row | {"question": "Who not?", "answers": {"text": [], "answer_start": []}},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert read(path).format == "squad"
    one, two = load_foreign(path).dataset
    assert evidence(one) == [["Ada Low", "Low"]] and not two.answerable


def test_a_beir_set_scores_retrieval_only(tmp_path: Path) -> None:
    from kgsynth.scoring.flow import score

    data = check(FOREIGN / "beir", "beir")
    assert all(item.metadata["retrieval_only"] for item in data)
    data.save(tmp_path / "golden.jsonl")
    assert list(map(to_json, load(tmp_path / "golden.jsonl"))) == list(map(to_json, data))
    said = score(data, lambda question: {"answer": "Ada", "retrieved": [{"text": LEADS}]}, docs=tuple(PAGES.values()))
    assert said.metrics["recall@5"].value == 0.75, "one of one, and one of two"
    assert said.metrics["em"].value is None and said.metrics["em"].why == "no answerable questions with a golden answer"


def test_the_documents_in_a_set_are_written_to_a_folder(tmp_path: Path) -> None:
    for name, documents, items in (("beir", 3, 2), ("squad.json", 2, 3), ("llamaindex-pairs.json", 3, 2)):
        out = tmp_path / name
        done = CliRunner().invoke(main, ["audit", str(FOREIGN / name), "-o", str(out), "--fail-on", "error"])
        assert done.exit_code == 0, done.output
        assert f"{out / 'golden.jsonl'} --docs {out / 'docs'}" in done.output
        assert len(list((out / "docs").iterdir())) == documents and len(load(out / "golden.jsonl")) == items
    assert (tmp_path / "beir" / "docs" / "d1.txt").read_text(encoding="utf-8") == f"Teams\n\n{LEADS}\n"
    for name, more in (("ragas.csv", ["-o", str(tmp_path / "r")]), ("beir", [])):
        refused = CliRunner().invoke(main, ["audit", str(FOREIGN / name), *more])
        assert refused.exit_code == 2 and "--docs is missing; give the folder" in refused.output
    assert not (tmp_path / "r").exists()


def test_a_foreign_file_is_audited_converted_and_scored(tmp_path: Path) -> None:
    for doc, text in TEXTS.items():
        (tmp_path / "docs" / doc).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / doc).write_text(text, encoding="utf-8")
    docs, out = str(tmp_path / "docs"), tmp_path / "out"
    done = CliRunner().invoke(main, ["audit", str(FOREIGN / "ragas.csv"), "--docs", docs, "-o", str(out)])
    assert done.exit_code == 0 and "read as ragas; questions: 2" in done.output, done.output
    golden = str(out / "golden.jsonl")
    assert f"{golden} --docs {docs} --rag SYSTEM" in done.output
    scored = CliRunner().invoke(main, ["score", golden, "--rag", "bm25", "--docs", docs])
    assert scored.exit_code == 0 and "bm25: 2 of 2 questions passed" in scored.output, scored.output
    mine = tmp_path / "mine" / "golden.jsonl"
    mine.parent.mkdir()
    mine.write_bytes((FOREIGN / "ragas.jsonl").read_bytes())
    over = CliRunner().invoke(main, ["audit", str(mine), "--docs", docs, "-o", str(mine.parent)])
    assert over.exit_code == 2 and "-o would overwrite the set itself" in over.output
    direct = CliRunner().invoke(main, ["score", str(FOREIGN / "ragas.csv"), "--rag", "bm25", "--docs", docs])
    assert direct.exit_code == 0 and "bm25: 2 of 2 questions passed" in direct.output
    assert [line for line in direct.output.splitlines() if line.startswith("recall ")] == [
        line for line in scored.output.splitlines() if line.startswith("recall ")
    ], "as after converting it"


def test_beir_without_judgements_or_with_invalid_ones(tmp_path: Path) -> None:
    for name in ("queries", "corpus"):
        (tmp_path / f"{name}.jsonl").write_text('{"_id": "1", "text": "Who?"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"qrels contains no \.tsv file; put the judgements there"):
        read(tmp_path)
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text("1\t1\thigh\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev\.tsv, line 1: '1\\t1\\thigh' is not query-id, corpus-id, score"):
        read(tmp_path)
    (tmp_path / "qrels" / "dev.tsv").write_text("1 0 9 1\n1\t0\t9\t1\n".replace("1 0 9 1\n", ""), encoding="utf-8")
    (finding,) = read(tmp_path).findings
    assert "query '1' is skipped: '9' is not in corpus.jsonl" in finding.message, "files of trec_eval have four columns"


# ---- tables ----------------------------------------------------------------------------------------


def table(path: Path, *rows: list[Any], delimiter: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=delimiter).writerows(rows)
    return path


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [
        (["Question", "Golden Answers", "Evidence"], ","),
        (["USER_INPUT", "expectedOutput", "reference-contexts"], "\t"),
        (["问题", "标准答案", "上下文"], ";"),
        (["prompt", "answer", "passage"], "|"),
    ],
)
def test_columns_with_usual_names_are_recognised(tmp_path: Path, header: list[str], delimiter: str) -> None:
    path = table(tmp_path / "set.txt", header, ["Who leads it?", "Ada Low", LEADS], delimiter=delimiter)
    (item,) = load_foreign(path).dataset
    assert (item.question, item.golden_answers, evidence(item)) == ("Who leads it?", ("Ada Low",), [[LEADS]])


def test_contexts_of_chinese_questions_are_found(tmp_path: Path) -> None:
    pages = {"颜料.md": document("颜料.md", "# 颜料\n\n丙烯颜料可用水稀释，干燥后变得防水。\n\n它干得很快。")}
    rows = [["问题", "答案", "上下文", "文件"]]
    rows += [["丙烯颜料用什么稀释？", "水", "丙烯颜料可用 水 稀释，干燥后变得防水。", "颜料"]]
    rows += [["丙烯颜料干燥后如何？", "干燥后变得防水", "", "颜料"], ["它干得快吗？", "快", "", ""]]
    first, second, third = load_foreign(table(tmp_path / "颜料.csv", *rows), pages=pages).dataset
    assert evidence(first) == [["丙烯颜料可用水稀释，干燥后变得防水。"]] and first.language == "zh"
    assert evidence(second) == [["干燥后变得防水"]]
    assert (third.evidence, third.metadata["not_found"][0]["answer"]) == ((), "快")


def test_a_mapping_names_the_columns(tmp_path: Path) -> None:
    rows = [["Frage", "Antwort (kurz)", "Kontext"], ["Wer?", "Ada Low", LEADS]]
    path = table(tmp_path / "set.csv", *rows, delimiter=";")
    with pytest.raises(
        InputError, match=r"has the columns 'Frage', 'Antwort \(kurz\)', 'Kontext', which do not tell where.*--map"
    ):
        read(path)
    (item,) = load_foreign(path, "question=frage,answer=Antwort (kurz),contexts=Kontext").dataset
    assert (item.question, item.golden_answers, evidence(item)) == ("Wer?", ("Ada Low",), [[LEADS]])
    with pytest.raises(InputError, match="--map contexts=Quelle finds nothing in its 1 rows; they have the col"):
        read(path, "question=Frage,contexts=Quelle")
    for wrong in ("question", "answer=Antwort", "question=Frage", "question=a,answer=b,context=c"):
        with pytest.raises(ConfigError, match="must name columns for the question, and for the answer"):
            read(path, wrong)
    with pytest.raises(ConfigError, match=r"'a\[' is not a JMESPath expression"):
        read(path, "question=a[,answer=b")


def test_a_mapping_reaches_into_nested_json(tmp_path: Path) -> None:
    tree = {"sets": [{"cases": [{"q": {"text": "Who?"}, "gold": [{"v": "Ada Low"}], "found": [{"body": LEADS}]}]}]}
    path = tmp_path / "nested.json"
    path.write_text(json.dumps(tree), encoding="utf-8")
    (item,) = load_foreign(path, "rows=sets[].cases[],question=q.text,answer=gold[].v,contexts=found[].body").dataset
    assert (item.question, item.golden_answers, evidence(item)) == ("Who?", ("Ada Low",), [[LEADS]])
    with pytest.raises(InputError, match=r"--map rows=none finds no list; the file has the columns 'sets'"):
        read(path, "rows=none,question=q,answer=a")
    lines = tmp_path / "set.jsonl"
    lines.write_text('{"q": ["Who?"], "a": "Ada"}\n{"q": 1, "a": "Ada"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="--map rows=x finds no list"):
        read(lines, "rows=x,question=q,answer=a")
    with pytest.raises(InputError, match=r"set\.jsonl, line 2: --map: .*join.* fails on it"):
        read(lines, "question=join(' ', q),answer=a")


def test_rows_that_are_not_questions_are_reported(tmp_path: Path) -> None:
    rows = [["question", "answer", "contexts"], ["", "x", "y"], ["Who?", "Ada Low", LEADS], ["Why?", "", ""]]
    rows += [["a", "b", "c", "d"]]
    found = load_foreign(table(tmp_path / "set.csv", *rows))
    assert len(found.dataset) == 1 and "questions: 1, skipped rows: 3" in found.summary
    report = check_set(found, PAGES)
    assert report.counts == {"row": 3} and len(report.at_least("error")) == 3
    path = tmp_path / "set.csv"
    assert [finding.message for finding in report.findings] == [
        f"{path}, line 5 is skipped: it has 4 cells, but the first line has 3",
        f"{path}, line 2 is skipped: it has no question",
        f"{path}, line 4 is skipped: 'Why?' has neither an answer nor a context",
    ]


def test_line_numbers_count_the_lines_inside_cells(tmp_path: Path) -> None:
    path = table(tmp_path / "set.csv", ["question", "answer"], ["Who\nleads?", "Ada"], ["", "y"])
    assert read(path).findings[0].message.startswith(f"{path}, line 4 is skipped")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("question,answer\n", "contains no questions; give a file that does"),
        ("[1, 2]", "has no columns"),
        ('{"question": "Who?", "answer": "Ada"}\n{"question": ', r"line 2: not JSON \("),
        ('[\n{"question": "Who?",\n}]', r"line 3: not JSON \("),
        ("[" * 100_000, "not JSON|nested too deeply"),
        ('question,answer\nWho?,"Ada', None),
        ("question\nWho?\n", "has the columns 'question', which do not tell where"),
    ],
)
def test_an_invalid_file_is_named_with_the_line(tmp_path: Path, content: str, message: str | None) -> None:
    path = tmp_path / "set.json"
    path.write_text(content, encoding="utf-8")
    if message is None:
        assert read(path).format == "columns"
    else:
        with pytest.raises(InputError, match=message):
            read(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("question,answer\nWer?,Märchen".encode("latin-1"))
    with pytest.raises(InputError, match="is not UTF-8"):
        read(tmp_path / "latin.csv")
    with pytest.raises(InputError, match=r"none\.csv cannot be read \(No such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(InputError, match=r"contains neither a golden\.jsonl nor a BEIR set"):
        read(tmp_path)


def test_a_golden_set_of_kgsynth_is_loaded_unchanged(tmp_path: Path) -> None:
    item = Item("h-1", "Who?", ("Ada Low",), "simple", "", "en", ((PAGES["people/teams.md"].span(9, 16),),))
    write([item], tmp_path / "golden.jsonl")
    for path in (tmp_path, tmp_path / "golden.jsonl"):
        assert list(map(to_json, load_foreign(path).dataset)) == [to_json(item)] and load_foreign(path).summary == ""
    (tmp_path / "empty.jsonl").write_text("\n", encoding="utf-8")
    assert len(load_foreign(tmp_path / "empty.jsonl").dataset) == 0


def test_a_question_that_occurs_twice_is_kept_for_the_audit_to_report(tmp_path: Path) -> None:
    row = ["Who leads the depot in Leeds?", "Ada Low", LEADS]
    found = load_foreign(table(tmp_path / "set.csv", ["question", "answer", "context"], row, row))
    one, two = found.dataset
    assert two.id == f"{one.id}-2" and check_set(found, PAGES).counts == {"duplicate": 1}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ('["a", "b"]', ("a", "b")),
        ("['a', \"b's\"]", ("a", "b's")),
        ("['a\\nb' 'c'\n 'd']", ("a\nb", "c", "d")),
        ("('a', None, '')", ("a",)),
        ("[1] as said", ("[1] as said",)),
        ("['a', nan]", ("['a', nan]",)),
        ("[__import__('os')]", ("[__import__('os')]",)),
        ("{'text': 'a'}", ("a",)),
        ("", ()),
        (2005, ("2005",)),
        (["a", {"page_content": "b"}, None], ("a", "b")),
    ],
)
def test_lists_in_cells(cell: object, expected: tuple[str, ...]) -> None:
    assert cells.texts(cell) == expected


# ---- writing and reading --------------------------------------------------------------------------------

LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"), include_characters="\n\"',|;[")
TEXT = st.text(LETTERS, min_size=1, max_size=30).filter(lambda text: any(map(str.isalnum, text)))
PASSAGES = (
    "First of all the tide turned.",
    "Then nine\nstorerooms were built;",
    "最后一个故事发生在海边的小镇。",
    "[1] It says 'so', \"so\".",
)
SEA = {f"{n}.md": document(f"{n}.md", f"Begun. {text} Ended.") for n, text in enumerate(PASSAGES)}


@given(
    st.lists(
        st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3), st.lists(st.sampled_from(PASSAGES), min_size=1)),
        min_size=1,
        max_size=4,
    ),
    st.booleans(),
)
def test_a_set_written_as_columns_is_read_unchanged(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, list[str], list[str]]], as_csv: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / f"there.{'csv' if as_csv else 'jsonl'}"
    if as_csv:
        cut = [[question, json.dumps(answers), json.dumps(contexts)] for question, answers, contexts in rows]
        table(path, ["question", "golden_answers", "contexts"], *cut)
    else:
        names = ("question", "golden_answers", "contexts")
        lines = (json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows)
        path.write_text("\n".join(lines), encoding="utf-8", newline="")
    back = list(read(path).locate(SEA).dataset)
    assert [item.question for item in back] == [question.strip() for question, _, _ in rows]
    for item, (_, answers, contexts) in zip(back, rows, strict=True):
        assert item.golden_answers == tuple(answer.strip() for answer in answers)
        assert evidence(item) == [[text] for text in contexts] and "not_found" not in item.metadata


# ---- the places of contexts --------------------------------------------------------------------------

SHORE = "The ferry to Skua sails at nine. The ferry to Tern sails at ten, but not in winter when the sound is frozen."
TWICE = {
    "a/ferries.md": document("a/ferries.md", f"# Ferries\n\n{SHORE}\n\nTern has a pier."),
    "b/copy.md": document("b/copy.md", f"{SHORE} Tern is an island. Tern is small. Skua is not."),
}


def item(*contexts: str, answer: str = "ten", doc: str = "") -> Item:
    groups = tuple((ForeignContext(context),) for context in contexts)
    question = ForeignQuestion("f, line 1", "When does it sail?", (answer,), groups, doc)
    return ContextLocator(TWICE).to_item(question, "columns")


def places(found: Item) -> list[list[tuple[str, int]]]:
    return [[(span.doc, span.start) for span in group] for group in found.evidence]


def test_all_places_of_a_context_are_alternatives_unless_its_document_is_named() -> None:
    assert places(item(SHORE)) == [[("a/ferries.md", 11), ("b/copy.md", 0)]]
    for name in ("b/copy.md", "C:\\docs\\b\\copy.md", "copy.md", "Copy"):
        assert places(item(SHORE, doc=name)) == [[("b/copy.md", 0)]]
    assert places(item(SHORE, doc="unknown.md")) == places(item(SHORE)), "an unknown name is ignored"
    assert places(item("Tern has a pier.", doc="b/copy.md")) == [[("a/ferries.md", 121)]]


def test_a_context_without_its_markup_is_found_in_the_source() -> None:
    source = "# Leave\n\nSee [the page on travel](https://example.org/a/long/path/of/no/use.html) *before* you book.\n"
    page = assemble(markdown.read(source), id="leave.md", format=".md", sha256="")
    context = ForeignContext("See the page on travel before you book.")
    locator = ContextLocator({"leave.md": page})
    (span,) = locator.to_item(ForeignQuestion("f, line 1", "When?", ("x",), ((context,),))).evidence[0]
    assert span == page.span(span.start, span.end) and span.text.startswith("See [the page on travel](https:")
    assert span.text.endswith("*before* you book.") and dict(locator.matches) == {"found exactly": 1}


def test_a_context_that_differs_a_little_is_found_with_its_similarity() -> None:
    near = item(SHORE.replace("sound", "straits").replace(",", ";"), doc="copy")
    assert near.evidence[0][0].text.startswith("The ferry to Skua") and 0.9 < near.metadata["scores"]["located"] < 1


def test_a_context_that_is_not_found_is_kept_with_the_reason() -> None:
    lost = item(SHORE, "Nothing of the kind was ever written down here.", "Tern")
    assert len(lost.evidence) == 1
    assert lost.metadata["not_found"] == [
        {"context": "Nothing of the kind was ever written down here.", "why": "it occurs in no document"},
        {"context": "Tern", "why": "it is short and occurs in 5 places"},
    ]
    assert places(item("Tern has")) == [[("a/ferries.md", 121)]], "a short context that occurs in one place is found"
    assert item("ern has").evidence == (), "half a word is not a context"


def test_an_answer_without_a_context_is_evidence_only_if_it_is_distinctive() -> None:
    assert places(item(answer="but not in winter when the sound", doc="copy")) == [[("b/copy.md", 65)]]
    assert places(item(answer="an island. Tern is small")) == [[("b/copy.md", 117)]]
    assert places(item(answer="a pier")) == [], "short, and its document is not named"
    assert places(item(answer="island", doc="b/copy.md")) == [[("b/copy.md", 120)]]
    twice = item(answer="but not in winter when the sound")
    assert twice.metadata["not_found"] == [
        {
            "answer": "but not in winter when the sound",
            "why": "it has no context, and no answer that is long enough occurs exactly once in the documents, "
            "nor any answer in exactly one section with the question's words",
        }
    ]


# ---- answers without a context, beside the question's words -----------------------------------------

STAFF = """# Handbook

## Leave

Staff have 25 days of leave.

## Training

Staff have 25 hours of training. Trainers have 40 hours.

Captains of new ferries have 40 weeks.
"""


def page(name: str, source: str) -> Document:
    return assemble(markdown.read(source), id=name, format=".md", sha256="")


HANDBOOK = {"staff.md": page("staff.md", STAFF), "pay.md": page("pay.md", "# Pay\n\nPay is due on day 25.\n")}


def evidence_of(question: str, *answers: str, pages: dict[str, Document] = HANDBOOK) -> list[list[tuple[str, int]]]:
    return places(ContextLocator(pages).to_item(ForeignQuestion("f, line 1", question, answers), "columns"))


def test_a_short_answer_is_evidence_in_the_only_section_that_has_the_words_of_the_question() -> None:
    at = STAFF.index("25 days")
    assert evidence_of("How many days of leave do staff have?", "25") == [[("staff.md", at)]], "25 is in three sections"
    assert evidence_of("How many days are there?", "25") == [], "one content word tells no section apart"
    assert evidence_of("How many crates of apples did the ferry carry?", "25") == [], "no section has these words"
    twins = HANDBOOK | {"copy.md": page("copy.md", STAFF)}
    assert evidence_of("How many days of leave do staff have?", "25", pages=twins) == [], "two sections can be meant"


def test_a_short_answer_in_several_paragraphs_of_a_section_needs_one_with_the_words_of_the_question() -> None:
    first, second = STAFF.index("40 hours"), STAFF.index("40 weeks")
    assert evidence_of("How many weeks do captains of new ferries have?", "40") == [[("staff.md", second)]]
    assert evidence_of("How many hours do trainers have?", "40") == [[("staff.md", first)]]
    assert evidence_of("What do hours, trainers, captains and weeks have?", "40") == [], "both paragraphs can be meant"


def test_the_words_of_the_question_that_its_evidence_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    def move(name: str, value: float) -> None:
        monkeypatch.setattr(LIMITS, name, value)

    question = "How many days of paid annual leave do staff have?"  # the section has days, leave and staff
    assert evidence_of(question, "25") == [[("staff.md", STAFF.index("25 days"))]]
    move("evidence_word_share", 0.7)
    assert evidence_of(question, "25") == []


DEPOT = "Ada Low and her crew repaired the harbour crane in 1999."
MILL = "Tim Ray painted the old mill at Salina with nine smiths."
ABOUT = {"crane.md": page("crane.md", f"# Crane\n\n{DEPOT}\n"), "mill.md": page("mill.md", f"# Mill\n\n{MILL}\n")}


def table_item(question: str, answer: str, doc: str = "") -> Item:
    return ContextLocator(ABOUT).to_item(ForeignQuestion("f, line 1", question, (answer,), (), doc), "columns")


def test_an_answer_in_a_passage_about_something_else_is_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    right, wrong = "Ada Low and her crew", "the old mill at Salina"
    assert [span.text for span in table_item("Who repaired the harbour crane?", right).evidence[0]] == [right]
    swapped = table_item("Who repaired the harbour crane?", wrong)
    assert swapped.evidence == () and swapped.metadata["not_found"] == [
        {
            "elsewhere": wrong,
            "why": f"its answer {wrong!r} is in mill.md [24, 46), but few words of the question are there, "
            "more are in crane.md [0, 65)",
        }
    ]
    report = check_set(Dataset([swapped]), ABOUT)
    assert [(f.code, f.severity, f.item) for f in report.findings] == [("elsewhere", "warning", swapped.id)]
    assert report.findings[0].message.startswith(
        "'Who repaired the harbour crane?': its answer 'the old mill at Salina'"
    )
    assert table_item("Who repaired the harbour crane?", wrong, "mill.md").evidence == (), "its only document, no word"
    assert (
        table_item("¿Quién?", right)
        .metadata["not_found"][0]["why"]
        .endswith("no word of the question is in the documents")
    )
    monkeypatch.setattr(LIMITS, "evidence_passage_share", 0.0)
    assert table_item("Who repaired the harbour crane?", wrong).evidence != ()


def test_the_limit_on_the_words_of_a_passage_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    def move(name: str, value: float) -> None:
        monkeypatch.setattr(LIMITS, name, value)

    question = (
        "How many smiths painted the harbour crane?"  # the mill has smiths and painted, the crane harbour and crane
    )
    assert table_item(question, "the old mill at Salina").evidence != (), "as many words as in any passage"
    move("evidence_passage_share", 1.1)
    assert table_item(question, "the old mill at Salina").evidence == ()


def test_chinese_answers_need_the_question_too() -> None:
    pages = {
        "水.md": page("水.md", "抽水泵由北岸仓库的工程师维修。\n"),
        "纸.md": page("纸.md", "造纸厂每年生产九百吨高级纸张。\n"),
    }

    def located(question: str, answer: str) -> int:
        return len(ContextLocator(pages).to_item(ForeignQuestion("f", question, (answer,))).evidence)

    assert located("抽水泵由谁维修？", "北岸仓库的工程师") == 1
    assert located("抽水泵由谁维修？", "九百吨高级纸张每年生产"[:7]) == 0

"""Exports to other tools: what they need is there, what they cannot hold is said, and it is read back."""

import csv
import json
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from export_sets import AT_LEADS, AT_ROOMS, COPY, FORMULA, ITEMS, LEADS, PAGES, PRICE, ROOMS, TEXTS, read_back, span
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsynth.base.choices import EXPORT_CHOICES
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, Span, Turn
from kgsynth.cli import main
from kgsynth.golden.dataset import Dataset, write
from kgsynth.golden.exchange import read
from kgsynth.golden.export import EXPORT_FORMATS, Exported, default_place, export
from kgsynth.golden.item_json import line_of, to_json

PLATFORMS = ("mlflow", "langsmith", "phoenix", "langfuse", "opik")
WHOLE = ("deepeval", "promptfoo", *PLATFORMS, "hf", "parquet")
"""The formats that keep everything of every question."""
BY_ID = {item.id: item for item in ITEMS}
NEEDS_ARROW = {"parquet": "pyarrow"}


def made(tmp_path: Path, form: str, items: Any = ITEMS, pages: Any = PAGES, **options: Any) -> Exported:
    if form in NEEDS_ARROW:
        pytest.importorskip(NEEDS_ARROW[form])
    out = tmp_path / f"out{EXPORT_FORMATS[form].suffix}"
    return export(items, out, form, pages.values(), **options)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def same(one: Item, other: Item) -> bool:
    return to_json(one) == to_json(other)


# ---- reading back ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", WHOLE)
@pytest.mark.parametrize("pages", [PAGES, {}], ids=["with documents", "without"])
def test_formats_with_metadata_lose_nothing(tmp_path: Path, form: str, pages: Any) -> None:
    done = made(tmp_path, form)
    assert (done.written, done.left_out, done.not_kept) == (len(ITEMS), {}, {})
    found = read_back(done.out, pages)
    assert found.findings == () and [line_of(item) for item in found.dataset] == [line_of(item) for item in ITEMS]


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_tables_for_people_lose_what_they_say(tmp_path: Path, form: str) -> None:
    done = made(tmp_path, form)
    assert done.not_kept == {"claims": 1, "hard_negatives": 2, "derivation": 1, "metadata": 3}
    found = read_back(done.out)
    bare = [replace(item, claims=(), hard_negatives=(), derivation={}, metadata={}) for item in ITEMS]
    assert found.findings == () and all(map(same, found.dataset, bare))


def test_ragas_and_llamaindex_keep_question_answer_and_contexts(tmp_path: Path) -> None:
    for form in ("ragas", "llamaindex"):
        found = read_back(made(tmp_path, form).out)
        assert found.findings == () and read(tmp_path / f"out{EXPORT_FORMATS[form].suffix}").format == form
        for item, back in zip(ITEMS, found.dataset, strict=True):
            assert (back.question, back.answerable) == (item.full_question, item.answerable)
            assert back.golden_answers == item.golden_answers[:1]
            assert [group[0] for group in back.evidence] == [group[0] for group in item.evidence]
            assert form == "llamaindex" or back.question_type == item.question_type


def test_beir_restores_the_items_if_their_documents_are_given(tmp_path: Path) -> None:
    done = made(tmp_path, "beir")
    assert done.left_out == {"unanswerable, so that no passage is relevant": ("q-none",)} and done.not_kept == {}
    assert all(map(same, read_back(done.out).dataset, [item for item in ITEMS if item.answerable]))
    source = read(done.out)
    folder = tmp_path / "passages"
    assert source.write_documents(folder) == len(lines(done.out / "corpus.jsonl"))
    from kgsynth.golden.exchange.open_set import open_set

    opened = open_set(done.out)
    assert all(item.evidence and item.golden_answers for item in opened.dataset) and opened.notes == ()


def test_trec_keeps_questions_and_relevant_passages(tmp_path: Path) -> None:
    done = made(tmp_path, "trec")
    assert done.not_kept["answers"] == done.written == len(ITEMS) - 1
    found = read_back(done.out)
    assert [item.question for item in found.dataset] == [
        " ".join(item.full_question.split()) for item in ITEMS if item.answerable
    ]
    by_id = {item.metadata["original_id"]: item for item in found.dataset}
    text = " ".join(each.text for group in by_id["q-hops"].evidence for each in group)
    assert LEADS in text and ROOMS in text


def test_squad_keeps_answers_at_their_places(tmp_path: Path) -> None:
    done = made(tmp_path, "squad")
    assert done.left_out == {
        "with evidence in several documents": ("q-hops", "q-long"),
        "whose answer is not in the evidence word for word": ("q-list",),
    }
    found = {item.metadata["original_id"]: item for item in read_back(done.out).dataset}
    assert found["q-plain"].golden_answers == ("Ada Low", "Low")
    assert [each.text for each in found["q-plain"].evidence[0]] == ["Ada Low", "Low"]
    assert [each.text for each in found["q-zh"].evidence[0]] == ["300元"]
    assert not found["q-none"].answerable and ROOMS in found["q-none"].hard_negatives[0].text
    assert found["q-turn"].question == BY_ID["q-turn"].standalone


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(lambda text: text.strip())
ANSWERS = st.lists(TEXT.filter(lambda text: not text.startswith("re:")), min_size=1, max_size=3, unique=True)


@pytest.mark.parametrize("form", ["deepeval", "promptfoo", "mlflow", "langsmith", "opik", "hf", "csv", "xlsx", "beir"])
@settings(max_examples=25, deadline=None)
@given(question=TEXT, answers=ANSWERS, turns=st.lists(st.tuples(TEXT, TEXT), max_size=2), evidence=TEXT)
def test_any_text_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    form: str,
    question: str,
    answers: list[str],
    turns: list[tuple[str, str]],
    evidence: str,
) -> None:
    groups = ((Span("a.md", 0, len(evidence), evidence),), (AT_ROOMS, AT_LEADS))
    history = tuple(Turn(*turn) for turn in turns)
    item = Item("q-1", question, tuple(answers), "simple", "", "en", groups, history=history)
    item = replace(item, standalone="What then?") if turns else item
    done = made(tmp_path_factory.mktemp("any"), form, [item], {})
    (back,) = read(done.out).locate({"a.md": PAGES["sites.md"]}).dataset
    bare = replace(back, metadata={}) if form in ("csv", "xlsx") else back
    assert to_json(bare) == to_json(item)


def test_halves_of_characters_are_replaced(tmp_path: Path) -> None:
    item = replace(ITEMS[0], question="Who \ud83d?", golden_answers=("Ada\udc00",), metadata={"\ud83d": "\ud83d"})
    for form in EXPORT_FORMATS:
        if form not in (*NEEDS_ARROW, "squad"):
            done = made(tmp_path / form, form, [item, ITEMS[2]])
            contents = [path.read_bytes() for path in done.files]
            assert all(content.decode("utf-8", "strict") for content in contents if form != "xlsx")
            assert all(b"\\ud83d" not in content.lower() for content in contents)
            assert next(iter(read_back(done.out).dataset)).question == "Who \ufffd?"


def test_what_was_changed_in_the_other_tool_counts(tmp_path: Path) -> None:
    done = made(tmp_path, "deepeval")
    goldens = json.loads(done.out.read_text(encoding="utf-8"))
    goldens[0]["input"] = "Who is at the head of Borealis?"
    goldens[1]["expected_output"] = "9"
    goldens[2]["context"] = [ROOMS]
    done.out.write_text(json.dumps(goldens), encoding="utf-8")
    first, second, third, *others = read_back(done.out).dataset
    assert first == replace(BY_ID["q-plain"], question="Who is at the head of Borealis?", metadata=first.metadata)
    assert (second.golden_answers, second.id) == (("9",), "q-hops")
    assert (third.evidence, third.golden_answers) == (((AT_ROOMS,),), ("300元",)), "found by its text"
    assert all(map(same, others, ITEMS[3:]))


# ---- what the tools need ---------------------------------------------------------------------------


def test_ragas_lines_are_ascii_with_the_fields_of_a_sample(tmp_path: Path) -> None:
    done = made(tmp_path, "ragas")
    rows = lines(done.out)
    assert done.out.read_bytes().isascii(), "Ragas opens it in the encoding of the computer"
    assert rows[1] == {
        "user_input": ITEMS[1].question, "reference": "nine", "reference_contexts": [LEADS, ROOMS],
        "reference_context_ids": ["people/teams.md#9-50", "sites.md#9-79"], "synthesizer_name": "kgsynth multi_context",
    }  # fmt: skip
    assert (rows[0]["persona_name"], rows[2]["reference"]) == ("Clerk", "300元")
    assert (rows[3]["reference"], rows[3]["reference_contexts"]) == ("", [])
    library = pytest.importorskip("ragas.dataset_schema", exc_type=ImportError)
    samples = library.EvaluationDataset.from_jsonl(done.out)
    assert [each.user_input for each in samples] == [item.full_question for item in ITEMS]


def test_deepeval_goldens_and_conversations(tmp_path: Path) -> None:
    done = made(tmp_path, "deepeval")
    golden = json.loads(done.out.read_text(encoding="utf-8"))[1]
    assert golden.pop("additional_metadata") == to_json(ITEMS[1])
    assert golden == {
        "input": ITEMS[1].question, "expected_output": "nine", "context": [LEADS, ROOMS], "source_file": None,
        "name": "q-hops",
    }  # fmt: skip
    assert [path.name for path in done.files] == ["out.json", "out.conversations.json"]
    (turns,) = json.loads(done.files[1].read_text(encoding="utf-8"))
    assert [each["role"] for each in turns["turns"]] == ["user", "assistant", "user"]
    assert (turns["scenario"], turns["turns"][-1]["content"]) == (BY_ID["q-turn"].standalone, BY_ID["q-turn"].question)
    library = pytest.importorskip("deepeval.dataset", exc_type=ImportError)
    for path, count in zip(done.files, (len(ITEMS), 1), strict=True):
        loaded = library.EvaluationDataset()
        loaded.add_goldens_from_json_file(str(path))
        assert len(loaded.goldens) == count


def test_promptfoo_asserts_any_golden_answer(tmp_path: Path) -> None:
    done = made(tmp_path, "promptfoo")
    text = done.out.read_text(encoding="utf-8")
    tests = {each["description"]: each for each in yaml.safe_load(text)}
    assert "!!" not in text and "&id" not in text and '"category\\": \\"1e3' in text
    assert all(isinstance(value, str) for each in tests.values() for value in each["vars"].values()), "no expansion"
    asserted = {name: each["assert"] for name, each in tests.items()}
    assert asserted["q-hops"] == [{"type": "icontains-any", "value": ["nine"]}]
    assert asserted["q-none"] == [{"type": "is-refusal"}]
    assert asserted["q-list"] == [{"type": "icontains-all", "value": ["two rooms", "three cups"]}]
    assert asserted["q-long"] == [{"type": "factuality", "value": ITEMS[6].golden_answers[0]}]
    assert asserted["q-formula"][0]["value"] == ["=SUM(A1)", "{% raw %}{{ y }} {% z{% endraw %}"]
    (either,) = asserted["q-plain"]
    assert [each["type"] for each in either["assert"]] == ["icontains-any", "javascript"] and either["threshold"] < 0.5
    assert either["assert"][1]["value"] == "new RegExp(\"ada( low)?\", 'i').test(output)"
    assert tests["q-turn"]["vars"]["history"] == "User: How many storerooms are there?\nAssistant: Nine."
    assert tests["q-zh"]["metadata"]["language"] == "zh", "for --filter-metadata"


@pytest.mark.parametrize("form", PLATFORMS)
def test_rows_of_platforms_have_their_keys(tmp_path: Path, form: str) -> None:
    rows = lines(made(tmp_path, form).out)
    asked, expected, item, question, answer, contexts = {
        "mlflow": ("inputs", "expectations", "tags", "question", "expected_response", "expected_retrieved_context"),
        "langsmith": ("inputs", "outputs", "metadata", "question", "answer", "contexts"),
        "phoenix": ("input", "output", "metadata", "question", "answer", "contexts"),
        "langfuse": ("input", "expected_output", "metadata", "question", "answer", "contexts"),
        "opik": ("", "", "metadata", "input", "expected_output", "context"),
    }[form]
    assert all(row[item]["id"] == each.id for row, each in zip(rows, ITEMS, strict=True))
    inputs, outputs = ([row[key] for row in rows] if (key := part) else rows for part in (asked, expected))
    assert [each[question] for each in inputs] == [each.question for each in ITEMS]
    assert (outputs[0][answer], outputs[3][answer], outputs[3][contexts]) == ("Ada Low", None, [])
    texts = [each["content"] if form == "mlflow" else each for each in outputs[1][contexts]]
    assert texts == [LEADS, ROOMS] and "history" not in inputs[0]
    assert inputs[4]["history"][1] == {"role": "assistant", "content": "Nine."}
    if asked:
        assert all(set(row) == {asked, expected, item} for row in rows)


def test_platforms_take_the_rows(tmp_path: Path) -> None:
    """Their own classes check the rows, as far as they are installed."""
    taken = {
        "langsmith": "langsmith.schemas",
        "langfuse": "langfuse.api",
        "phoenix": "phoenix.client.resources.datasets",
    }
    modules = {form: import_module(name) for form, name in taken.items() if find_spec(form)}
    if not modules:
        pytest.skip("none of the platforms is installed")
    for form, module in modules.items():
        rows = lines(made(tmp_path, form).out)
        if form == "langsmith":
            assert [module.ExampleCreate(**row).inputs for row in rows] == [row["inputs"] for row in rows]
        elif form == "langfuse":
            sent = [module.CreateDatasetItemRequest(dataset_name="x", **row) for row in rows]
            assert [each.expected_output for each in sent] == [row["expected_output"] for row in rows]
        else:
            assert module._is_iterable_of_input_dataset_examples(rows)


def test_llamaindex_data_sets(tmp_path: Path) -> None:
    done = made(tmp_path, "llamaindex")
    first, second, *_ = json.loads(done.files[0].read_bytes())["examples"]
    assert set(first) == {"query", "query_by", "reference_contexts", "reference_answer", "reference_answer_by"}
    assert (first["query_by"]["type"], second["query_by"]) == ("human", {"model_name": "kgsynth (rules)", "type": "ai"})
    pairs = json.loads(done.files[1].read_bytes())
    assert pairs["mode"] == "text" and set(pairs["queries"]) == set(pairs["relevant_docs"]) == set(BY_ID) - {"q-none"}
    assert {name for names in pairs["relevant_docs"].values() for name in names} <= set(pairs["corpus"])
    library = pytest.importorskip("llama_index.core.llama_dataset", exc_type=ImportError)
    assert len(library.LabelledRagDataset.from_json(str(done.files[0])).examples) == len(ITEMS)


@pytest.mark.parametrize("whole", [False, True])
def test_beir_judges_the_passages_of_all_groups(tmp_path: Path, whole: bool) -> None:
    done = made(tmp_path, "beir", whole_documents=whole)
    passages = {row["_id"]: row["text"] for row in lines(done.out / "corpus.jsonl")}
    rows = [line.split("\t") for line in (done.out / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["query-id", "corpus-id", "score"] and all(len(row) == 3 for row in rows)
    judged = {name: [passages[row[1]] for row in rows if row[0] == name] for name in BY_ID}
    assert all(len(judged[name]) == 2 for name in ("q-plain", "q-hops")) and judged["q-none"] == []
    assert COPY in judged["q-plain"][1], "alternatives are relevant too"
    names = sorted(passages)
    assert names[-1].startswith("产品%20目录.md"), "no blanks in ids"
    assert (len(names) == len(TEXTS)) and (not whole or passages["sites.md"] == TEXTS["sites.md"])


def test_half_of_a_span_makes_a_passage_relevant_or_all_that_share_it(tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(1000))
    from planted import document

    page = document("long.md", words)
    short, long = Span("long.md", 0, 20, words[:20]), Span("long.md", 0, len(words), words)
    items = [replace(ITEMS[2], id=f"q-{n}", evidence=((each,),)) for n, each in enumerate((short, long))]
    done = made(tmp_path, "beir", items, {"long.md": page})
    rows = (done.out / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    count = len(lines(done.out / "corpus.jsonl"))
    assert count > 2 and sum(row.startswith("q-0\t") for row in rows) == 1
    assert sum(row.startswith("q-1\t") for row in rows) == count, "no passage has half of it"


def test_without_documents_the_corpus_is_the_evidence(tmp_path: Path) -> None:
    done = made(tmp_path, "beir", ITEMS, {})
    assert done.notes == ("the corpus has only evidence and hard negatives; --docs adds the documents",)
    assert {row["text"] for row in lines(done.out / "corpus.jsonl")} == {LEADS, ROOMS, COPY, PRICE, FORMULA}


def test_trec_files_have_the_columns_of_trec_eval(tmp_path: Path) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    done = made(tmp_path, "trec")
    with (done.out / "qrels.txt").open(encoding="utf-8") as file:
        judged = pytrec_eval.parse_qrel(file)
    assert set(judged) == set(BY_ID) - {"q-none"}
    run = {topic: dict.fromkeys(names, 1.0) for topic, names in judged.items()}
    values = pytrec_eval.RelevanceEvaluator(judged, {"recall_5"}).evaluate(run)
    assert all(each["recall_5"] == 1 for each in values.values())
    topics = (done.out / "topics.tsv").read_text(encoding="utf-8").splitlines()
    assert all(len(line.split("\t")) == 2 for line in topics) and set(lines(done.out / "corpus.jsonl")[0]) == {
        "id", "title", "contents",
    }  # fmt: skip


def test_squad_answers_are_in_their_paragraph_at_their_offset(tmp_path: Path) -> None:
    data = json.loads(made(tmp_path, "squad").out.read_text(encoding="utf-8"))
    paragraphs = [each for article in data["data"] for each in article["paragraphs"]]
    places = [(each["context"], answer) for each in paragraphs for qa in each["qas"] for answer in qa["answers"]]
    assert data["version"] == "v2.0" and len(places) == 5
    for context, answer in places:
        assert context[answer["answer_start"] :].startswith(answer["text"])
    impossible = [qa for each in paragraphs for qa in each["qas"] if qa["is_impossible"]]
    assert [(qa["id"], qa["answers"], qa["plausible_answers"]) for qa in impossible] == [("q-none", [], [])]


def test_squad_without_documents_has_the_evidence_as_paragraph(tmp_path: Path) -> None:
    two = replace(ITEMS[0], id="q-two", evidence=((AT_LEADS,), (span("people/teams.md", FORMULA),)))
    done = made(tmp_path, "squad", [*ITEMS, two], {})
    assert done.left_out["with evidence in several places of a document that is not known (give it with --docs)"]
    data = json.loads(done.out.read_text(encoding="utf-8"))
    assert LEADS in [each["context"] for article in data["data"] for each in article["paragraphs"]]
    assert made(tmp_path, "squad", [two]).left_out == {}, "with its document, the section that has both"
    cut = replace(ITEMS[1], evidence=((AT_ROOMS,),), golden_answers=("room", "ST"))
    with pytest.raises(InputError, match="1 whose answer is not in the evidence word for word"):
        made(tmp_path, "squad", [cut])


def test_the_hub_folder_has_a_card_with_types(tmp_path: Path) -> None:
    done = made(tmp_path, "hf")
    card = (done.out / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["configs"] == [
        {"config_name": "default", "data_files": [{"split": "test", "path": "test.jsonl"}]}
    ] and front["language"] == ["en", "zh"]
    rows = lines(done.out / "test.jsonl")
    assert [each["name"] for each in front["dataset_info"]["features"]] == list(rows[0])
    datasets = pytest.importorskip("datasets", exc_type=ImportError)
    loaded = datasets.load_dataset(str(done.out), split="test", cache_dir=str(tmp_path / "cache"))
    assert list(loaded["golden_answers"]) == [list(item.golden_answers) for item in ITEMS]


def test_a_workbook_has_texts_only(tmp_path: Path) -> None:
    from openpyxl import load_workbook

    done = made(tmp_path, "xlsx")
    sheet = load_workbook(done.out).active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells if cell.value is not None} == {"s"}
    assert "=1+1 or {{ x }} {% if %}: what is the formula?" in {cell.value for cell in cells}
    assert done.files[0].read_bytes() == made(tmp_path / "again", "xlsx").files[0].read_bytes()


def test_a_text_too_long_for_a_cell_is_cut_and_said(tmp_path: Path) -> None:
    long = replace(ITEMS[2], question="长" * 40_000, evidence=((Span("a.md", 0, 40_000, "x" * 40_000),),))
    done = made(tmp_path, "xlsx", [long])
    assert done.notes == ("a cell of Excel holds 32,767 characters: 3 cells cut (spans are left out instead)",)
    (back,) = read_back(done.out).dataset
    assert (len(back.question), back.evidence) == (32_767, ())


def test_no_cell_of_csv_is_a_formula_unless_raw_and_the_mark_is_taken_off_again(tmp_path: Path) -> None:
    starts = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "'=", "''-", "'", "1-"]
    items = [
        replace(ITEMS[0], id=f"q-{number}", question=f"{start}1+1?", golden_answers=(f"{start}2",), evidence=())
        for number, start in enumerate(starts)
    ]

    def questions(done: Exported) -> list[str]:
        return [row["question"] for row in csv.DictReader(done.out.open(encoding="utf-8-sig", newline=""))]

    done = made(tmp_path, "csv", items)
    assert questions(done) == [f"'{start}1+1?" for start in starts[:-2]] + ["'1+1?", "1-1+1?"]
    back = read_back(done.out).dataset
    assert [item.question for item in back] == [item.question for item in items]
    assert [item.golden_answers for item in back] == [item.golden_answers for item in items]
    raw = made(tmp_path / "raw", "csv", items, raw=True)
    assert questions(raw) == [item.question for item in items]
    assert next(iter(read_back(raw.out).dataset)).question == "=1+1?"
    assert [item.question for item in read_back(made(tmp_path, "xlsx", items).out).dataset][8] == "'=1+1?"


def test_a_csv_file_can_be_read_by_people(tmp_path: Path) -> None:
    done = made(tmp_path, "csv")
    content = done.out.read_bytes()
    assert content.startswith("\ufeff".encode()), "or Excel garbles Chinese"
    rows = list(csv.DictReader(content.decode("utf-8-sig").splitlines(keepends=True)))
    assert rows[1]["evidence"] == f"people/teams.md: {LEADS}\nsites.md: {ROOMS}"
    assert rows[0]["evidence"] == f"people/teams.md: {LEADS} or sites.md: {COPY}"
    assert (rows[3]["answerable"], rows[3]["answer"]) == ("false", "")
    assert not made(tmp_path / "ascii", "csv", ITEMS[:2]).out.read_bytes().startswith("\ufeff".encode())


# ---- the files of other people ----------------------------------------------------------------------


def test_examples_and_test_cases_that_others_wrote_are_read(tmp_path: Path) -> None:
    smith = tmp_path / "smith.jsonl"
    example = {"inputs": {"query": "Who leads?"}, "outputs": {"expected_output": "Ada Low", "contexts": [LEADS]}}
    smith.write_text(json.dumps(example) + "\n", encoding="utf-8")
    (item,) = read_back(smith).dataset
    assert (item.golden_answers, item.evidence) == (("Ada Low",), ((AT_LEADS,),))
    foo = tmp_path / "promptfooconfig.yaml"
    cases = [
        {"vars": {"question": "Who leads?"}, "assert": [{"type": "contains-any", "value": ["Ada Low", "Low"]}]},
        {"vars": {"question": "Who moulds?"}, "assert": [{"type": "is-refusal"}]},
    ]
    foo.write_text(yaml.safe_dump({"prompts": ["{{question}}"], "tests": cases}), encoding="utf-8")
    first, second = read_back(foo).dataset
    assert (first.golden_answers, second.answerable) == (("Ada Low", "Low"), False)


def test_any_workbook_and_yaml_is_read_or_named(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["Question", "Answer"])
    book.active.append(["How many?", 9])
    book.save(tmp_path / "own.xlsx")
    (item,) = read_back(tmp_path / "own.xlsx").dataset
    assert (item.question, item.golden_answers) == ("How many?", ("9",))
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(InputError, match=r"bad\.xlsx is not a workbook"):
        read(tmp_path / "bad.xlsx")
    (tmp_path / "bad.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.yaml is not YAML, line"):
        read(tmp_path / "bad.yaml")
    (tmp_path / "trec").mkdir()
    for name, text in {"topics.tsv": "1\tWho?\n", "qrels.txt": "1 0 p\n", "corpus.jsonl": '{"id": "p"}\n'}.items():
        (tmp_path / "trec" / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"qrels\.txt, line 1: '1 0 p' is not topic, 0, passage, grade"):
        read(tmp_path / "trec")


# ---- errors and the command -------------------------------------------------------------------------


def test_what_cannot_be_exported_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="no format 'raggas' to export to, did you mean ragas"):
        export(ITEMS, tmp_path / "a", "raggas")
    with pytest.raises(InputError, match="can hold none of the 0 questions"):
        export([], tmp_path / "a.csv", "csv")
    with pytest.raises(InputError, match="is a folder, and csv is written to a file"):
        export(ITEMS, tmp_path, "csv")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is a file, and beir is written to a folder"):
        export(ITEMS, tmp_path / "file", "beir")
    turn = replace(BY_ID["q-turn"], standalone="")
    done = made(tmp_path, "ragas", [*ITEMS[:1], turn])
    assert done.left_out == {"a later turn of a conversation without a standalone question": ("q-turn",)}
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ConfigError, match=r"Parquet needs pyarrow.*pip install 'kgsynth\[parquet\]'"):
        export(ITEMS, tmp_path / "a.parquet", "parquet")


def test_the_command_writes_beside_the_set_and_says_what_is_lost(tmp_path: Path) -> None:
    golden = tmp_path / "golden.jsonl"
    write(ITEMS, golden)
    docs = tmp_path / "docs"
    for name, text in TEXTS.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    run = CliRunner().invoke(main, ["export", str(golden), "--to", "squad", "--docs", str(docs)])
    assert run.exit_code == 0, run.output
    assert f"squad: 5 of 8 questions in {tmp_path / 'golden.squad.json'}" in run.output
    assert "left out: 2 with evidence in several documents; 1 whose answer is not in the" in run.output
    assert "fields not kept: extent of evidence (4), alternative evidence (1), question_type" in run.output
    run = CliRunner().invoke(main, ["export", str(golden), "--to", "beir", "--json"])
    value = json.loads(run.stdout)
    assert (value["questions"], value["written"], value["left_out"][0]["items"]) == (8, 7, ["q-none"])
    again = CliRunner().invoke(main, ["export", str(tmp_path / "golden.beir"), "--to", "csv", "--docs", str(docs)])
    assert again.exit_code == 0 and (tmp_path / "golden.csv").is_file(), again.output
    assert "\"'=1+1 or" in (tmp_path / "golden.csv").read_text("utf-8-sig")
    raw = ["export", str(tmp_path / "golden.beir"), "--to", "csv", "--raw", "--docs", str(docs)]
    assert CliRunner().invoke(main, raw).exit_code == 0
    assert '"=1+1 or' in (tmp_path / "golden.csv").read_text("utf-8-sig")
    same_place = CliRunner().invoke(main, ["export", str(golden), "--to", "csv", "-o", str(golden)])
    assert same_place.exit_code == 2 and "would overwrite the set itself" in same_place.output


def test_every_format_is_an_option_and_a_default_place_is_new() -> None:
    assert tuple(EXPORT_FORMATS) == EXPORT_CHOICES
    places = {default_place(Path("golden.jsonl"), form) for form in EXPORT_FORMATS}
    assert len(places) == len(EXPORT_FORMATS) and Path("golden.jsonl") not in places


def test_the_documented_table_is_that_of_the_code() -> None:
    text = (Path(__file__).parents[2] / "docs" / "golden-format.md").read_text(encoding="utf-8")
    section = text.split("## Exporting to other tools")[1]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    told = {row[0].strip("| `"): row[2] for row in rows}
    assert told == {form: ", ".join(traits.loses) or "nothing" for form, traits in EXPORT_FORMATS.items()}


def test_a_dataset_exports_itself(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "sites.md").write_text(TEXTS["sites.md"], encoding="utf-8")
    done = Dataset([ITEMS[4]]).export(tmp_path / "corpus", "beir", docs, whole_documents=True)
    assert done.notes == () and [row["text"] for row in lines(done.out / "corpus.jsonl")] == [TEXTS["sites.md"]]

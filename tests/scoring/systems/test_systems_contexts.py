"""Contexts in the shapes of other tools: one string, names of documents, JSON in a string, and keys nobody can read."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from kgsynth.base import records_json
from kgsynth.base.records import Answer, Document, Item, Passage, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.systems.reply_reader import ReplyPaths, to_answer
from kgsynth.scoring.text import markdown, terminal

TEXTS = {
    "leave.md": "Staff have 25 days of leave, which they take in spring or in autumn.",
    "teams.md": "Priya leads the team that sits in Halifax beside the old harbour.",
    "kilns.md": "The kilns in Leeds are fired on Mondays with wood from the estate.",
}
DOCS = tuple(Document(name, text, name, "md", name, (), ()) for name, text in TEXTS.items())
ANSWERS = {"How many days?": "25 days", "Where does the team sit?": "Halifax", "When are kilns fired?": "Mondays"}
ITEMS = [
    Item(f"q{n}", question, (answer,), "simple", "factoid", "en", ((Span(doc, 0, len(text), text),),))
    for n, ((question, answer), (doc, text)) in enumerate(zip(ANSWERS.items(), TEXTS.items(), strict=True))
]
EVIDENCE = {item.question: item.evidence[0][0] for item in ITEMS}


def first_line(scores: Scores) -> str:
    return terminal(scores).splitlines()[0]


# ---- shapes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ({"answer": "25", "context": "Leave is 25 days."}, (Passage(text="Leave is 25 days."),)),
        ({"answer": "25", "contexts": "Leave is 25 days."}, (Passage(text="Leave is 25 days."),)),
        ({"rag": {"answer": "25", "context": "Leave is 25 days."}}, (Passage(text="Leave is 25 days."),)),
    ],
)
def test_contexts_of_other_tools_are_read(returned: object, expected: tuple[Passage, ...]) -> None:
    assert to_answer("q", returned) == Answer("q", "25", expected)


def test_an_empty_context_is_an_empty_result() -> None:
    assert to_answer("q", {"answer": "25", "context": ""}) == Answer("q", "25", retrieved_nothing=True)


@pytest.mark.parametrize("text", ['{"port": 80}', "{not JSON}", '{"answer": 3}', '["one"]', '{"context": {"a": 1}}'])
def test_an_answer_that_is_other_json_is_a_text(text: str) -> None:
    assert (to_answer("q", text).answer, to_answer("q", text).retrieved) == (text, ())


@pytest.mark.parametrize(
    ("returned", "key"),
    [
        ({"docs": 5}, "docs"),
        ({"passages": ["text"]}, "passages"),
        ({"search_hits": ["text"]}, "search_hits"),
        ({"retrieval_context": ["text"]}, "retrieval_context"),
    ],
)
def test_passages_that_could_not_be_read_are_in_the_first_line(returned: dict[str, object], key: str) -> None:
    scores = score(ITEMS, lambda question: {"answer": ANSWERS[question]} | returned, docs=DOCS)
    told = f"passages seem to be under the key {key!r}, which could not be read, so retrieval is not measured"
    assert scores.n_passed == 3 and told in first_line(scores)
    assert scores.metrics["recall@5"].value is None


def test_the_first_line_tells_how_many_replies_had_unreadable_passages() -> None:
    def ask(question: str) -> object:
        text = EVIDENCE[question].text
        return {"answer": ANSWERS[question], "sources" if "days" in question else "context": [text]}

    told = "in 1 of 3 replies passages seem to be under the key 'sources', which could not be read, so they count"
    assert told in first_line(score(ITEMS, ask, docs=DOCS))


@pytest.mark.parametrize("written", [str, json.dumps])
def test_a_dict_in_a_string_is_not_taken_for_an_answer_in_silence(written: Callable[[object], str]) -> None:
    def ask(question: str) -> str:
        return written({"answer": ANSWERS[question], "contexts": [EVIDENCE[question].text]})

    assert "passages seem to be under the key 'contexts'" in first_line(score(ITEMS, ask, docs=DOCS))


def test_keys_that_only_describe_retrieval_are_no_passages() -> None:
    returned = {"context_length": 4096, "source_language": "en", "document_count": 3}
    scores = score(ITEMS, lambda question: {"answer": ANSWERS[question]} | returned, docs=DOCS)
    assert scores.caveat == "" and any(note.startswith("keys not used: ") for note in scores.notes)


def test_an_unreadable_key_is_told_when_expressions_find_the_answer() -> None:
    found = ReplyPaths({"answer": "text"}).read("q", {"text": "25", "sources": [{"a": 1}], "cost": 1})
    assert found.unused_keys == ("sources",)


# ---- names of documents ------------------------------------------------------------------------------


@pytest.mark.parametrize("docs", [DOCS, ()])
@pytest.mark.parametrize("key", ["list", "context"])
def test_strings_that_name_documents_are_names(docs: tuple[Document, ...], key: str) -> None:
    def ask(question: str) -> object:
        names = ["other.md", f"/srv/docs/{EVIDENCE[question].doc}"]
        return names if key == "list" else {"answer": ANSWERS[question], key: names}

    scores = score(ITEMS, ask, docs=docs)
    assert scores.metrics["file_recall"].value == 1
    assert scores.metrics["recall@5"].value is None
    assert "passages came without text or offsets, so they were matched by document" in first_line(scores)
    assert "passages such as 'other.md' are the names of documents and were read as names" in scores.notes
    assert not any(item.cause for item in scores.items)


def test_texts_are_not_taken_for_names(tmp_path: Path) -> None:
    known = ["leave", "teams", "kilns"]
    docs = tuple(Document(name, each.text, name, "md", name, (), ()) for name, each in zip(known, DOCS, strict=True))
    items = [
        Item(item.id, item.question, item.golden_answers, "simple", "factoid", "en",
             tuple((Span(span.doc[:-3], 0, span.end, span.text),) for (span,) in item.evidence))
        for item in ITEMS
    ]  # fmt: skip
    scores = score(items, lambda question: [EVIDENCE[question].text, "leave", "A text of no document."], docs=docs)
    assert scores.metrics["recall@5"].value == 1, "one string is a name by chance, the others are texts"


# ---- joined passages ---------------------------------------------------------------------------------


WORDS = [f"word{n}" for n in range(600)]


def test_the_whole_corpus_in_one_passage_is_in_the_first_line() -> None:
    corpus = "\n\n".join(TEXTS.values())  # 14 + 12 + 13 words
    scores = score(ITEMS, lambda question: [corpus], docs=DOCS)
    assert (scores.matched["evidence text"], scores.metrics["mrr"].value) == (3, 1)
    assert first_line(scores).endswith(
        "one passage per question of 39 words on average, in no single document: if passages were joined, precision, "
        "mrr and ndcg are too high, so return them as a list; the passages of a question hold 100 % of the text of all "
        "documents on average, so recall says little: see retrieved_words"
    )


def test_several_joined_passages_are_in_the_first_line(move: Callable[[str, float], None]) -> None:
    pair = "\n\n".join((TEXTS["leave.md"], TEXTS["teams.md"]))  # 14 + 12 words
    more = Document("more.md", " ".join(WORDS), "more", "md", "4", (), ())
    scores = score(ITEMS[:1], lambda question: [pair, TEXTS["kilns.md"]], docs=(*DOCS, more))
    assert scores.caveat == (
        "1 of 2 passages, of 26 words on average, are in no single document: if passages were joined, precision, mrr "
        "and ndcg are too high, so return them as a list"
    )
    move("uncertain_match_share", 0.5)
    assert score(ITEMS[:1], lambda question: [pair, TEXTS["kilns.md"]], docs=(*DOCS, more)).caveat == ""


def test_without_documents_passages_that_may_be_joined_are_in_the_first_line(
    move: Callable[[str, float], None],
) -> None:
    def ask(question: str) -> object:
        return {"answer": ANSWERS[question], "context": "\n\n".join((EVIDENCE[question].text, *WORDS))}

    scores = score(ITEMS[:1], ask)  # 14 words of evidence, 600 more
    assert scores.caveat == (
        "one passage per question of 614 words on average: if passages were joined, precision, mrr and ndcg are too "
        "high, so return them as a list"
    )
    joined = "\n\n".join((TEXTS["leave.md"], TEXTS["teams.md"]))
    pair = score(ITEMS[:1], lambda _: [joined])
    assert pair.caveat.startswith("one passage per question of 26 words on average: if passages were joined"), (
        "short too"
    )
    several = ["\n\n".join((TEXTS["leave.md"], *WORDS)), "\n\n".join(WORDS)]
    assert score(ITEMS[:1], lambda _: several).caveat == (
        "2 of 2 passages, of 607 words on average: if passages were joined, precision, mrr and ndcg are too high, so "
        "return them as a list, or give --docs"
    )
    move("chunk_max_words", 607)
    assert score(ITEMS[:1], lambda _: several).caveat == "", "chunks may be as long"
    assert score(ITEMS[:1], ask).caveat, "but one passage has no rank"
    named = score(ITEMS[:1], lambda question: [{"doc": "leave.md", "text": EVIDENCE[question].text}])
    assert named.caveat == "", "what is from one document is not joined"


# ---- where the documents come from -------------------------------------------------------------------


def test_a_run_without_documents_says_so() -> None:
    note = "no documents given: passages were compared with the text of the evidence"
    found = {docs: score(ITEMS, lambda question: [EVIDENCE[question].text], docs=docs).notes for docs in ((), DOCS)}
    assert note in found[()] and note not in found[DOCS]
    placed = score(ITEMS, lambda question: [{"doc": EVIDENCE[question].doc, "start": 0, "end": 9}])
    assert note not in placed.notes, "offsets were compared"


def test_documents_of_the_run_folder_are_noted(tmp_path: Path) -> None:
    write(ITEMS, tmp_path / "run/golden.jsonl")
    lines = "".join(f"{line}\n" for line in map(records_json.to_json, DOCS))
    (tmp_path / "run/documents.jsonl").write_text(lines, encoding="utf-8")
    note = "no documents given: the 3 kept in the run folder when the set was generated were used"
    scores = score(tmp_path / "run", lambda question: [EVIDENCE[question].text])
    assert note in scores.notes
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    scores = score(tmp_path / "run", lambda question: [EVIDENCE[question].text], docs=tmp_path / "docs")
    assert note not in scores.notes
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"id": "q0", "answer": "25 days", "context": "Staff have 25 days of leave"}\n')
    for arguments, told in (([], True), (["--docs", str(tmp_path / "docs")], False)):
        result = CliRunner().invoke(main, ["score", str(tmp_path / "run"), "--rag", str(answers), *arguments])
        assert (f"note: {note}" in result.stdout) is told, result.output


# ---- reasons -----------------------------------------------------------------------------------------


def test_empty_answers_are_counted_apart_from_declined_ones() -> None:
    said = dict(zip(ANSWERS, ("25 days", "", "I don't know."), strict=True))
    scores = score(ITEMS, lambda question: said[question])
    assert scores.refusals is not None
    assert scores.refusals["answerable"] == {"answered": 1, "refused": 1, "empty": 1}
    assert scores.causes == {"no answer given": 1, "refused": 1}
    assert "| answerable | 1 answered, 1 declined, 1 empty |" in markdown(scores)


def test_the_reason_of_an_unchecked_question_knows_whether_documents_were_given() -> None:
    def reasons(docs: tuple[Document, ...], item: Item = ITEMS[0]) -> tuple[str, str | None]:
        scores = score([item], lambda question: [{"id": "c17"}], docs=docs)
        return scores.items[0].not_checked, scores.metrics["recall@5"].why

    given = (
        "no passage could be placed in the documents given; check that the system searches these, and returns the text "
        "of passages"
    )
    assert reasons(DOCS) == (given, given)
    missing = "no passage could be placed in a document; give the documents with --docs"
    assert reasons(()) == (missing, missing)


@pytest.mark.parametrize(
    ("evidence", "returned", "reasons"),
    [
        (True, [{"doc": "leave.md"}], ("the passages name only documents", None)),
        (True, [TEXTS["leave.md"]], (None, "no passage names a document of the evidence")),
        (False, [TEXTS["leave.md"]], ("no answerable question has evidence",) * 2),
    ],
)
def test_one_reason_is_given_for_what_was_not_measured(
    evidence: bool, returned: object, reasons: tuple[str | None, str | None]
) -> None:
    item = ITEMS[0] if evidence else replace(ITEMS[0], evidence=())
    metrics = score([item], lambda question: returned).metrics
    assert (metrics["recall@5"].why, metrics["file_recall"].why) == reasons

"""Replies as systems return them: the shapes of LangChain, LlamaIndex and Haystack, and keys that are not used.

The classes here stand in for those of the libraries; the last tests use the libraries themselves if they are installed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from services import Service, service

from kgsynth.base.records import Answer, Document, Item, Passage, Span
from kgsynth.cli import main
from kgsynth.documents.document_names import DocNames
from kgsynth.golden.dataset import write
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.reply_reader import from_json, to_answer, to_json

__all__ = ["service"]

NAMES = DocNames(["people/leave.md", "people/pay.md", "archive/pay.md"])
PLACED = (Passage("people/leave.md", text="Leave is 25 days."), Passage("people/pay.md", text="Pay is monthly."))


@dataclass
class LangChainDocument:
    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None
    type: str = "Document"


@dataclass
class AIMessage:
    content: str
    type: str = "ai"
    response_metadata: dict[str, Any] = field(default_factory=dict)


class TextNode:
    def __init__(self, text: str, metadata: dict[str, Any]) -> None:
        self.text, self.metadata, self.id_ = text, metadata, "n1"


@dataclass
class NodeWithScore:
    node: TextNode
    score: float | None = None


@dataclass
class Response:
    response: str | None
    source_nodes: list[NodeWithScore]
    metadata: dict[str, Any] | None = None


@dataclass
class HaystackDocument:
    id: str
    content: str | None = None
    meta: dict[str, Any] = field(default_factory=dict)
    score: float | None = None
    embedding: list[float] | None = None


@dataclass
class ChatMessage:
    text: str
    role: str = "assistant"
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass
class GeneratedAnswer:
    data: str
    query: str
    documents: list[HaystackDocument]
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass
class Own:
    answer: str
    contexts: list[str]


class OwnTuple(NamedTuple):
    answer: str
    contexts: list[str]
    seconds: float = 0.1


def langchain() -> list[Any]:
    return [
        LangChainDocument("Leave is 25 days.", {"source": "/srv/docs/people/leave.md", "page": 3}),
        LangChainDocument("Pay is monthly.", {"source": "people/pay.md"}),
    ]


def llamaindex() -> list[Any]:
    return [
        NodeWithScore(TextNode("Leave is 25 days.", {"file_name": "leave.md"}), 0.9),
        NodeWithScore(TextNode("Pay is monthly.", {"file_path": "C:\\docs\\people\\pay.md"}), 0.5),
    ]


def haystack() -> list[Any]:
    return [
        HaystackDocument("h1", "Leave is 25 days.", {"file_path": "docs/people/leave.md"}, 0.9),
        HaystackDocument("h2", "Pay is monthly.", {"url": "https://wiki.example.org/people/pay.md?v=2#top"}, 0.5),
    ]


def texts_and_docs(answer: Answer) -> list[tuple[str | None, str | None]]:
    return [(passage.doc, passage.text) for passage in answer.retrieved]


EXPECTED = texts_and_docs(Answer("q", None, PLACED))


@pytest.mark.parametrize(
    ("returned", "answer"),
    [
        ({"input": "?", "answer": "25", "context": langchain()}, "25"),
        ({"question": "?", "answer": AIMessage("25"), "context": langchain()}, "25"),
        ({"query": "?", "result": "25", "source_documents": langchain()}, "25"),
        (langchain(), None),
        ([(document, 0.3) for document in langchain()], None),
        (("25", langchain()), "25"),
        (llamaindex(), None),
        (Response("25", llamaindex()), "25"),
        ({"retriever": {"documents": haystack()}, "llm": {"replies": ["25"], "meta": [{"model": "m"}]}}, "25"),
        ({"retriever": {"documents": haystack()}, "llm": {"replies": [ChatMessage("25")]}}, "25"),
        (GeneratedAnswer("25", "?", haystack()), "25"),
        ({"answer": "25", "documents": haystack()}, "25"),
        (haystack(), None),
    ],
)  # fmt: skip
def test_what_a_library_returns_is_read(returned: object, answer: str | None) -> None:
    found = to_answer("q", returned, documents=NAMES)
    assert (found.answer, texts_and_docs(found), found.unused_keys) == (answer, EXPECTED, ())


def test_scores_and_ids_of_passages_are_kept() -> None:
    assert [passage.score for passage in to_answer("q", llamaindex()).retrieved] == [0.9, 0.5]
    assert [(passage.id, passage.score) for passage in to_answer("q", haystack()).retrieved] == [
        ("h1", 0.9),
        ("h2", 0.5),
    ]
    assert [passage.score for passage in to_answer("q", [("t", 0.25)]).retrieved] == [0.25]
    (node, _) = to_answer("q", llamaindex()).retrieved
    assert node.id == "n1"


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        (["one", "two"], Answer("q", None, (Passage(text="one"), Passage(text="two")))),
        (("one", "two", "three"), Answer("q", None, (Passage(text="one"), Passage(text="two"), Passage(text="three")))),
        ([], Answer("q", None, retrieved_nothing=True)),
        (("Ada", ["one"]), Answer("q", "Ada", (Passage(text="one"),))),
        ("Ada", Answer("q", "Ada")),
        (AIMessage("Ada"), Answer("q", "Ada")),
        (Own("Ada", ["one"]), Answer("q", "Ada", (Passage(text="one"),))),
        (OwnTuple("Ada", ["one"]), Answer("q", "Ada", (Passage(text="one"),))),
        (Response(None, []), Answer("q", None, retrieved_nothing=True)),
        ({"answer": None, "context": []}, Answer("q", None, retrieved_nothing=True)),
        ({"retriever": {"documents": ["one"]}}, Answer("q", None, (Passage(text="one"),))),
        ({"response": "Ada", "contexts": ["one"]}, Answer("q", "Ada", (Passage(text="one"),))),
    ],
)
def test_plain_shapes_are_read(returned: object, expected: Answer) -> None:
    assert to_answer("q", returned) == expected


# ---- the document of a passage ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metadata", "doc"),
    [
        ({"source": "people/leave.md"}, "people/leave.md"),
        ({"source": "/home/x/docs/people/leave.md"}, "people/leave.md"),
        ({"source": Path("docs") / "people" / "leave.md"}, "people/leave.md"),
        ({"file_name": "leave.md"}, "people/leave.md"),
        ({"file_name": "pay.md"}, None),  # two documents have this file name
        ({"file_name": "pay.md", "url": "https://x.org/archive/pay.md"}, "archive/pay.md"),
        ({"source": "wiki", "file_path": "people/leave.md"}, "people/leave.md"),
        ({"page": 3}, None),
        ({"source": 7, "title": "leave"}, None),
        ({"url": "https://x.org/people/le%61ve.md"}, "people/leave.md"),
    ],
)
def test_metadata_name_the_document_only_if_it_is_one_of_the_folder(metadata: dict[str, Any], doc: str | None) -> None:
    (passage,) = to_answer("q", [LangChainDocument("t", metadata)], documents=NAMES).retrieved
    assert passage.doc == doc


def test_a_source_that_names_no_document_is_kept_as_the_id() -> None:
    (passage,) = to_answer("q", [LangChainDocument("t", {"source": "wiki/77"})], documents=NAMES).retrieved
    assert passage == Passage(text="t", id="wiki/77")
    (passage,) = to_answer("q", [{"doc": "wiki/77", "source": "leave.md"}], documents=NAMES).retrieved
    assert passage.doc == "wiki/77", "what is given as doc is not replaced"


# ---- keys that are not used -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "unused"),
    [
        ({"answer": "Ada", "cost": 3, "question": "?"}, ("cost",)),
        ({"answer": "Ada", "result": "Tim"}, ("result",)),
        ({"answer": "Ada", "contexts": [{"text": "t", "page": 3}, {"text": "u", "page": 4}]}, ("page of passages",)),
        ({"llm": {"replies": ["Ada"]}, "prompt_builder": {"prompt": "…"}}, ("prompt_builder",)),
        (
            {"bm25": {"documents": ["one"]}, "dense": {"documents": ["two"]}, "llm": {"replies": ["Ada"]}},
            ("bm25.documents", "dense.documents"),
        ),
    ],
)  # fmt: skip
def test_keys_that_are_not_understood_are_kept(returned: object, unused: tuple[str, ...]) -> None:
    answer = to_answer("q", returned)
    assert (answer.answer, answer.unused_keys) == ("Ada", unused)
    assert from_json(json.loads(json.dumps(to_json(answer)))) == answer


@pytest.mark.parametrize(
    ("returned", "reason"),
    [
        (
            {"cost": 3, "reply": "Ada"},
            "it returned an object with the keys cost, reply without answer or retrieved; return a text",
        ),
        ({"llm": {"text": "Ada"}}, "it returned an object with the keys llm without answer or retrieved"),
        (object(), "it returned <object object> without answer or retrieved"),
        (LangChainDocument("t"), "it returned LangChainDocument.* without answer or retrieved; return a text"),
        ([LangChainDocument("t"), 3], "retrieved.1 is 3: give an object with named parts, or for a passage its text"),
        (iter(["Ada"]), "it returned <list_iterator object> without answer"),
    ],
)
def test_a_reply_without_answer_and_passages_names_what_came(returned: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        to_answer("q", returned)


# ---- as JSON, and in a run --------------------------------------------------------------------------

JSON_REPLIES: list[Callable[[], Any]] = [
    lambda: {"answer": "25", "context": [{"page_content": t, "metadata": {"source": d}, "type": "Document"}
                                         for d, t in EXPECTED]},
    lambda: {"response": "25", "source_nodes": [
        {"node": {"id_": "n", "text": t, "metadata": {"file_path": f"/srv/{d}"}}, "score": 0.5} for d, t in EXPECTED]},
    lambda: {"retriever": {"documents": [{"id": "h", "content": t, "meta": {"file_path": d}} for d, t in EXPECTED]},
             "llm": {"replies": ["25"]}},
    lambda: {"retriever": {"documents": [{"id": "h", "content": t, "file_path": d, "score": 1} for d, t in EXPECTED]},
             "llm": {"replies": [{"role": "assistant", "content": "25"}]}},
]  # fmt: skip
DOCS = [Document(name, "", "", "md", "", (), ()) for name in ("people/leave.md", "people/pay.md")]
ITEM = Item("q", "How long is leave?", ("25",), "simple", "", "en", ())


@pytest.mark.parametrize("reply", JSON_REPLIES)
def test_the_same_shapes_as_json_over_http_from_a_process_and_in_a_file(
    reply: Callable[[], Any], service: Service, tmp_path: Path
) -> None:
    service.says = lambda request: reply()
    (tmp_path / "said.json").write_text(json.dumps(reply()), encoding="utf-8")
    (tmp_path / "rag.py").write_text(
        f"import sys\nfor line in sys.stdin:\n    print(open({str(tmp_path / 'said.json')!r}).read(), flush=True)\n",
        encoding="utf-8",
    )
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "q"} | reply()) + "\n", encoding="utf-8")
    for target in (service.url, f"exec:python3 {tmp_path / 'rag.py'}", str(tmp_path / "answers.jsonl")):
        system = open_system(target, docs=DOCS)
        found = system.ask(ITEM)
        system.close()
        assert (found.error, found.answer, texts_and_docs(found)) == (None, "25", EXPECTED), target
        assert found.unused_keys == ()


def test_an_unreadable_reply_in_a_file_is_the_failure_of_its_question(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "q", "reply": "25"}\n{"id": "r", "answer": "x"}\n', encoding="utf-8")
    error = open_system(str(path)).ask(ITEM).error
    assert error is not None and error.startswith("wrong shape: it returned an object with the keys id, reply without")


def test_keys_that_are_not_used_are_reported_once_in_terminal_and_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "Staff have 25 days of leave."
    span = Span("leave.md", 0, len(text), text)
    items = [Item(f"q{n}", f"How many days of leave, {n}?", ("25",), "simple", "", "en", ((span,),)) for n in range(3)]
    write(items, tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/leave.md").write_text(text, encoding="utf-8")
    code = "def ask(q):\n    more = {'bar': 1} if '2' in q else {}\n"
    code += "    return {'answer': '25', 'context': ['Staff have 25 days of leave.'], 'foo': 1} | more\n"
    (tmp_path / "rag.py").write_text(code, encoding="utf-8")
    note = "keys not used: foo (3 of 3 replies), bar (1)"
    for _ in range(2):  # the second run reads the saved answers
        arguments = ["score", "golden.jsonl", "--rag", "rag.py:ask", "--docs", "docs", "-o", "out"]
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code == 0, result.output
        assert result.stdout.count(note) == 1
        assert (tmp_path / "out/report.html").read_text(encoding="utf-8").count(note) == 1
        assert "recall@5     1.000" in result.stdout


# ---- the libraries themselves -----------------------------------------------------------------------


def test_documents_of_langchain() -> None:
    documents = pytest.importorskip("langchain_core.documents")
    messages = pytest.importorskip("langchain_core.messages")
    found = [documents.Document(page_content=t, metadata={"source": d}) for d, t in EXPECTED]
    reply = {"answer": messages.AIMessage(content="25"), "context": found}
    answer = to_answer("q", reply, documents=NAMES)
    assert (answer.answer, texts_and_docs(answer)) == ("25", EXPECTED)


def test_a_response_of_llamaindex() -> None:
    schema = pytest.importorskip("llama_index.core.schema")
    response = pytest.importorskip("llama_index.core.base.response.schema")
    nodes = [
        schema.NodeWithScore(node=schema.TextNode(text=t, metadata={"file_path": d}), score=1) for d, t in EXPECTED
    ]
    answer = to_answer("q", response.Response("25", source_nodes=nodes), documents=NAMES)
    assert (answer.answer, texts_and_docs(answer)) == ("25", EXPECTED)


def test_the_outputs_of_a_haystack_pipeline() -> None:
    haystack = pytest.importorskip("haystack")
    documents = [haystack.Document(content=t, meta={"file_path": d}) for d, t in EXPECTED]
    answer = to_answer("q", {"retriever": {"documents": documents}, "llm": {"replies": ["25"]}}, documents=NAMES)
    assert (answer.answer, texts_and_docs(answer)) == ("25", EXPECTED)

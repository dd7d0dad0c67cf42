"""Read any table: its columns for question, answer, contexts and document have usual names or come from ``--map``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import expression
from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion, unusable
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow, rows_from_json

Pick = Callable[[Mapping[str, Any]], Any]

USUAL_NAMES: dict[str, str] = {
    "question": "question questions query queries user_input user_query input prompt question_text "
    "问题 提问 查询 用户输入",
    "answer": "golden_answers golden_answer gold_answers gold_answer ground_truths ground_truth reference_answers "
    "reference_answer references reference expected_answers expected_answer expected_output expected_response "
    "correct_answer correct_answers target answers answer answer_text 标准答案 参考答案 正确答案 答案 回答",
    "contexts": "reference_contexts reference_context golden_contexts golden_context ground_truth_contexts "
    "ground_truth_context expected_retrieved_context evidence evidences contexts context passages passage paragraph "
    "excerpt excerpts source_text chunks chunk 参考上下文 上下文 证据 段落 原文 背景 文本",
    "doc": "doc docs document documents document_id doc_id doc_uri document_name source_file source source_document "
    "file filename file_name file_path path title 文档 文件 文件名 来源 出处",
    "id": "id _id qid question_id query_id 编号 序号",
    "answerable": "answerable is_answerable 可回答",
    "type": "question_type type 类型",
}
"""Role of a column -> its usual names, preferred ones first; letter case, blanks and dashes do not matter."""

MAPPABLE_ROLES = ("question", "answer", "contexts", "doc", "id", "answerable", "type", "rows")
"""The roles that ``--map`` accepts; ``rows`` is the expression for the list of rows in a JSON file."""

_QUESTION_TYPES = ("simple", "reasoning", "multi_context", "conditional", "unanswerable")
FALSE_VALUES = frozenset({"false", "no", "0", "否", "不"})
"""What says in a column ``answerable`` that a question is not, in small letters."""


def fits(source: SourceFile) -> bool:
    """Check whether there are columns for the question, and for the answer or the contexts."""
    found = find_roles(source.columns)
    return "question" in found and bool({"answer", "contexts"} & set(found))


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every row, from the columns with usual names."""
    yield from read_rows(source.rows, find_roles(source.columns))


def find_roles(columns: Sequence[str]) -> dict[str, str]:
    """Return the column of each role.

    Example:
        >>> find_roles(["Question", "Ground Truth", "answer", "上下文"])
        {'question': 'Question', 'answer': 'Ground Truth', 'contexts': '上下文'}
    """
    known = {normalize(column): column for column in reversed(columns)}
    firsts = {role: next((known[n] for n in names.split() if n in known), None) for role, names in USUAL_NAMES.items()}
    return {role: column for role, column in firsts.items() if column is not None}


def normalize(column: str) -> str:
    """Return a column's name in the form in which names are compared.

    Example:
        >>> normalize("Ground-Truth "), normalize("groundTruth")
        ('ground_truth', 'ground_truth')
    """
    snake_case = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", unicodedata.normalize("NFKC", column))
    return re.sub(r"[\W_]+", "_", snake_case.casefold()).strip("_") if snake_case.strip() != "_id" else "_id"


def read_rows(rows: Sequence[SourceRow], roles: Mapping[str, str]) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every row; ``roles`` has the column of each role, other columns go into the metadata."""
    picks: dict[str, Pick] = {role: lambda row, column=column: row.get(column) for role, column in roles.items()}  # type: ignore[misc]
    for row in rows:
        others = {name: value for name, value in row.cells.items() if name not in roles.values() and cells.text(value)}
        others = cells.to_json_value(others)
        yield read_row(row.where, row.cells, picks, others)


def read_row(
    where: str, row: Mapping[str, Any], picks: Mapping[str, Pick], others: Mapping[str, Any]
) -> ForeignQuestion | Finding:
    """Return the question of one row; ``picks`` read the value of each role."""
    values = {role: pick(row) for role, pick in picks.items()}
    question = cells.text(values.get("question"))
    answers, given = cells.texts(values.get("answer")), cells.parse_list(values.get("answer"))
    groups = context_groups(values.get("contexts"), cells.texts(values.get("doc")))
    if not question:
        return unusable(where, "it has no question")
    has_nothing = not groups and (given == [] or (not answers and cells.parse_list(values.get("contexts")) == []))
    answerable = not has_nothing and cells.text(values.get("answerable")).casefold() not in FALSE_VALUES
    if answerable and not answers and not groups:
        return unusable(where, f"{question[:60]!r} has neither an answer nor a context")
    question_type, docs = cells.text(values.get("type")), cells.texts(values.get("doc"))
    question_type = question_type if question_type in _QUESTION_TYPES and answerable else ""
    doc = docs[0] if len(docs) == 1 else ""
    retrieval_only = answerable and "answer" not in picks
    metadata = {"original_id": cells.text(values.get("id")), "columns": others, "retrieval_only": retrieval_only}
    metadata = {key: value for key, value in metadata.items() if value}
    answers = answers if answerable else ()
    return ForeignQuestion(where, question, answers, groups, doc, answerable, question_type, metadata)


def context_groups(value: object, docs: Sequence[str] = ()) -> tuple[tuple[ForeignContext, ...], ...]:
    """Return the groups of contexts in a cell: one for each text, or for each list of alternatives.

    Example:
        >>> [[context.text for context in group] for group in context_groups(["one", ["two", {"text": "2"}]])]
        [['one'], ['two', '2']]
    """
    value = cells.parse_list(value)
    entries = value if isinstance(value, list | tuple) else [value]
    names = list(docs) if len(docs) == len(entries) else [docs[0] if len(docs) == 1 else ""] * len(entries)
    groups = []
    for each, doc in zip(entries, names, strict=True):
        members = each if isinstance(each, list | tuple) else [each]
        group = tuple(ForeignContext(text, _doc(member) or doc) for member in members if (text := cells.text(member)))
        groups += [group] if group else []
    return tuple(groups)


def _doc(context: object) -> str:
    """Return the document that a context names, as those from a document store do."""
    if not isinstance(context, Mapping):
        return ""
    inner = context.get("metadata")
    fields = {**(inner if isinstance(inner, Mapping) else {}), **context}
    return next((text for name in USUAL_NAMES["doc"].split() if (text := cells.text(fields.get(name)))), "")


# ---- --map -----------------------------------------------------------------------------------------


def parse_mapping(text: str) -> dict[str, str]:
    """Return the column or expression of each role in the value of ``--map``.

    Raises:
        ConfigError: it is not a list of ROLE=COLUMN with a question and an answer or contexts.

    Example:
        >>> parse_mapping("question=Frage,answer=max_by(a, &n).text,contexts=Kontext")
        {'question': 'Frage', 'answer': 'max_by(a, &n).text', 'contexts': 'Kontext'}
    """
    parts = re.split(r",\s*(?=\w+\s*=(?!=))", text.strip())
    pairs = [part.partition("=") for part in parts]
    found = {role.strip(): column.strip() for role, _, column in pairs}
    wrong = [role for role, column in found.items() if role not in MAPPABLE_ROLES or not column]
    if wrong or "question" not in found or not {"answer", "contexts"} & set(found):
        raise ConfigError(
            f"--map {text} must name columns for the question, and for the answer or the contexts or both; "
            "give for example question=COLUMN,answer=COLUMN,contexts=COLUMN,doc=COLUMN "
            f"(roles: {', '.join(MAPPABLE_ROLES)})"
        )
    return found


def read_mapped(source: SourceFile, roles: Mapping[str, str]) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every row, read by the columns or expressions in ``roles``.

    Raises:
        InputError: one of them finds nothing in any row.
    """
    if "rows" in roles:
        source = rows_from_json(source.path, source.tree, _rows(source, roles["rows"]))
    picks = {role: _pick(text, source.columns) for role, text in roles.items() if role != "rows"}
    for role, pick in picks.items():
        if not any(cells.text(_found(row, role, pick)) for row in source.rows):
            raise InputError(
                f"{source.path}: --map {role}={roles[role]} finds nothing in its {len(source.rows)} rows; "
                f"they have {describe_columns(source)}"
            )
    for row in source.rows:
        try:
            yield read_row(row.where, row.cells, picks, {})
        except ValueError as error:
            raise InputError(f"{row.where}: --map: {error}") from None


def _rows(source: SourceFile, text: str) -> list[object]:
    try:
        found = _pick(text, ())(source.tree)
    except ValueError as error:
        raise InputError(f"{source.path}: --map rows: {error}") from None
    if not isinstance(found, list):
        raise InputError(f"{source.path}: --map rows={text} finds no list; the file has {describe_columns(source)}")
    return found


def describe_columns(source: SourceFile) -> str:
    """Return the columns of a file as part of a message."""
    shown = ", ".join(repr(column) for column in source.columns[:20])
    more = f" and {len(source.columns) - 20} more" if len(source.columns) > 20 else ""
    return f"the columns {shown}{more}" if shown else "no columns"


def _pick(text: str, columns: Sequence[str]) -> Pick:
    known = {column.casefold(): column for column in reversed(columns)}
    if text.casefold() in known:
        column = known[text.casefold()]
        return lambda row: row.get(column)
    try:
        return expression(text)
    except ValueError as error:
        raise ConfigError(f"--map: {error}, and no column has this name; correct it") from None


def _found(row: SourceRow, role: str, pick: Pick) -> Any:
    try:
        return pick(row.cells)
    except ValueError as error:
        raise InputError(f"{row.where}: --map {role}: {error}") from None

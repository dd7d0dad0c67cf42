"""Any table: which column is the question, the answer, the contexts, the document; by usual names or ``--map``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_paths import expression
from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.foreign_question import Asked, Context, unusable
from kgsynth.golden.exchange.rows import Row, Source, of_tree

Pick = Callable[[Mapping[str, Any]], Any]

ROLES: dict[str, str] = {
    "question": "question questions query queries user_input user_query input prompt question_text "
    "问题 提问 查询 用户输入",
    "answer": "golden_answers golden_answer gold_answers gold_answer ground_truths ground_truth reference_answers "
    "reference_answer references reference expected_answers expected_answer expected_output expected_response "
    "correct_answer correct_answers target answers answer answer_text 标准答案 参考答案 正确答案 答案 回答",
    "contexts": "reference_contexts reference_context golden_contexts golden_context ground_truth_contexts "
    "ground_truth_context evidence evidences contexts context passages passage paragraph excerpt excerpts source_text "
    "chunks chunk 参考上下文 上下文 证据 段落 原文 背景 文本",
    "doc": "doc docs document documents document_id doc_id document_name source_file source source_document file "
    "filename file_name file_path path title 文档 文件 文件名 来源 出处",
    "id": "id _id qid question_id query_id 编号 序号",
    "answerable": "answerable is_answerable 可回答",
    "type": "question_type type 类型",
}
"""What a column may be for -> its usual names, those preferred first; letter case, blanks and dashes aside."""

MAPPED = ("question", "answer", "contexts", "doc", "id", "answerable", "type", "rows")
"""What ``--map`` may name; ``rows`` is where in a JSON file the rows stand."""

_KINDS = ("simple", "reasoning", "multi_context", "conditional", "unanswerable")
_NO = frozenset({"false", "no", "0", "否", "不"})


def fits(source: Source) -> bool:
    """Say whether the columns tell what is asked, and what answers it."""
    found = named(source.columns)
    return "question" in found and bool({"answer", "contexts"} & set(found))


def read(source: Source) -> Iterator[Asked | Finding]:
    """Yield what every row asks, its columns known by their usual names."""
    yield from asked(source.rows, named(source.columns))


def named(columns: Sequence[str]) -> dict[str, str]:
    """Return which column has which role.

    Example:
        >>> named(["Question", "Ground Truth", "answer", "上下文"])
        {'question': 'Question', 'answer': 'Ground Truth', 'contexts': '上下文'}
    """
    known = {level(column): column for column in reversed(columns)}
    firsts = {role: next((known[n] for n in names.split() if n in known), None) for role, names in ROLES.items()}
    return {role: column for role, column in firsts.items() if column is not None}


def level(column: str) -> str:
    """Return a column's name for comparison.

    Example:
        >>> level("Ground-Truth "), level("groundTruth")
        ('ground_truth', 'ground_truth')
    """
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", unicodedata.normalize("NFKC", column))
    return re.sub(r"[\W_]+", "_", parted.casefold()).strip("_") if parted.strip() != "_id" else "_id"


def asked(rows: Sequence[Row], roles: Mapping[str, str]) -> Iterator[Asked | Finding]:
    """Yield what every row asks; ``roles`` names the column of each role, and columns of no role go into metadata."""
    picks: dict[str, Pick] = {role: lambda row, column=column: row.get(column) for role, column in roles.items()}  # type: ignore[misc]
    for row in rows:
        others = {name: value for name, value in row.cells.items() if name not in roles.values() and cells.text(value)}
        others = cells.plain(others)
        yield one(row.where, row.cells, picks, others)


def one(where: str, row: Mapping[str, Any], picks: Mapping[str, Pick], others: Mapping[str, Any]) -> Asked | Finding:
    """Return what one row asks."""
    got = {role: pick(row) for role, pick in picks.items()}
    question = cells.text(got.get("question"))
    answers, given = cells.texts(got.get("answer")), cells.unfolded(got.get("answer"))
    groups = contexts(got.get("contexts"), cells.texts(got.get("doc")))
    if not question:
        return unusable(where, "it has no question")
    answerable = not (cells.text(got.get("answerable")).casefold() in _NO or (given == [] and not groups))
    if answerable and not answers and not groups:
        return unusable(where, f"{question[:60]!r} has neither an answer nor a context")
    kind = cells.text(got.get("type"))
    docs = cells.texts(got.get("doc"))
    only = answerable and "answer" not in picks
    metadata = {"original_id": cells.text(got.get("id")), "columns": others, "retrieval_only": only}
    return Asked(
        where,
        question,
        answers if answerable else (),
        groups,
        docs[0] if len(docs) == 1 else "",
        answerable,
        kind if kind in _KINDS and answerable else "",
        {key: value for key, value in metadata.items() if value},
    )


def contexts(value: object, docs: Sequence[str] = ()) -> tuple[tuple[Context, ...], ...]:
    """Return the groups of contexts a cell holds: one for each text, or for each list of alternatives.

    Example:
        >>> [[context.text for context in group] for group in contexts(["one", ["two", {"text": "2"}]])]
        [['one'], ['two', '2']]
    """
    value = cells.unfolded(value)
    listed = value if isinstance(value, list | tuple) else [value]
    names = list(docs) if len(docs) == len(listed) else [docs[0] if len(docs) == 1 else ""] * len(listed)
    groups = []
    for each, doc in zip(listed, names, strict=True):
        members = each if isinstance(each, list | tuple) else [each]
        group = tuple(Context(text, _doc(member) or doc) for member in members if (text := cells.text(member)))
        groups += [group] if group else []
    return tuple(groups)


def _doc(context: object) -> str:
    """Return the document that a context names itself, as text stores do."""
    if not isinstance(context, Mapping):
        return ""
    inner = context.get("metadata")
    held = {**(inner if isinstance(inner, Mapping) else {}), **context}
    return next((text for name in ROLES["doc"].split() if (text := cells.text(held.get(name)))), "")


# ---- --map -----------------------------------------------------------------------------------------


def mapping(text: str) -> dict[str, str]:
    """Return what ``--map`` says: role -> column or expression.

    Raises:
        ConfigError: it is no list of ROLE=COLUMN, or names no question.

    Example:
        >>> mapping("question=Frage,answer=max_by(a, &n).text,contexts=Kontext")
        {'question': 'Frage', 'answer': 'max_by(a, &n).text', 'contexts': 'Kontext'}
    """
    parts = re.split(r",\s*(?=\w+\s*=(?!=))", text.strip())
    pairs = [part.partition("=") for part in parts]
    found = {role.strip(): column.strip() for role, _, column in pairs}
    wrong = [role for role, column in found.items() if role not in MAPPED or not column]
    if wrong or "question" not in found or not {"answer", "contexts"} & set(found):
        raise ConfigError(
            f"--map {text} must name the question, and the answer or the contexts or both: "
            f"give such as question=COLUMN,answer=COLUMN,contexts=COLUMN,doc=COLUMN (known: {', '.join(MAPPED)})"
        )
    return found


def mapped(source: Source, roles: Mapping[str, str]) -> Iterator[Asked | Finding]:
    """Yield what every row asks, its parts found by the columns or expressions of ``roles``.

    Raises:
        InputError: one of them finds nothing in any row.
    """
    if "rows" in roles:
        source = of_tree(source.path, source.tree, _rows(source, roles["rows"]))
    picks = {role: _pick(text, source.columns) for role, text in roles.items() if role != "rows"}
    for role, pick in picks.items():
        if not any(cells.text(_found(row, role, pick)) for row in source.rows):
            raise InputError(
                f"{source.path}: --map {role}={roles[role]} finds nothing in any of its {len(source.rows)} rows; "
                f"they have {columns_of(source)}"
            )
    for row in source.rows:
        try:
            yield one(row.where, row.cells, picks, {})
        except ValueError as error:
            raise InputError(f"{row.where}: --map: {error}") from None


def _rows(source: Source, text: str) -> list[object]:
    try:
        found = _pick(text, ())(source.tree)
    except ValueError as error:
        raise InputError(f"{source.path}: --map rows: {error}") from None
    if not isinstance(found, list):
        raise InputError(f"{source.path}: --map rows={text} finds no list in it; it has {columns_of(source)}")
    return found


def columns_of(source: Source) -> str:
    """Return the columns of a source for a message."""
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
        raise ConfigError(f"--map: {error}, and no column has this name; mend it") from None


def _found(row: Row, role: str, pick: Pick) -> Any:
    try:
        return pick(row.cells)
    except ValueError as error:
        raise InputError(f"{row.where}: --map {role}: {error}") from None

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.records import Block, Document, Section
from kgsynth.evidence.derivation import OPERATORS, recompute, same_answer, spans
from kgsynth.evidence.derivation_steps import DerivationError

TEXTS = {
    "a.md": "Ada leads Borealis in Canada. The Leeds site has nine storerooms because rent is low.",
    "b.md": "Borealis's budget is set by Tim Low. Tim Low reports to Eve. York has 38 storerooms.",
    "c.md": "In Norway leave is 20 days if you joined in 2019. In Canada leave is ten days. "
    "Hull has about 10 storerooms.",
}


def page(doc: str, text: str) -> Document:
    block = Block("paragraph", 0, len(text), text, ((0, 0),))
    return Document(doc, text, doc, "md", "", (block,), (Section("s", doc, doc, 0, (doc,), 0, len(text)),))


DOCS = {doc: page(doc, text) for doc, text in TEXTS.items()}


def at(doc: str, text: str, nth: int = 0) -> dict[str, Any]:
    start = [match.start() for match in re.finditer(re.escape(text), TEXTS[doc])][nth]
    return {"doc": doc, "start": start, "end": start + len(text)}


def holds(operator: str, *steps: dict[str, Any], **more: Any) -> tuple[str, ...]:
    derivation = {"operator": operator, "steps": [{"fact": f"f-{n}", **step} for n, step in enumerate(steps)], **more}
    return recompute(json.loads(json.dumps(derivation)), DOCS)


def fails(reason: str, operator: str, *steps: dict[str, Any], **more: Any) -> None:
    with pytest.raises(DerivationError, match=re.escape(reason)):
        holds(operator, *steps, **more)


@pytest.mark.parametrize("operator", ["lookup", "cause", "purpose", "definition"])
def test_lookup_reads_the_span(operator: str) -> None:
    assert holds(operator, {"find": at("a.md", "because rent is low")}) == ("because rent is low",)


def test_lookup_reads_what_a_person_reads() -> None:
    source = "It is **nine** rooms."
    block = Block("paragraph", 0, len(source), "It is nine rooms.", ((0, 0), (6, 8), (10, 14)))
    marked = Document("m.md", source, "M", "md", "", (block,), ())
    span = {"doc": "m.md", "start": 6, "end": 20}
    assert recompute({"operator": "lookup", "steps": [{"fact": "f", "find": span}]}, {"m.md": marked}) == (
        "nine rooms",
    )


def test_malformed_derivations_are_named() -> None:
    fails("operator 'guess' is not one of lookup", "guess")
    fails("has 0 steps and needs 1", "lookup")
    fails("'find' of fact 'f-0' is None, not a span", "lookup", {})
    fails("document 'z.md' of 'find'", "lookup", {"find": {"doc": "z.md", "start": 0, "end": 1}})
    fails(
        "'find' is [0, 999) in a.md, which has 85 characters",
        "lookup",
        {"find": {"doc": "a.md", "start": 0, "end": 999}},
    )
    fails("whole numbers", "lookup", {"find": {"doc": "a.md", "start": "0", "end": 9}})
    fails("which has no text", "lookup", {"find": at("a.md", " leads"[:1])})
    with pytest.raises(DerivationError, match="steps is 'x', not a list"):
        recompute({"operator": "lookup", "steps": "x"}, DOCS)


def test_condition() -> None:
    answer, condition = at("c.md", "20 days"), at("c.md", "if you joined in 2019")
    assert holds("condition", {"find": answer, "condition": condition}) == ("20 days",)
    fails("overlaps the answer", "condition", {"find": answer, "condition": at("c.md", "days if you")})
    fails(
        "is in a.md, but the answer '20 days' is in c.md", "condition", {"find": answer, "condition": at("a.md", "Ada")}
    )
    fails("'condition' of fact", "condition", {"find": answer})


def test_scoped() -> None:
    canada = {"find": at("c.md", "ten days"), "scope": "Canada"}
    norway = {"fact": "f-9", "find": at("c.md", "20 days"), "scope": "Norway"}
    assert holds("scoped", canada, rivals=[norway]) == ("ten days",)
    fails("rivals is None", "scoped", canada)
    fails("has 0 rivals and needs 1 or more", "scoped", canada, rivals=[])
    fails(
        "the scope makes no difference: 'ten days' also holds for 'Norway'",
        "scoped",
        canada,
        rivals=[{**norway, "find": canada["find"]}],
    )
    fails("have one scope, 'Canada'", "scoped", canada, rivals=[{**norway, "scope": "canada"}])


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("The nine storerooms.", "9 storerooms", True),
        ("an  Owl", "owl!", True),
        ("1,200 euros", "1200 euros", True),
        ("“York”", "york", True),
        ("38 people in Leeds", "38 people in York", False),
        ("12 months", "a year", False),
        ("The", "the", True),
        ("a", "b", False),
        ("不可能", "不可能。", True),
        ("3.5", "35", False),
        ("-5", "5", False),
    ],
)
def test_same_answer(a: str, b: str, same: bool) -> None:
    assert same_answer(a, b, "en") is same


@given(st.text(max_size=30), st.text(max_size=30))
def test_same_answer_is_reflexive_and_symmetric(a: str, b: str) -> None:
    assert same_answer(a, a, "en")
    assert same_answer(a, b, "en") is same_answer(b, a, "en")


def test_spans_come_in_order_from_every_depth() -> None:
    rival = {"fact": "f", "find": at("c.md", "20 days"), "scope": "Norway"}
    derivation = {"operator": "scoped", "steps": [{"fact": "g", "find": at("c.md", "ten days")}], "rivals": [rival]}
    assert [DOCS[doc].text[start:end] for doc, start, end in spans(derivation)] == ["ten days", "20 days"]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda c: (
            st.lists(c, max_size=3)
            | st.dictionaries(
                st.sampled_from(["steps", "find", "doc", "start", "end", "forms", "rivals"]), c, max_size=3
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(sorted(OPERATORS)),
)
def test_any_json_is_computed_or_refused_in_a_sentence(steps: Any, operator: str) -> None:
    with pytest.raises(DerivationError):
        recompute({"operator": operator, "steps": steps, "direction": "max"}, DOCS)

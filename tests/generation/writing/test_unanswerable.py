"""Unanswerable questions, from the traversal to the audit, on pages whose facts are all known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from doubles import context_of, screen
from planted import knowledge_of, read_markdown
from planted_facts import encoder

from kgsynth.auditing.flow import check_set
from kgsynth.base.config import Config
from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.evolutions.unanswerable import kind_of
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS
from kgsynth.generation.selection import select
from kgsynth.generation.selection.greedy import asked_facts
from kgsynth.generation.writing import Candidate, compose
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.item_json import from_json, to_json
from kgsynth.golden.subtypes import SUBTYPES

GUILDS = """
# Guilds

Ada Lind founded the River Guild in 1961.

Rain is rare here.

The streets are wide.

Tom Berg leads the Harbour Trust.

Bread is cheap.

The boats are old.

Eva Holm chairs the Bridge Society.
"""
FOUNDED = "In which year did Tom Berg found the River Guild?"


def written(known: Knowledge, subtype: str) -> list[Candidate]:
    return list(compose(EVOLUTIONS[subtype](known), known))


def entry_of(known: Knowledge, question: str = FOUNDED, subtype: str = "swapped_entity") -> Candidate:
    return next(entry for entry in written(known, subtype) if entry.item.question == question)


def judged(known: Knowledge, entry: Candidate | None = None, **thresholds: float) -> tuple[Item, Rejection | None]:
    """The verdict of all rules on one candidate, by default on who founded the River Guild."""
    context = context_of(known, encoder(), thresholds)
    ((item, why),) = screen([entry or entry_of(known)], context)
    return item, why


def teams(**changed: str) -> Knowledge:
    return knowledge_of({"guilds.md": GUILDS, **{f"{name}.md": text for name, text in changed.items()}})


KNOWN = teams()


# ---- from the traversal to the question -------------------------------------------------------------------


def test_a_fact_about_one_person_is_asked_about_another() -> None:
    entry = entry_of(KNOWN)
    item, (source, host) = entry.item, entry.scenario.rivals
    assert (item.answerable, item.golden_answers, item.evidence) == (False, (), ())
    assert source.text == "Ada Lind founded the River Guild in 1961." and host.text.startswith("Tom Berg leads")
    assert [span.text for span in item.hard_negatives] == [source.text, host.text]
    first, second = item.derivation["steps"]
    read = [KNOWN.documents[s["doc"]].text[s["start"] : s["end"]] for s in (first["swapped"], second["to"])]
    assert read == ["Ada Lind", "Tom Berg"]
    assert item.derivation["operator"] == "absent" and "Berg" in item.derivation["names"]
    assert {"found*", "establish*"} <= set(item.derivation["predicate"]), "synonyms are looked for too"


def test_people_replace_people_and_guilds_replace_guilds() -> None:
    for entry in written(KNOWN, "swapped_entity"):
        (ident, place, _), (source, _) = entry.scenario.links[0], entry.scenario.rivals
        old = KNOWN.entities.entity_of(source, source.phrases[place])
        assert old is not None and kind_of(KNOWN, old) == kind_of(KNOWN, KNOWN.entities[ident])


def test_the_predicate_is_swapped_when_the_other_entity_has_a_fact_of_the_same_form() -> None:
    """Tom Berg leads a trust and Eva Holm chairs a society: which does Tom Berg chair?"""
    entry = entry_of(KNOWN, "Which society does Tom Berg chair?", "swapped_relation")
    source, own = entry.scenario.rivals
    first, second = entry.item.derivation["steps"]
    assert (first["fact"], second["fact"]) == (own.id, source.id)
    read = [KNOWN.documents[s["doc"]].text[s["start"] : s["end"]] for s in (first["swapped"], second["by"])]
    assert read == ["leads", "chairs"]
    assert judged(KNOWN, entry)[1] is None


def test_out_of_scope_asks_about_topics_that_no_document_on_the_entity_covers() -> None:
    more = "# More\n\nEva Holm likes trams.\n\nThe yard is wide.\n\nEva Holm likes bread.\n\nOld stones lie there.\n"
    known, question = teams(more=more), "Whom did Eva Holm marry?"
    assert judged(known, entry_of(known, question, "out_of_scope"))[1] is None
    touched = teams(more=f"{more}\nThe wedding was on a Friday.\n")
    why = judged(touched, entry_of(touched, question, "out_of_scope"))[1]
    assert why is not None and why.rule == "grounded" and why.detail.endswith("about 'Eva Holm': it has 'wedding'")


# ---- questions that have an answer ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Tom Berg founded the River Guild in 1970.", "'founded'"),
        ("Tom Berg lives in Moss.\n\nHis father had established it in 1970.", "'established'"),
        ("Berg was the founder of two societies.", "'founder'"),
    ],
    ids=["the fact itself", "a synonym in the next paragraph", "a surname and a noun"],
)
def test_a_question_that_is_answered_elsewhere_is_rejected(sentence: str, found: str) -> None:
    known = teams(more=f"# More\n\n{sentence}\n")
    with pytest.raises(DerivationError, match=r"^more\.md \[\d+, \d+\) may answer .* about 'Berg': it has " + found):
        recompute(entry_of(KNOWN).item.derivation, known.documents)


def test_the_rejection_names_rule_and_place() -> None:
    why = judged(teams(more="# More\n\nTom Berg is old. The founder was he.\n"))[1]
    assert why is not None and why.rule == "grounded" and why.detail.startswith("more.md [")


def test_a_sentence_without_a_name_may_be_about_the_entity() -> None:
    why = judged(teams(more="# More\n\nThe old man founded the River Guild in 1950.\n"))[1]
    assert why == Rejection("absent", "more.md:8 may be about 'Tom Berg' under another name", 1.0, 0.8)


def test_a_sentence_that_names_somebody_else_is_not() -> None:
    assert judged(teams(more="# More\n\nLiv Dahl founded the River Guild in 1950.\n"))[1] is None


def test_a_very_similar_chunk_that_names_the_entity_rejects_the_question() -> None:
    why = judged(KNOWN, near=0.1)[1]
    assert why is not None and (why.rule, why.threshold) == ("difficulty", 0.1)


# ---- the other rules --------------------------------------------------------------------


def test_every_rule_judges_it_and_the_scores_say_what_was_searched() -> None:
    item, why = judged(KNOWN)
    assert why is None and not item.answerable and item.evidence == () == item.golden_answers
    scores = item.metadata["scores"]
    assert scores["documents_naming"] == 1 and scores["sentences_searched"] == 1, (
        "only the source says something like it"
    )
    assert item.difficulty == "hard" and scores["rank"] == 1, "its source comes first for the question"
    assert 2 <= len(item.hard_negatives) <= 3
    assert {*BY_WORDS, *BY_VECTOR} >= {"absent", "difficulty"}


def test_the_rule_absent_ignores_answerable_questions() -> None:
    context = context_of(KNOWN, encoder())
    entry = written(KNOWN, "factoid")[0]
    assert BY_WORDS["absent"](entry, context) is entry.item


def valid() -> list[Item]:
    entries = [entry for name in ("swapped_entity", "swapped_relation") for entry in written(KNOWN, name)]
    return [item for item, why in screen(entries, context_of(KNOWN, encoder())) if why is None]


def test_selection_takes_each_swap_of_a_fact_once() -> None:
    chosen, shortage = select(valid(), 9, {"unanswerable": 1.0}, documents=KNOWN.documents)
    assert 2 <= len(chosen) == 9 - shortage.missing < len(valid())
    keys = [key for item in chosen for key in asked_facts(item)]
    assert len(keys) == len(set(keys))


def test_unanswerable_questions_are_written_only_when_the_mix_names_them() -> None:
    assert "unanswerable" not in Config().mix
    assert {name for name, subtype in SUBTYPES.items() if subtype.question_type == "unanswerable"} == {
        "swapped_entity",
        "swapped_relation",
        "out_of_scope",
    }


# ---- the audit --------------------------------------------------------------------------------------------


def errors(items: list[Item], documents: Mapping[str, Any]) -> list[str]:
    return [finding.message for finding in check_set(Dataset(items), documents).at_least("error")]


def test_a_valid_set_has_no_error_after_writing_and_reading() -> None:
    items = [from_json(to_json(item)) for item in valid()]
    assert items and errors(items, KNOWN.documents) == []


def test_the_audit_finds_an_answer_that_was_written_later() -> None:
    later = {**KNOWN.documents, "new.md": read_markdown("new.md", "# New\n\nTom Berg set up a guild.\n")}
    item = judged(KNOWN)[0]
    (message,) = errors([item], later)
    assert message.startswith("the derivation fails: new.md [") and "'Berg': it has 'set up'" in message


def test_the_audit_requires_the_sources_among_the_hard_negatives() -> None:
    item = replace(judged(KNOWN)[0], hard_negatives=())
    assert all("outside the evidence" in message for message in errors([item], KNOWN.documents))
    assert len(errors([item], KNOWN.documents)) == 2


def test_a_golden_answer_contradicts_a_derivation_without_one() -> None:
    item = judged(KNOWN)[0]
    wrong = replace(item, golden_answers=("1961",))
    assert "the derivation yields no answer, the golden answer is '1961'" in errors([wrong], KNOWN.documents)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"names": []}, "'names' is [], not a list of names"),
        ({"words": [], "predicate": []}, "'words' is [], not a list of words"),
        ({"words": [[]]}, "'words' is [], not a list of names"),
        ({"steps": []}, "has 0 steps and needs 1"),
    ],
)
def test_a_derivation_with_nothing_to_search_for_is_an_error(fields: dict[str, Any], reason: str) -> None:
    item = judged(KNOWN)[0]
    with pytest.raises(DerivationError) as error:
        recompute({**item.derivation, **fields}, KNOWN.documents)
    assert reason in str(error.value)

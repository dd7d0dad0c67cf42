"""Every limit on entities, statements and other evidence, moved: what it lets through changes."""

from __future__ import annotations

import math
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest
from planted import analysis, document, named, read_markdown, sentence
from planted_facts import Page, knowledge, p, v

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.proof import hops
from kgsynth.base.records import Entity, Fact, Item, Mention
from kgsynth.evidence.answer_likelihood import WEIGHTS, AnswerFeatures, WordIndex, answer_features
from kgsynth.evidence.derivation import AbsenceQuery, find_possible_answer
from kgsynth.evidence.entities import EntityIndex
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.question_checks import copied, wording_problem
from kgsynth.evidence.vectors import hopeless_rank
from kgsynth.generation.graph.entities import resolve_entities
from kgsynth.golden.dataset import Dataset

Move = Callable[[str, float], None]
NAMED = "nominal named proper"


# ---- entities --------------------------------------------------------------------------------------


def is_common(documents: int, naming: int) -> bool:
    pages = [Page(f"{n}.md") for n in range(documents)]
    for n, page in enumerate(pages):
        page.say(p("subject", "Pike" if n < naming else "Bo"), v("sleep", "sleeps"))
    entities = knowledge(*pages, names={"Pike": "PRODUCT"}).entities
    return entities.is_common(entities["e:Pike"])


def test_common_entities(move: Move) -> None:
    assert is_common(7, 7) and is_common(40, 9)
    move("common_entity_documents", 7)
    assert not is_common(7, 7)
    move("common_entity_share", 0.25)
    assert not is_common(40, 9), "9 are not more than a quarter of 40"


def test_a_technical_corpus(move: Move) -> None:
    names = {f"Pike {n}": "ORG" for n in range(19)} | {"run": "CODE", "stop": "CODE"}
    page = Page("a.md")
    page.say(p("subject", "Pike", NAMED), v("sleep", "sleeps"))
    known = knowledge(page, names=names).entities
    move("technical_code_share", 0.1)
    assert not known.is_technical, "2 of 21 are less than a tenth"


def test_people_in_a_technical_corpus(move: Move) -> None:
    labels = ("PERSON", "PERSON", "PERSON", "ORG")
    mentions = tuple(Mention("Ada Lind", label, "a.md", n, n + 8) for n, label in enumerate(labels))
    ada = Entity("ada", "Ada Lind", "PERSON", ("Ada Lind",), mentions)
    code = Entity("run", "run", "CODE", ("run",), mentions[:1])
    page = Page("a.md").document()
    entities = Knowledge(nx.MultiDiGraph(), [page], [], [], [ada, code], np.zeros((0, 2), np.float32)).entities
    assert entities.is_technical and not entities.is_person(ada)
    move("person_mention_share", 0.75)
    assert entities.is_person(ada), "3 of 4 mentions are labelled as a person"


def entities_with(*statements: tuple[str, str], names: tuple[str, ...] = ("Pike", "Wren")) -> EntityIndex:
    """The entities of a corpus that says "Pike is a sensor", for each pair of a name and a phrase for its type."""
    page = Page("a.md")
    page.say(p("subject", "a mill", "nominal indefinite"), v("burn", "burns"))
    for name, kind in statements:
        page.say(p("subject", name, NAMED), v("be", "is"), p("attribute", kind, "nominal indefinite"))
    return knowledge(page, names=dict.fromkeys(names, "PRODUCT")).entities


def type_of(name: str, entities: EntityIndex) -> str:
    return entities.type_noun(entities[f"e:{name}"])


def test_votes_of_a_name_for_a_type(move: Move) -> None:
    assert type_of("Salina mill", entities_with(names=("Salina mill",))) == "mill"
    move("type_name_votes", 2)
    assert type_of("Salina mill", entities_with(names=("Salina mill",))) == "", "2 votes are not the 3 it needs"


def test_votes_of_a_name_with_an_article(move: Move) -> None:
    def entities() -> EntityIndex:
        page = Page("a.md")
        page.say(p("subject", "a mill", "nominal indefinite"), v("burn", "burns"))
        page.say(p("subject", "the Salina Mill", NAMED + " definite"), v("burn", "burns"))
        return knowledge(page, names={"Salina Mill": "ORG"}).entities

    assert type_of("Salina Mill", entities()) == ""
    move("type_article_votes", 3)
    assert type_of("Salina Mill", entities()) == "mill"


def test_votes_of_a_statement(move: Move) -> None:
    assert type_of("Pike", entities_with(("Pike", "a sensor"))) == ""
    move("type_statement_votes", 3)
    assert type_of("Pike", entities_with(("Pike", "a sensor"))) == "sensor"


def test_votes_that_a_type_needs(move: Move) -> None:
    move("type_min_votes", 2)
    assert type_of("Pike", entities_with(("Pike", "a sensor"))) == "sensor", "one statement is enough now"


def test_entities_that_a_type_needs(move: Move) -> None:
    both = (("Pike", "a sensor"), ("Wren", "a sensor"))
    assert type_of("Pike", entities_with(*both)) == "sensor"
    move("type_min_entities", 3)
    assert type_of("Pike", entities_with(*both)) == ""


def test_the_share_of_votes_for_a_type(move: Move) -> None:
    tied = [("Pike", kind) for kind in ("a toy", "a sensor") for _ in range(2)]
    assert type_of("Pike", entities_with(*tied)) == ""
    move("type_vote_share", 0.4)
    assert type_of("Pike", entities_with(*tied)) == "sensor", "of two types with half of the votes, by name"


def test_common_words_at_the_start_of_a_sentence(move: Move) -> None:
    page = Page("a.md")
    for word in ("drying", "drying", "drying", "drying", "Drying"):
        page.say(p("subject", "Ada", NAMED), v("like", "likes"), p("object", word))
    page.say(p("subject", "Drying barrels"), v("help", "helps"))

    def lowerable(fact: Fact) -> bool:
        return fact.phrases[0].has("lowerable")

    assert lowerable(knowledge(page).statements.facts[-1])
    move("lower_case_ratio", 4)
    assert not lowerable(knowledge(page).statements.facts[-1]), "4 times in lower case for 1 capital"


def test_the_ratio_from_which_a_capitalised_word_is_common(move: Move) -> None:
    said = [sentence("a", 99 * at, text) for at, text in enumerate(["read the code"] * 9 + ["read the Code"])]
    page = analysis("a", sentences=said, mentions=named("a", ("Code", "ORG")))
    assert [entity.name for entity in resolve_entities([page])] == ["Code"]
    move("common_word_ratio", 9)
    assert resolve_entities([page]) == []


# ---- the likelihood of an answer -------------------------------------------------------------------

NONE = AnswerFeatures(0, 0, 0, 0, 0, 0, 0, 0, 0)


def test_long_questions(move: Move) -> None:
    index = WordIndex(["The mill stands."], "en")
    question = "Which tall smiths built red mills?"  # tall, smith, built, red, mill
    assert answer_features(question, "", index, cosine=0).length == pytest.approx(5 / 12)
    move("long_question_words", 5)
    assert answer_features(question, "", index, cosine=0).length == 1


def test_the_probability_without_any_feature(move: Move) -> None:
    assert NONE.probability == pytest.approx(1 / (1 + math.exp(1.5)))
    move("answer_bias", 0)
    assert NONE.probability == 0.5


@pytest.mark.parametrize("feature", WEIGHTS)
def test_each_weight_moves_the_probability(feature: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only = NONE._replace(**{feature: 1.0})
    assert (only.probability > NONE.probability) is (WEIGHTS[feature] > 0)
    monkeypatch.setitem(WEIGHTS, feature, 0.0)
    assert only.probability == NONE.probability


# ---- absence ---------------------------------------------------------------------------------------

PAGE = read_markdown("a.md", "# Yard\n\nThe Pike stands here.\n\nIt was built by hand.\n\nRain fell.\n")


def matched(predicate: list[str], *words: list[str]) -> tuple[str, ...]:
    answer = find_possible_answer({"a.md": PAGE}, AbsenceQuery(["Pike"], predicate, words))
    return answer.words if answer else ()


def test_blocks_next_to_a_name(move: Move) -> None:
    assert matched(["fell"]) == () and matched(["built"]) == ("built",)
    move("absence_neighbour_blocks", 2)
    assert matched(["fell"]) == ("fell",)
    move("absence_neighbour_blocks", 0)
    assert matched(["built"]) == ()


def test_the_share_of_words_in_a_possible_answer(move: Move) -> None:
    assert matched([], ["hand"], ["oil"], ["gas"]) == ()
    move("absence_word_share", 0.3)
    assert matched([], ["hand"], ["oil"], ["gas"]) == ("hand",)


# ---- ranks and distances ---------------------------------------------------------------------------


def test_the_hopeless_rank_of_a_large_corpus(move: Move) -> None:
    assert hopeless_rank(50, 10_000) == 200
    move("hopeless_chunk_share", 0.01)
    assert hopeless_rank(50, 10_000) == 100


def test_evidence_within_a_passage(move: Move) -> None:
    text = "Ada leads it. " + "Padding. " * 10 + "Bo left."
    page = document("a.md", text)
    groups = ((page.span(0, 13),), (page.span(len(text) - 8, len(text)),))
    case = AuditCase(Dataset([Item("q", "Who?", ("Ada",), "multi_context", "", "en", groups)]), {"a.md": page})
    assert [finding.message for finding in hops(case)] == [
        f"all evidence groups are within {len(text)} characters of one document"
    ]
    move("passage_characters", len(text) - 1)
    assert list(hops(case)) == []


# ---- copied questions ------------------------------------------------------------------------------

EIGHT = "alpha beta gamma delta epsilon zeta eta theta"


def test_repeated_runs_of_words(move: Move) -> None:
    question = "Alpha beta gamma, what delta epsilon zeta eta theta?"
    assert copied(question, ["x"], f"{EIGHT} x") == pytest.approx(8 / 9)
    move("repeated_run_words", 4)
    assert copied(question, ["x"], f"{EIGHT} x") == 0, "the run of three does not count, and five are too few"


def test_repeated_words(move: Move) -> None:
    assert copied(f"{EIGHT}?", ["x"], f"{EIGHT} x") == 1
    move("copied_min_words", 9)
    assert copied(f"{EIGHT}?", ["x"], f"{EIGHT} x") == 0


def test_the_repeated_share_of_the_sentence(move: Move) -> None:
    sentence = f"{EIGHT} iota kappa lambda x"
    assert copied(f"{EIGHT}?", ["x"], sentence) == 0, "8 of 11 words"
    move("copied_sentence_share", 0.7)
    assert copied(f"{EIGHT}?", ["x"], sentence) == 1


def test_content_words_of_a_question(move: Move) -> None:
    assert wording_problem("What is Rust?", "en") == "fewer than two content words"
    move("question_content_words", 1)
    assert wording_problem("What is Rust?", "en") == ""

"""Every rule except ``ambiguous``: a candidate that passes, and each rejection with its detail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from doubles import context_of
from numpy.typing import NDArray
from planted_facts import Page, candidate, encoder, knowledge, p, v

from kgsynth.base.records import Excerpt, Fact, Item, Rejection, Scenario, Span, StructureFact, placed_id
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS, Rule, by_vector, by_words
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores

NAMED = "nominal named proper"


def mill(page: Page | None = None) -> tuple[Knowledge, Fact]:
    page = page or Page("a.md")
    smiths = p("object", "nine old smiths", "nominal number modified")
    fact = page.say(p("subject", "the Salina mill", NAMED), v("employ", "employs"), smiths)
    return knowledge(page), fact


def simple(question: str, answer: str = "nine old smiths", subtype: str = "factoid") -> tuple[Candidate, FilterContext]:
    known, fact = mill()
    return candidate(known, Scenario("simple", subtype, (fact,), 1), question, answer), context_of(known, encoder())


GOOD = "How many smiths does the Salina mill employ?"


# ---- rules on words --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule",
    [
        by_words.check_well_formed,
        by_words.check_self_contained,
        by_words.check_grounded,
        by_words.check_leaking,
        by_words.check_answerable,
    ],
)
def test_a_good_question_passes(rule: Rule) -> None:
    entry, context = simple(GOOD)
    item = rule(entry, context)
    assert isinstance(item, Item)
    assert (item.question, item.golden_answers, item.evidence) == (GOOD, entry.item.golden_answers, entry.item.evidence)


def test_rules_are_applied_in_the_order_of_their_cost() -> None:
    assert list(BY_WORDS) == [
        "well_formed",
        "self_contained",
        "grounded",
        "leaking",
        "copied",
        "answerable",
        "ambiguous",
        "absent",
        "hop_necessity",
    ]
    assert list(BY_VECTOR) == ["answered", "difficulty", "duplicate"]


@pytest.mark.parametrize(
    ("question", "answer", "detail"),
    [
        ("Salina mill employs smiths?", "nine", "asks nothing"),
        ("How many smiths does the `mill` employ?", "nine", "markup left in it"),
        (GOOD, " . ", "its answer is empty"),
    ],
)
def test_well_formed(question: str, answer: str, detail: str) -> None:
    assert by_words.check_well_formed(*simple(question, answer)) == Rejection("well_formed", detail)


@pytest.mark.parametrize(
    ("question", "detail"),
    [
        (
            "According to the text, who runs the Salina mill?",
            "'According to the' refers to something outside the question",
        ),
        ("When did it employ them?", "'it' refers to something outside the question"),
        ("What does the mill do?", "fewer than two content words"),
    ],
)
def test_self_contained(question: str, detail: str) -> None:
    assert by_words.check_self_contained(*simple(question)) == Rejection("self_contained", detail)


def test_a_definition_may_ask_for_one_word() -> None:
    assert isinstance(by_words.check_self_contained(*simple("What is Salina?", subtype="definition")), Item)
    assert isinstance(by_words.check_self_contained(*simple("What is Salina?")), Rejection)


def test_grounded_reads_every_span_of_every_group() -> None:
    entry, context = simple(GOOD)
    (span,) = entry.item.evidence[0]
    for evidence in (
        ((replace(span, text="The mill."),),),
        ((span, replace(span, start=1)),),
        ((span,), (replace(span, end=9),)),
    ):
        wrong = entry._replace(item=replace(entry.item, evidence=evidence))
        start = evidence[-1][-1].start
        assert by_words.check_grounded(wrong, context) == Rejection(
            "grounded", f"the span at a.md:{start} is not verbatim"
        )


def test_grounded_recomputes_the_answer() -> None:
    entry, context = simple(GOOD, "ten old smiths")
    assert by_words.check_grounded(entry, context) == Rejection("grounded", "the derivation yields 'nine old smiths'")
    entry = entry._replace(item=replace(entry.item, derivation={"operator": "guess", "steps": []}))
    verdict = by_words.check_grounded(entry, context)
    assert isinstance(verdict, Rejection)
    assert verdict.detail.startswith("operator 'guess' is not one of ")


def test_leaking_is_the_share_of_the_answer_in_the_question() -> None:
    verdict = by_words.check_leaking(*simple("Who are the nine old people of Salina?"))
    assert verdict == Rejection("leaking", "contains 9, old of the answer", 0.6667, 0.5)
    item = by_words.check_leaking(*simple("Who are the old people of Salina?"))
    assert isinstance(item, Item)
    assert item.metadata["scores"]["leaking"] == 0.3333


def test_a_question_must_not_repeat_its_sentence() -> None:
    page = Page("a.md")
    subject = p("subject", "the old mill in the valley of Salina", NAMED)
    fact = page.say(subject, v("employ", "employs"), p("object", "nine smiths", "nominal number"))
    known = knowledge(page)

    def verdict(question: str) -> Item | Rejection:
        entry = candidate(known, Scenario("simple", "factoid", (fact,), 1), question, "nine smiths")
        return by_words.check_copied(entry, context_of(known, encoder()))

    again = verdict("The old mill in the valley of Salina employs whom?")  # nine of its ten words
    assert again == Rejection("copied", "repeats the words of its evidence in the same order", 0.9, 0.75)
    asked = verdict("How many people work in the old mill of Salina?")
    assert isinstance(asked, Item)
    assert asked.metadata["scores"]["copied"] == 0.0


def test_the_noun_asked_for_does_not_leak_but_an_answer_needs_more() -> None:
    assert isinstance(by_words.check_leaking(*simple("Which smiths does the Salina mill employ?", "old smiths")), Item)
    verdict = by_words.check_leaking(*simple("Which smiths does the Salina mill employ?", "the smiths"))
    assert verdict == Rejection("leaking", "the answer adds nothing to the question", 1.0, 0.5)


@pytest.mark.parametrize(
    ("question", "answer", "verdict"),
    [
        ("Who are the smiths' old friends?", "young friends", None),
        (
            "Who are the old smiths' friends?",
            "old friends",
            Rejection("leaking", "contains old of the answer", 1.0, 0.5),
        ),
        ("Who are the smiths' friends?", "friends", Rejection("leaking", "contains friend of the answer", 1.0, 0.5)),
        ("Who are the old smiths?", "old mill friends", None),
        (
            "Who are the old friends?",
            "old mill friends",
            Rejection("leaking", "contains friend, old of the answer", 0.6667, 0.5),
        ),
        ("Who are old?", "old mills", Rejection("leaking", "contains old of the answer", 0.5, 0.5)),
    ],
)
def test_the_question_may_name_the_noun_of_an_answer_of_two_words(
    question: str, answer: str, verdict: Rejection | None
) -> None:
    found = by_words.check_leaking(*simple(question, answer))
    assert found == verdict if verdict else isinstance(found, Item)


def test_how_many_must_not_contain_the_number() -> None:
    verdict = by_words.check_leaking(*simple("How many times did a single mill burn?", "a single time"))
    assert verdict == Rejection("leaking", "contains single of the answer", 1.0, 0.5)
    assert isinstance(by_words.check_leaking(*simple("How many times did the mill burn?", "a single time")), Item)


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Salina mill employs.", "nine old smiths", ("no clear kind of answer is asked for", None, None)),
        (GOOD, "old smiths", ("asks for a number, but the answer is 'old smiths'", None, None)),
        (
            "What does the Salina mill employ?",
            "nine wet smiths",
            ("'wet' of the answer is not in the evidence", None, None),
        ),
        (
            "Which smiths painted green boats around Salina?",
            "nine old smiths",
            ("the evidence does not cover the question", 0.3333, 0.6),
        ),
    ],
    ids=["no kind", "not of the kind", "not held", "not covered"],
)
def test_answerable(question: str, answer: str, expected: tuple[str, float | None, float | None]) -> None:
    assert by_words.check_answerable(*simple(question, answer)) == Rejection("answerable", *expected)


def test_answerable_reads_the_headings_too() -> None:
    question = "For wages in Norway, which smiths has Salina?"
    known, fact = mill()
    context = context_of(known, encoder(), {"answerable": 0.9})
    verdict = by_words.check_answerable(candidate(known, Scenario("simple", "factoid", (fact,), 1), question), context)
    assert verdict == Rejection("answerable", "the evidence does not cover the question", 0.5, 0.9)
    known, fact = mill(Page("a.md").under("Wages", "Norway"))
    item = by_words.check_answerable(
        candidate(known, Scenario("simple", "factoid", (fact,), 1), question),
        context_of(known, encoder(), {"answerable": 0.9}),
    )
    assert isinstance(item, Item)
    assert item.metadata["scores"]["answerable"] == 1.0


# ---- answered --------------------------------------------------------------------------------------


def test_answered_names_the_negative_features() -> None:
    entry, context = simple("How many smiths does the Gdynia mill not employ?")
    verdict = by_vector.check_answered(entry, context)
    assert isinstance(verdict, Rejection)
    assert (verdict.rule, verdict.threshold) == ("answered", 0.55)
    assert verdict.detail == "the evidence probably does not answer it: missing, names, denial"
    assert verdict.score is not None
    assert verdict.score < 0.1


def test_a_question_with_a_low_cosine_alone_is_rejected() -> None:
    known, fact = mill()
    entry = candidate(known, Scenario("simple", "factoid", (fact,), 1), GOOD, "nine old smiths")
    apart = {GOOD: (1.0, 0.0), entry.item.evidence[0][0].text: (0.0, 1.0)}
    verdict = by_vector.check_answered(
        entry, context_of(known, lambda texts: np.array([apart[text] for text in texts], np.float32))
    )
    assert isinstance(verdict, Rejection)
    assert verdict.detail == "the evidence probably does not answer it: low similarity"


@pytest.mark.parametrize(("kind", "passes"), [("cell", True), ("default", False)])
def test_a_cell_answers_what_its_head_asks_however_unlike_it_is(kind: str, passes: bool) -> None:
    known, fact = mill()
    entry = candidate(known, Scenario("simple", "factoid", (fact,), 1), GOOD)
    name = Excerpt("mill", fact.start, fact.end)
    shown = StructureFact("s", StructureKind(kind), fact.doc, 0, name, (name,))
    apart = {GOOD: (1.0, 0.0), entry.item.evidence[0][0].text: (0.0, 1.0)}
    verdict = by_vector.check_answered(
        entry._replace(scenario=Scenario("simple", "look_up", (), structure=(shown,))),
        context_of(known, lambda texts: np.array([apart[text] for text in texts], np.float32)),
    )
    assert isinstance(verdict, Item) == passes


def test_answered_keeps_its_score() -> None:
    entry, context = simple(GOOD)
    item = by_vector.check_answered(entry, context)
    assert isinstance(item, Item)
    assert item.metadata["scores"]["answered"] == round(by_vector.read(entry, context).probability, 4) >= 0.55


# ---- hop_necessity ---------------------------------------------------------------------------------

ASKS = "How many smiths does the mill that Ada Lind runs employ?"


def hops(*, whole: bool = False, joined: bool = False) -> tuple[Knowledge, Scenario]:
    """Two facts about the Salina mill, in two documents unless they are ``joined``; each in a chunk, or a ``whole``."""
    first, second = Page("a.md"), Page("b.md")
    one = first.say(p("subject", "Ada Lind", NAMED), v("run", "runs"), p("object", "the Salina mill", NAMED))
    second = first if joined else second
    last = second.say(p("subject", "the Salina mill", NAMED), v("employ", "employs"), p("object", "nine smiths"))
    known = knowledge(*dict.fromkeys((first, second)), whole=whole)
    return known, Scenario("multi_context", "change", (one, last), 1)


def test_hops_in_two_documents_are_both_needed() -> None:
    known, scenario = hops()
    entry = candidate(known, scenario, ASKS)
    assert by_words.check_hop_necessity(entry, context_of(known, encoder())) is entry.item


def test_hops_of_one_document_must_not_fit_into_a_passage() -> None:
    known, scenario = hops(joined=True)
    verdict = by_words.check_hop_necessity(candidate(known, scenario, ASKS), context_of(known, encoder()))
    assert isinstance(verdict, Rejection)
    assert (verdict.detail, verdict.threshold) == ("a passage of a common size contains every hop", 1500)
    assert verdict.score == scenario.facts[1].end - scenario.facts[0].start


def test_one_chunk_with_every_hop_is_enough() -> None:
    known, scenario = hops(whole=True, joined=True)
    verdict = by_words.check_hop_necessity(candidate(known, scenario, ASKS), context_of(known, encoder()))
    assert verdict == Rejection("hop_necessity", "chunk a.md@0 contains every hop")


def test_a_copy_of_one_hop_in_the_chunk_of_the_other_is_enough() -> None:
    known, scenario = hops()
    entry = candidate(known, scenario, ASKS)
    last = entry.item.evidence[1][0]
    entry = entry._replace(item=replace(entry.item, evidence=((*entry.item.evidence[0], last), (last,))))
    verdict = by_words.check_hop_necessity(entry, context_of(known, encoder()))
    assert verdict == Rejection("hop_necessity", "chunk b.md@0 contains every hop")


def test_other_types_pass_unchanged() -> None:
    entry, context = simple(GOOD)
    assert by_words.check_hop_necessity(entry, context) is entry.item


# ---- difficulty ------------------------------------------------------------------------------------


def judged_by(
    scores: Sequence[float], gold: Sequence[int] = (0,), rivals: Sequence[int] = (), **thresholds: float
) -> Rejection | Item:
    """Judge a question whose cosine with chunk ``n`` is ``scores[n]``, the golds being one group each.

    Only the ``rivals`` hold all words of the question; by its words, all other chunks come after them.
    """
    page = Page("a.md")
    for n in range(len(scores)):
        name = f"Salina mill {n}" if n in rivals else f"mill {n}"
        page.say(p("subject", name, NAMED), v("employ", "employs"), p("object", f"{n} smiths"))
    vectors = np.array([[s, (1 - s * s) ** 0.5] for s in scores], np.float32)
    known = knowledge(page, vectors=vectors)
    facts = tuple(page.facts[n] for n in gold)
    scenario = Scenario("multi_context" if len(gold) > 1 else "simple", "factoid", facts, 1)
    axis = np.array([1.0, 0.0], np.float32)
    return by_vector.check_difficulty(
        candidate(known, scenario, GOOD),
        context_of(known, lambda questions: np.stack([axis for _ in questions]), thresholds),
    )


@pytest.mark.parametrize(
    ("scores", "gold", "rank", "margin"),
    [
        ([0.8, 0.6, 0.5], [0], 1, 0.2),
        ([0.5, 0.8, 0.6], [0], 3, -0.3),
        ([0.8, 0.7, 0.3], [0, 1], 2, 0.5),
        ([0.8, 0.2, 0.7, 0.6, 0.1], [0, 1], 4, 0.1),
    ],
)
def test_rank_and_margin(scores: list[float], gold: list[int], rank: int, margin: float) -> None:
    item = judged_by(scores, gold)
    assert isinstance(item, Item)
    assert item.metadata["scores"]["rank"] == rank
    assert item.metadata["scores"]["margin"] == pytest.approx(margin, abs=1e-4)


@pytest.mark.parametrize(
    ("found", "band"), [(1.0, "easy"), (0.9, "easy"), (0.8999, "medium"), (0.6, "medium"), (0.5999, "hard")]
)
def test_the_difficulty_is_how_probably_the_evidence_is_found(
    found: float, band: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FilterContext, "found", lambda *_: found)
    item = judged_by([0.8, 0.6, 0.5])
    assert isinstance(item, Item)
    assert (item.scores["found"], item.difficulty) == (found, band)


def test_evidence_that_ranks_lower_is_found_less_often() -> None:
    crowd = [0.5] * 40
    first, last, both = judged_by([0.9, *crowd]), judged_by([0.1, *crowd]), judged_by([0.9, 0.1, *crowd], [0, 1])
    assert isinstance(first, Item) and isinstance(last, Item) and isinstance(both, Item)
    assert first.scores["found"] > last.scores["found"] + 0.2
    assert both.scores["found"] < first.scores["found"] - 0.2, "all groups are needed"


def test_hopeless_is_a_rank_beyond_the_limit_by_embedding_and_by_words() -> None:
    scores, rivals = [0.1, 0.5, 0.4, 0.3], (1, 2, 3)
    verdict = judged_by(scores, rivals=rivals, hopeless=3)
    detail = "hopeless: the gold chunk is too far from the question"
    assert verdict == Rejection("difficulty", detail, 4, 3)
    assert isinstance(judged_by(scores, rivals=rivals, hopeless=4), Item)
    assert isinstance(judged_by(scores, gold=[0, 1], rivals=rivals, hopeless=3), Item), "one hop is within reach"
    assert isinstance(judged_by(scores, rivals=(1, 2), hopeless=3), Item), "third by its words: BM25 may find it"


def test_hopeless_grows_with_the_corpus() -> None:
    scores, rivals = [0.1, 0.5, 0.4, *[0.05] * 147], (1, 2)
    assert isinstance(judged_by(scores, rivals=rivals, hopeless=1), Item), "rank 3 of 150 is two in a hundred"
    assert isinstance(judged_by(scores[:149], rivals=rivals, hopeless=1), Rejection)


def test_hard_negatives_are_less_similar_and_contain_no_answer() -> None:
    page = Page("a.md")
    for text in ("4 smiths", "7 smiths", "4 SMITHS", "8 smiths", "9 smiths", "6 smiths", "3 smiths"):
        page.say(p("subject", "the mill", NAMED), v("employ", "employs"), p("object", text))
    scores = [0.8, 0.77, 0.7, 0.6, 0.5, 0.4, 0.3]  # 0.77 is over 0.95 of 0.8; 0.7 has the answer
    known = knowledge(page, vectors=np.array([[s, (1 - s * s) ** 0.5] for s in scores], np.float32))
    context = context_of(known, lambda questions: np.array([[1.0, 0.0]] * len(questions), np.float32))
    entry = candidate(known, Scenario("simple", "factoid", (page.facts[0],), 1), GOOD)
    item = by_vector.check_difficulty(entry, context)
    assert isinstance(item, Item)
    expected = [known.chunks[n] for n in (3, 4, 5)]
    assert item.hard_negatives == tuple(Span(c.doc, c.start, c.end, c.text) for c in expected)


def test_the_most_similar_chunks_are_hard_negatives_and_the_earlier_of_equals_first() -> None:
    item = judged_by([0.9, *[0.1] * 50, 0.5, 0.5, 0.6, *[0.2] * 50])
    assert isinstance(item, Item)
    assert [span.text.split()[1] for span in item.hard_negatives] == ["53", "51", "52"]


def test_dissimilar_chunks_are_no_hard_negatives() -> None:
    item = judged_by([0.3, 0.0, -0.2])
    assert isinstance(item, Item)
    assert item.hard_negatives == ()


# ---- duplicate -------------------------------------------------------------------------------------


def planted_bench(vectors: dict[str, list[float]], avoid: Sequence[str] = ()) -> tuple[FilterContext, list[Candidate]]:
    """A context where each question has its planted vector, and a candidate for each, on facts of their own."""
    page = Page("a.md")
    for n, _ in enumerate(vectors):
        page.say(p("subject", f"mill {n}", NAMED), v("employ", "employs"), p("object", f"{n} smiths"))
    known = knowledge(page)

    def encode(questions: Sequence[str]) -> NDArray[np.float32]:
        rows = np.array([vectors.get(question, [0.0, 0.0, 1.0]) for question in questions], np.float32).reshape(-1, 3)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    entries = [
        candidate(known, Scenario("simple", "factoid", (fact,), 1), question)
        for question, fact in zip(vectors, page.facts, strict=True)
    ]
    return context_of(known, encode, avoid=avoid), entries


SAME = "How many smiths does the old Salina mill by the river employ today?"
NEAR = "How many smiths does the old Salina mill by the river employ today"
FAR = "Which boat sails to Salina?"


def test_the_same_words_are_a_duplicate() -> None:
    context, (one, two) = planted_bench({SAME: [1, 0, 0], NEAR: [0, 1, 0]})
    assert by_vector.check_duplicate(one, context) is one.item
    assert by_vector.check_duplicate(two, context) == Rejection("duplicate", f"like {SAME!r}", 1.0, 0.8)
    assert context.accepted.questions == [SAME]


def test_the_same_meaning_is_a_duplicate() -> None:
    context, (one, two) = planted_bench({SAME: [1, 0, 0], FAR: [0.96, 0.28, 0]})
    assert by_vector.check_duplicate(one, context) is one.item
    assert by_vector.check_duplicate(two, context) == Rejection("duplicate", f"like {SAME!r}", 0.96, 0.95)
    context, (one, two) = planted_bench({SAME: [1, 0, 0], FAR: [0.8, 0.6, 0]})
    assert [by_vector.check_duplicate(entry, context) for entry in (one, two)] == [one.item, two.item]


def test_a_phrase_of_a_fact_is_asked_for_once() -> None:
    context, (one, two) = planted_bench({SAME: [1, 0, 0], FAR: [0, 1, 0]})
    again = two._replace(scenario=one.scenario)
    other_phrase = two._replace(scenario=replace(one.scenario, asked=0))
    assert by_vector.check_duplicate(one, context) is one.item
    assert by_vector.check_duplicate(again, context) == Rejection("duplicate", f"asks the same fact as {SAME!r}")
    assert by_vector.check_duplicate(other_phrase, context) is two.item


def test_a_fact_may_be_asked_for_once_more_beside_another() -> None:
    context, (one, two) = planted_bench({SAME: [1, 0, 0], FAR: [0, 1, 0]})
    over = two._replace(item=replace(two.item, question_type="multi_context"), scenario=one.scenario)
    assert by_vector.check_duplicate(one, context) is one.item
    assert by_vector.check_duplicate(over, context) is over.item


def test_two_candidates_with_one_id_are_not_both_accepted() -> None:
    """One text in two documents gives two candidates with one id; no threshold lets both into the set."""
    context, (one, two) = planted_bench({SAME: [1, 0, 0], FAR: [0, 1, 0]})
    context.thresholds |= {"duplicate": 1.1, "paraphrase": 1.1}
    copy = two._replace(item=replace(one.item, evidence=tuple((replace(s, doc="b.md"),) for (s,) in one.item.evidence)))
    assert copy.item.id == one.item.id and placed_id(copy.item) != placed_id(one.item)
    assert by_vector.check_duplicate(one, context) is one.item
    rejection = by_vector.check_duplicate(copy, context)
    assert isinstance(rejection, Rejection) and rejection.rule == "duplicate"
    assert rejection.detail == "has the question, the answers and the evidence text of another candidate"


def test_a_rejected_question_is_not_remembered() -> None:
    context, (one, two, three) = planted_bench({SAME: [1, 0, 0], NEAR: [0, 1, 0], FAR: [0, 1, 0]})
    for entry in (one, two):
        by_vector.check_duplicate(entry, context)
    assert by_vector.check_duplicate(three._replace(scenario=two.scenario), context) is three.item


def test_questions_of_an_earlier_set_are_avoided() -> None:
    context, (one, two) = planted_bench({NEAR: [1, 0, 0], FAR: [0, 1, 0]}, avoid=[SAME])
    assert by_vector.check_duplicate(one, context) == Rejection("duplicate", f"like {SAME!r}", 1.0, 0.8)
    assert by_vector.check_duplicate(two, context) is two.item


# ---- the context -------------------------------------------------------------------------------------


def test_word_similarity_is_the_jaccard_of_word_pairs() -> None:
    context, _ = planted_bench({})
    assert context.accepted.most_similar(SAME) is None
    assert context.accepted.nearest(SAME) is None
    for question in (FAR, SAME, NEAR):
        context.accepted.add(question)
    assert context.accepted.most_similar(SAME) == (1.0, SAME), "of equals the first"
    assert context.accepted.most_similar("What is a Tern?") is None


def test_nearest_is_the_best_of_all_even_beyond_the_first_block() -> None:
    axis = np.eye(100, dtype=np.float32)
    known, _ = mill()
    context = context_of(
        known,
        lambda questions: np.stack([axis[ord(question) - 1000] for question in questions]) if questions else axis[:0],
    )
    for n in range(99):
        context.accepted.add(chr(1000 + n))
    for n in (0, 63, 64, 98):
        assert context.accepted.nearest(chr(1000 + n)) == (1.0, chr(1000 + n))
    found = context.accepted.nearest(chr(1099))
    assert found is not None
    assert found[0] == 0.0


def test_questions_are_encoded_once() -> None:
    calls: list[list[str]] = []

    def encode(questions: Sequence[str]) -> NDArray[np.float32]:
        calls.append(list(questions))
        return encoder()(questions)

    context = context_of(mill()[0], encode)
    context.vectors.add([SAME, FAR, SAME])
    context.vectors.of(SAME)
    context.accepted.add(FAR)
    assert calls == [[SAME, FAR]]


def test_the_cosines_of_a_question_do_not_depend_on_the_order() -> None:
    page = Page("a.md")
    for n in range(3):
        page.say(p("subject", f"mill {n}", NAMED), v("employ", "employs"), p("object", f"{n} smiths"))
    known = knowledge(page, vectors=np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32))
    questions = [f"How many smiths has mill {n}?" for n in range(150)]

    def encode(asked: Sequence[str]) -> NDArray[np.float32]:
        angles = [questions.index(question) / 100 for question in asked]
        return np.array([[np.cos(angle), np.sin(angle)] for angle in angles], np.float32)

    context = context_of(known, encode)
    context.vectors.add(questions[:140])  # the rest is encoded when it is asked about
    for n in (0, 139, 63, 64, 149, 5, 141):
        c, s = np.cos(n / 100), np.sin(n / 100)
        assert context.ranking.cosines(questions[n]) == pytest.approx([c, s, 0.6 * c + 0.8 * s], abs=1e-6)


def test_a_chunk_without_a_vector_is_ranked_below_all_others() -> None:
    page = Page("a.md")
    for n in range(3):
        page.say(p("subject", f"mill {n}", NAMED), v("employ", "employs"), p("object", f"{n} smiths"))
    known = knowledge(page, vectors=np.array([[1, 0], [0, 0], [-0.6, 0.8]], np.float32))
    context = context_of(known, lambda asked: np.array([[1, 0]] * len(asked), np.float32))
    assert context.ranking.cosines(GOOD).tolist() == pytest.approx([1, -1, -0.6])


def test_scores_are_added_and_rounded() -> None:
    entry, _ = simple(GOOD)
    item = with_scores(with_scores(entry.item, share=0.123456), rank=3)
    assert item.metadata["scores"] == {"quality": 0.5, "share": 0.1235, "rank": 3.0}
    assert entry.item.metadata["scores"] == {"quality": 0.5}


@pytest.mark.parametrize(("question", "leaks"), [("Who are the 9 smiths?", True), ("Who are the smiths?", False)])
def test_a_number_leaks_however_it_is_written(question: str, leaks: bool) -> None:
    verdict = by_words.check_leaking(*simple(question, "nine"))
    assert verdict == Rejection("leaking", "contains 9 of the answer", 1.0, 0.5) if leaks else isinstance(verdict, Item)


def test_a_number_in_words_does_not_leak_into_how_many() -> None:
    for number in ("nine", "three", "sixty", "twenty-five", "12", "2 Million"):
        assert isinstance(by_words.check_leaking(*simple(GOOD, f"{number} smiths")), Item), number

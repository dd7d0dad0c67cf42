"""Each threshold and limit of the filters, of quality and of selection, moved so that the outcome changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from desk import desk
from doubles import context_of
from planted import knowledge_of
from planted_facts import Page, candidate, encoder, knowledge, p, v
from scripted_model import Asked, Faithful, Twice, passages, proposal, proposals, quoted_text
from scripted_model import alone as alone_reply
from test_filters_rules import FAR, NAMED, SAME, judged_by, mill, planted_bench
from test_selection import item

from kgsynth.base.config import Config
from kgsynth.base.progress import Stage, silent
from kgsynth.base.records import Block, Document, Item, Rejection, Scenario, Section
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.asking import verdicts
from kgsynth.generation.asking.ways import FULL
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.filters import by_vector, by_words
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.run import Run
from kgsynth.generation.scenarios import find_scenarios
from kgsynth.generation.scenes import Scene
from kgsynth.generation.selection import select
from kgsynth.generation.writing import Candidate, compose
from kgsynth.models.llm import Failure
from kgsynth.models.llm.prompts import read

Move = Callable[[str, float], None]
Verdict = Rejection | Item
Judge = Callable[[Candidate, Any], Verdict]

GUILDS = """# Guilds

Ada Lind founded the River Guild in 1961.

Rain is rare here.

Tom Berg leads the Harbour Trust.

Bread is cheap.

Eva Holm chairs the Bridge Society.
"""


def written(known: Knowledge, subtype: str, question: str) -> Candidate:
    """The candidate with this question, as the writers make it."""
    return next(
        each for each in compose(EVOLUTIONS[subtype](known), known, every_form=True) if each.item.question == question
    )


# ---- thresholds of the rules -------------------------------------------------------------------------


def by_rule(judge: Judge, entry: Candidate, known: Knowledge) -> Callable[[str, float], Verdict]:
    """Judge a candidate with one threshold moved."""
    return lambda rule, threshold: judge(entry, context_of(known, encoder(), {rule: threshold}))


def planted(judge: Judge, question: str, answer: str = "nine old smiths") -> Callable[[str, float], Verdict]:
    """Judge a question about "The Salina mill employs nine old smiths"."""
    known, fact = mill()
    return by_rule(judge, candidate(known, Scenario("simple", "factoid", (fact,), 1), question, answer), known)


def unanswerable(judge: Judge, more: str = "") -> Callable[[str, float], Verdict]:
    """Judge a question about who founded the River Guild, asked of the founder of nothing."""

    def judged(rule: str, threshold: float) -> Verdict:
        question = "In which year did Tom Berg found the River Guild?"
        entry = written(knowledge_of({"guilds.md": GUILDS}), "swapped_entity", question)
        known = knowledge_of({"guilds.md": GUILDS, **({"more.md": more} if more else {})})
        return by_rule(judge, entry, known)(rule, threshold)

    return judged


def a_rival_with_some_of_the_words(rule: str, threshold: float) -> Verdict:
    """One page says how long logs are kept in Oslo, another how long they are kept."""
    pages = Page("a.md"), Page("b.md")
    oslo = p("place", "in Oslo cellars", NAMED, "in")
    logs, keep = p("subject", "access logs", "nominal modified"), v("keep", "are kept", "VBP", passive=True)
    fact = pages[0].say(logs, keep, p("time", "for five years", "nominal number", "for"), oslo)
    pages[1].say(logs, keep, p("time", "for ten years", "nominal number", "for"))
    known = knowledge(*pages)
    entry = candidate(known, Scenario("simple", "factoid", (fact,), 1), "For how long are access logs kept?")
    return by_words.check_ambiguous(entry, context_of(known, encoder(), {rule: threshold}))


def second_of(vectors: dict[str, list[float]]) -> Callable[[str, float], Verdict]:
    """Judge the second question after the first was accepted."""

    def judge(rule: str, threshold: float) -> Verdict:
        context, (one, two) = planted_bench(vectors)
        context = context_of(context.knowledge, context.vectors.rows, {rule: threshold})
        by_vector.check_duplicate(one, context)
        return by_vector.check_duplicate(two, context)

    return judge


def likely_asked(rule: str, threshold: float) -> Verdict:
    """A question of a language model, which finds it as likely to be asked as three of five."""
    reply = read(alone_reply(1, likely_asked=3), verdicts.AloneReply)
    return verdicts.judge_alone([item("a", "simple")], reply, threshold)[0]


def knows_partly(rule: str, threshold: float) -> Verdict:
    """A question whose answer a language model knows in part: 3 of its 4 words are in the 5 of the golden answer."""

    class Knowing(Faithful):
        def judge_alone(self, asked: Asked) -> str:
            return alone_reply(1, answer=PARTLY, known=True)

        def write(self, asked: Asked) -> str:
            quote = "since dark colours alarm the bees"
            return proposals(proposal("Why do members wear white suits?", quote, (1, f"white suits {quote}")))

    page = desk().knowledge.documents["bees.md"]
    scene = Scene("simple", "section_fact", (page.span(0, len(page.text)),))
    author, _ = desk().author(Knowing(), n=1, drop_closed_book=True, context=desk().context(**{rule: threshold}))
    with silent("asking", 1) as progress:
        author.fill({"simple": [scene]}, progress)
    return author.asked.accepted[0] if author.asked.accepted else author.asked.rejected[-1][1]


PARTLY = "colours alarm bees and dogs"  # 2 · 3 / 9 = 0.6667


REPEATED = "The old mill in the valley of Salina employs whom?"  # nine of its ten words repeat the evidence


def repeats(rule: str, threshold: float) -> Verdict:
    page = Page("a.md")
    subject = p("subject", "the old mill in the valley of Salina", NAMED)
    fact = page.say(subject, v("employ", "employs"), p("object", "nine smiths", "nominal number"))
    known = knowledge(page)
    entry = candidate(known, Scenario("simple", "factoid", (fact,), 1), REPEATED, "nine smiths")
    return by_words.check_copied(entry, context_of(known, encoder(), {rule: threshold}))


THRESHOLDS: dict[str, tuple[Callable[[str, float], Verdict], float, float]] = {
    "leaking": (planted(by_words.check_leaking, "Who are the nine old people of Salina?"), 0.7, 0.66),
    "copied": (repeats, 0.91, 0.9),
    "answerable": (planted(by_words.check_answerable, "Which smiths painted green boats around Salina?"), 0.33, 0.34),
    "ambiguous": (a_rival_with_some_of_the_words, 0.9, 0.3),
    "absent": (unanswerable(by_words.check_absent, "# More\n\nThe old man founded a guild in 1950.\n"), 0.9, 0.3),
    "hopeless": (lambda rule, limit: judged_by([0.1, 0.5, 0.4, 0.3], rivals=(1, 2, 3), **{rule: limit}), 4, 3),
    "asked": (likely_asked, 0.6, 0.61),
    "closed_book": (knows_partly, 0.67, 0.66),
    "near": (unanswerable(by_vector.check_difficulty), 0.75, 0.1),
    "answered": (planted(by_vector.check_answered, "How many smiths does the Gdynia mill not employ?"), 0.0, 0.5),
    "duplicate": (second_of({SAME: [1, 0, 0], SAME.replace(" today", ""): [0, 1, 0]}), 0.95, 0.6),
    "paraphrase": (second_of({SAME: [1, 0, 0], FAR: [0.9, 0.436, 0]}), 0.95, 0.85),
}
"""Rule -> how to judge with its threshold at a value, a value at which a candidate passes, one at which it fails."""


def test_every_threshold_is_moved() -> None:
    assert list(THRESHOLDS) == list(DEFAULT_THRESHOLDS)


@pytest.mark.parametrize("rule", DEFAULT_THRESHOLDS)
def test_a_moved_threshold_changes_the_verdict(rule: str) -> None:
    judge, passing, failing = THRESHOLDS[rule]
    assert isinstance(judge(rule, passing), Item)
    rejection = judge(rule, failing)
    assert isinstance(rejection, Rejection) and rejection.threshold == failing


# ---- limits of the rules -----------------------------------------------------------------------------


def test_copies_of_the_evidence_are_kept_up_to_a_number(move: Move) -> None:
    known = knowledge_of({f"{year}.md": "Access logs are kept for five years.\n" for year in (2021, 2022, 2023, 2024)})
    fact = known.statements.facts[0]
    place = next(n for n, phrase in enumerate(fact.phrases) if phrase.role == "time")
    entry = candidate(known, Scenario("simple", "factoid", (fact,), place), "For how long are access logs kept?")

    def documents() -> list[str]:
        judged = by_words.check_ambiguous(entry, context_of(known, encoder()))
        assert isinstance(judged, Item)
        return [span.doc for span in judged.evidence[0]]

    assert len(documents()) == 4
    move("evidence_copies", 1)
    assert documents() == ["2021.md", "2022.md"]


@pytest.mark.parametrize(
    "moved",
    [lambda move: move("answer_gap_chars", 5), lambda move: move("answer_gap_words", 0)],
    ids=["chars", "words"],
)
def test_the_next_verb_shows_that_an_answer_is_complete_if_it_is_near(
    moved: Callable[[Move], None], move: Move
) -> None:
    known = knowledge_of({"a.md": "# Notes\n\nThe Oslo laboratory calibrates the Pike sensor and sells it.\n"})
    entry = written(known, "factoid", "Which sensor does the Oslo laboratory calibrate?")
    context = context_of(known, encoder())
    assert isinstance(by_words.check_answerable(entry, context), Item), (
        "'sells' begins 5 characters and one word after it"
    )
    moved(move)
    assert by_words.check_answerable(entry, context) == Rejection(
        "answerable", "the sentence continues the answer: 'and sells it.'"
    )


COUNTRIES = """# Notes

## Norway

New employees get nine blue books every May.

## Portugal

Everyone rests in August.

## Carrying over

Rest lapses in March.
"""


@pytest.mark.parametrize(
    "moved",
    [
        lambda move: move("name_heading_words", 0),
        lambda move: move("name_headings_min", 3),
        lambda move: move("name_heading_share", 0.7),
    ],
    ids=["words", "number", "share"],
)
def test_two_of_three_headings_of_a_word_are_a_list_of_names(moved: Callable[[Move], None], move: Move) -> None:
    known = knowledge_of({"a.md": COUNTRIES})
    entry = written(known, "factoid", "How many blue books do new employees get every May?")
    rejection = by_words.check_self_contained(entry, context_of(known, encoder()))
    assert isinstance(rejection, Rejection) and "'Norway'" in rejection.detail
    moved(move)
    assert isinstance(by_words.check_self_contained(entry, context_of(known, encoder())), Item)


@pytest.mark.parametrize(
    ("limit", "value", "found", "before", "after"),
    [("easy_found", 0.95, 0.92, "easy", "medium"), ("medium_found", 0.5, 0.55, "hard", "medium")],
)
def test_difficulty(
    limit: str, value: float, found: float, before: str, after: str, move: Move, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FilterContext, "found", lambda *_: found)

    def difficulty() -> str:
        judged = judged_by([0.8, 0.75, 0.5])
        assert isinstance(judged, Item)
        return judged.difficulty

    assert difficulty() == before
    move(limit, value)
    assert difficulty() == after


@pytest.mark.parametrize(
    ("moved", "after"),
    [
        (lambda move: move("hard_negatives", 1), [2]),
        (lambda move: move("hard_negatives_from", 1), []),  # only chunk 1 is looked at, which is too similar
        (lambda move: move("hard_negative_cosine", 0.99), [1, 2, 3]),  # 0.88 is below 0.99 · 0.9
    ],
    ids=["number", "pool", "cosine"],
)
def test_hard_negatives(moved: Callable[[Move], None], after: list[int], move: Move) -> None:
    def found() -> list[int]:
        judged = judged_by([0.9, 0.88, 0.5, 0.4])
        assert isinstance(judged, Item)
        return [int(span.text.split()[1]) for span in judged.hard_negatives]

    assert found() == [2, 3], "0.88 is above 0.95 · 0.9"
    moved(move)
    assert found() == after


def scenarios_of_a_subtype() -> int:
    """The most scenarios of one subtype that are drawn for a set of 1."""

    def timed(name: str, total: int | None = None) -> AbstractContextManager[Stage]:
        return silent(name, total)

    walked = find_scenarios(desk().knowledge, cast(Run, SimpleNamespace(config=Config(n=1), stage=timed)))
    return max(Counter(scenario.subtype for scenario in walked).values())


def test_scenarios_are_drawn_for_the_size_of_the_set(move: Move) -> None:
    assert scenarios_of_a_subtype() > 15, "1500 + 15 are more than there are"
    move("scenarios_min", 0)
    assert scenarios_of_a_subtype() == 15
    move("scenarios_per_question", 4)
    assert scenarios_of_a_subtype() == 4


def test_an_llm_is_tried_on_a_number_of_questions_for_each_one_wanted(move: Move) -> None:
    def tried() -> int:
        return len(desk().ask(lambda asked: Failure("no"), n=1, mix={"simple": 1.0}, way=FULL)[0].scenes)

    assert tried() == 3
    move("llm_tries", 2)
    assert tried() == 2


def test_more_is_accepted_than_wanted(move: Move) -> None:
    assert len(desk().ask(Twice(), n=4, mix={"simple": 1.0}, way=FULL)[0].accepted) > 4
    move("asked_over", 1.0)
    assert len(desk().ask(Twice(), n=4, mix={"simple": 1.0}, way=FULL)[0].accepted) == 4


def test_a_few_scenes_are_finished_before_the_next_are_begun(move: Move) -> None:
    def batches() -> int:
        prompts = desk().ask(Faithful(), n=4, mix={"simple": 1.0}, way=FULL)[1].prompts
        return sum(prompt.stage == "judging questions" for prompt in prompts)

    assert batches() == 2, "four, and one more to choose from"
    move("scenes_at_once", 2)
    assert batches() == 4, "two, two, and as many again at least"


def test_questions_on_the_same_documents_are_shown_so_that_they_are_not_repeated(move: Move) -> None:
    def shown() -> int:
        mix = {"simple": 0.5, "reasoning": 0.5}
        prompts = desk().ask(Faithful(), n=6, mix=mix)[1].prompts
        return max(len(quoted_text(prompt, "asked").splitlines()) for prompt in prompts if prompt.stage == "writing")

    move("scenes_at_once", 1)
    assert shown() == 1, "there are two questions on a page, of which the first is shown for the second"
    move("asked_in_prompt", 0)
    assert shown() == 0


def test_a_type_of_which_few_scenes_give_a_question_is_given_up(move: Move) -> None:
    def tried() -> int:
        return len(desk().ask(lambda asked: proposals(), n=3, mix={"simple": 1.0}, way=FULL)[0].scenes)

    assert tried() == 2 * 4, "two rounds for four questions"
    move("llm_patience", 4)
    assert tried() == 4


def test_a_prompt_has_some_titles_and_rivals(move: Move) -> None:
    def counts() -> tuple[int, int]:
        prompts = desk().ask(Faithful(), n=1, mix={"simple": 1.0}, way=FULL)[1].prompts
        told = next(prompt for prompt in prompts if prompt.stage == "verifying")
        return len(quoted_text(prompts[0], "titles").splitlines()), len(passages(told))

    assert counts() == (12, 3 * (1 + 3 + 3)), "three questions in a request"
    move("titles_in_prompt", 2)
    move("rivals_in_prompt", 1)
    assert counts() == (2, 3 * (1 + 1 + 1))


# ---- selection ---------------------------------------------------------------------------------------


def found(each: Item, share: float) -> Item:
    return replace(each, metadata={"scores": {**each.metadata["scores"], "found": share}})


def kept(one: Item, keep: float) -> Item:
    return replace(one, metadata={"scores": {**one.metadata["scores"], "keep": keep}})


def page(words: int, *sections: int) -> Document:
    """A document of so many words, with sections that begin at these offsets."""
    text = "word " * words
    starts = (0, *sections)
    ends = (*sections, len(text))
    made = [Section(f"s{a}", "a.md", "A", 1, ("A",), a, b) for a, b in zip(starts, ends, strict=True)]
    return Document("a.md", text, "A", "md", "", (Block("paragraph", 0, len(text), text, ((0, 0),)),), tuple(made))


A = item("a", "a.md", quality=0.9)
APART = np.array([[1.0, 0.0], [0.99, 0.14], [0.0, 1.0]], np.float32)
CHOICES: dict[str, tuple[Callable[[Move], None], list[Item], dict[str, Any]]] = {
    # 0.9 - 0.6 - 0.2 (the section too) < 0.5
    "document": (
        lambda move: move("document_penalty", 0.1),
        [A, item("b", "a.md", quality=0.9), item("c", "c.md", quality=0.5)],
        {},
    ),
    # 0.8 - 0.2 < 0.7
    "section": (
        lambda move: move("section_penalty", 0.05),
        [A, item("b", quality=0.8, start=10), item("c", quality=0.7, start=60)],
        {"documents": {"a.md": page(20, 50)}},
    ),
    # 0.8 - 0.3 < 0.6
    "subtype": (
        lambda move: move("subtype_penalty", 0.1),
        [A, item("b", "b.md", quality=0.8), item("c", "c.md", subtype="definition", quality=0.6)],
        {},
    ),
    # 0.8 - 0.5 · 0.99 < 0.6
    "similarity": (
        lambda move: move("similarity_penalty", 0.1),
        [A, item("b", "b.md", quality=0.8), item("c", "c.md", quality=0.6)],
        {"vectors": APART},
    ),
    # 0.8 < 0.5 · (1 + 1.0 · 4 · 0.2 · 0.8) = 0.82
    "natural": (
        lambda move: move("natural_information", 0.9),
        [A, item("b", "b.md", quality=0.8), found(item("c", "c.md", quality=0.5), 0.2)],
        {},
    ),
    # 0.8 < 0.25 · (1 + 4.0 · 4 · 0.2 · 0.8) = 0.89
    "hard": (
        lambda move: move("hard_information", 3.0),
        [A, item("b", "b.md", quality=0.8), found(item("c", "c.md", quality=0.25), 0.2)],
        {"difficulty": "hard"},
    ),
    # 8 · 0.8 - 0.6 > 8 · 0.7, and 4 · 0.8 - 0.6 < 4 · 0.7: the section too
    "keep": (
        lambda move: move("keep_weight", 12.0),
        [kept(A, 0.9), kept(item("b", "a.md"), 0.79), kept(item("c", "c.md"), 0.7)],
        {},
    ),
    # 0.8 - 0.2 < 0.65
    "short_document": (
        lambda move: move("short_document_penalty", 0.1),
        [A, item("b", "b.md", quality=0.8), item("c", "c.md", quality=0.65)],
        {"documents": {"a.md": page(150), "b.md": page(149), "c.md": page(150)}},
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_another_weight_lets_the_second_best_in(case: str, move: Move) -> None:
    moved, items, more = CHOICES[case]

    def chosen() -> list[str]:
        return [each.id for each in select(items, 2, {"simple": 1.0}, **more)[0]]

    assert chosen() == ["a", "c"]
    moved(move)
    assert chosen() == ["a", "b"]


def test_a_set_takes_a_few_questions_on_one_table(move: Move) -> None:
    cells = [item(f"cell{n}", quality=9.0, subtype="look_up", start=10 * n) for n in range(6)]
    other = item("other", "c.md", quality=-9.0)

    def chosen() -> list[str]:
        return sorted(each.subtype for each in select([*cells, other], 6, {"simple": 1.0})[0])

    assert chosen() == ["factoid", *["look_up"] * 4]
    move("series_max", 6)
    assert chosen() == ["look_up"] * 6

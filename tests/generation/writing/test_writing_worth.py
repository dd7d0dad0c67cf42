"""Which questions on sentences are written: forms that people ask, and near misses that nobody would ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import knowledge_of

from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.language.english.question_checks import odd_form

Move = Callable[[str, float], None]


def written(text: str, subtype: str, title: str = "The Oslo depot") -> dict[str, str]:
    """Return the questions of a subtype on a page, with their answers."""
    known = knowledge_of({"a.md": f"# {title}\n\n{text}"})
    found = compose(EVOLUTIONS[subtype](known), known)
    return {each.item.question: each.item.golden_answers[0] for each in found if "plain" not in each.item.metadata}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The Oslo depot opened in 1931.", "In which year did the Oslo depot open?", "1931"),
        ("The Oslo depot was designed by Ada Lovelace.", "Who designed the Oslo depot?", "Ada Lovelace"),
        (
            "Oslo paper is made from the bark of mulberry trees.",
            "What is Oslo paper made from?",
            "the bark of mulberry trees",
        ),
        ("The Oslo depot keeps nine barrels.", "How many barrels does the Oslo depot keep?", "nine barrels"),
    ],
)
def test_a_name_a_date_a_number_and_a_material_are_asked_for(text: str, question: str, answer: str) -> None:
    assert written(text, "factoid").get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "The Oslo depot keeps copper barrels.",  # "What does the Oslo depot keep?"
        "Several engineers of Oslo like the Pike pump.",  # "What do several engineers like?"
        "The Pike pump was not calibrated by Ada Lovelace.",  # nobody asks what is not so
        "The Oslo depot has a large yard in Norway.",  # "What does the Oslo depot have?"
    ],
)
def test_a_sentence_turned_round_is_no_factoid(text: str) -> None:
    assert not any(question.startswith("What") for question in written(text, "factoid"))


def test_the_title_of_a_page_is_not_asked_for() -> None:
    asked = written("Oslo won the Pike cup in 1931.", "factoid", "Oslo")
    assert asked and "Oslo" not in asked.values()


def test_advice_for_a_purpose_is_asked_for_as_the_way_to_do_it() -> None:
    text = "To share a sensitive Oslo file, use the Pike vault. You can open the Pike pump to drain the Oslo harbour."
    asked = written(text, "factoid")
    assert asked["How do you share a sensitive Oslo file?"] == "use the Pike vault"
    assert asked["How can you drain the Oslo harbour?"] == "open the Pike pump"
    assert not written("Use the Pike vault to help you achieve this.", "factoid")


def test_a_purpose_is_asked_for_as_a_use() -> None:
    asked = written("Use the Pike vault to store paper records.", "use")
    assert asked == {"What can the Pike vault be used for?": "to store paper records"}


def test_a_denial_that_holds_for_two_verbs_is_no_cause() -> None:
    text = "Oslo cells are not recognized and attacked by Pike cells because they carry the Oslo antigen."
    assert not [question for question in written(text, "cause") if question.startswith("Why are")]


def test_a_duty_under_a_condition_is_asked_for_and_a_wish_is_not() -> None:
    text = "If the Pike sensor fails, the duty engineer must ring the Oslo laboratory."
    asked = written(text, "explicit")
    assert asked["What must the duty engineer do if the Pike sensor fails?"] == "ring the Oslo laboratory"
    assert asked["When must the duty engineer ring the Oslo laboratory?"] == "if the Pike sensor fails"
    assert written("Your Oslo code will run if you do this.", "explicit") == {}
    assert not any(q.startswith("When") for q in written("The Pike pump stops if the Oslo tank is full.", "explicit"))


def test_a_definition_goes_to_the_end_of_its_sentence() -> None:
    asked = written("A Pike pump is a machine that lifts water, which Oslo needs.", "definition", "Pike pumps")
    assert asked == {"What is a Pike pump?": "a machine that lifts water, which Oslo needs"}


@pytest.mark.parametrize(
    "text",
    ["A Pike pump is an important part of the Oslo harbour.", "The Pike pump is the most common pump of Oslo."],
)
def test_praise_and_belonging_are_no_definitions(text: str) -> None:
    assert written(text, "definition", "Pike pumps") == {}


def asked_on(text: str, subtype: str, title: str = "Notes", *more: str) -> set[str]:
    """Return the questions of a subtype on a page of a folder, whose other pages are given as ``more``."""
    pages = {"a.md": f"# {title}\n\n{text}"} | {f"{n}.md": page for n, page in enumerate(more)}
    known = knowledge_of(pages)
    found = compose(EVOLUTIONS[subtype](known), known)
    return {each.item.question for each in found if "plain" not in each.item.metadata}


CONDITION = "If a large upload is rejected, the server writes a warning to its log."


def test_a_question_without_a_name_is_asked_in_the_scope_of_its_page() -> None:
    about = "Uploads with Pikeform are small. With Pikeform, the harbour has a log.\n\n"
    asked = asked_on(about + CONDITION, "explicit", "Pikeform")
    assert "With Pikeform, what happens if a large upload is rejected?" in asked
    assert "What happens if a large upload is rejected?" not in asked


def test_a_question_without_a_name_and_without_a_scope_is_not_asked() -> None:
    assert asked_on(CONDITION, "explicit") == set()


def test_words_of_the_title_say_what_a_question_is_about() -> None:
    asked = asked_on(CONDITION, "explicit", "Rejected uploads")
    assert "What happens if a large upload is rejected?" in asked


def test_the_party_of_a_contract_is_no_name() -> None:
    text = "If the Partner breaks a seal, the Partner must pay a fine within ten days."
    assert asked_on(text, "explicit") == set()


@pytest.mark.parametrize(
    ("text", "subtype"),
    [
        ("The Pike command prints a message.", "factoid"),  # an answer without content
        ("Ada Lovelace was a famous writer of Oslo.", "factoid"),  # "What was Ada Lovelace?"
        ("The Oslo depot also uses Pike paper to store old records.", "use"),  # one use of several
        ("Stage 3 is the final step of the Oslo bill.", "definition"),  # a stage of what?
        ("If the Pike sensor of Oslo fails, great care must be taken.", "explicit"),  # advice, nothing that happens
        ("If your Oslo project is on Pike, you can use Pike locks.", "explicit"),  # one of many things
        ("If you like the Oslo pump and its colour, you should tell Ada Lovelace.", "explicit"),  # a pronoun
    ],
)
def test_odd_forms_are_not_written(text: str, subtype: str) -> None:
    asked = written(text, subtype)
    bad = ("What does", "Who leads", "Which guild", "When was the Oslo fort", "What was", "What is", "Why does")
    assert not [
        question for question in asked if question.startswith((*bad, "What happens", "What can", "What should"))
    ]


def test_what_is_mentioned_often_has_other_uses() -> None:
    text = "Use the Pike vault to store paper records."
    often = " ".join(f"The Pike vault has room {n}." for n in range(12))
    assert written(text, "use") == {"What can the Pike vault be used for?": "to store paper records"}
    assert written(f"{text} {often}", "use") == {}


def test_a_condition_of_few_words_says_little(move: Move) -> None:
    text = "If the Oslo pump stops, the Pike tank overflows."
    assert "What happens if the Oslo pump stops?" in written(text, "explicit")
    move("event_min_words", 4)
    assert "What happens if the Oslo pump stops?" not in written(text, "explicit")


def test_words_of_content_say_what_a_question_is_about(move: Move) -> None:
    asked = "What happens if a large upload is rejected?"
    assert asked in asked_on(CONDITION, "explicit", "Rejected uploads")
    move("prose_telling", 9)
    assert asked not in asked_on(CONDITION, "explicit", "Rejected uploads")
    move("prose_telling_alone", 2)
    assert asked in asked_on(CONDITION, "explicit")


def test_the_mentions_of_a_thing_are_counted(move: Move) -> None:
    text = "Use the Pike vault to store paper records. The Pike vault is dry."
    assert written(text, "use")
    move("purpose_mentions", 1)
    assert written(text, "use") == {}


def test_an_event_is_asked_about_only_if_it_is_the_topic_of_its_page() -> None:
    text = "The Pike Institute released its index in 1995."
    asked = written(text, "factoid", "The Pike Institute")
    assert "In which year did the Pike Institute release its index?" in asked
    assert written(text, "factoid", "Salt") == {}


@pytest.mark.parametrize(
    ("text", "subtype", "reason"),
    [
        ("Oslo tasks will still end when a Pike limit is in effect.", "explicit", "the condition changes nothing"),
        ("A list of content-types/serializers to allow for the Oslo result backend.", "purpose", "no verb"),
        ("The Oslo guild of salt is led by Ada Lovelace.", "cause", "a leader is no cause"),
        ("Long Oslo strikes can lead to a Pike crisis of trade.", "cause", "many things can"),
        ("Long Oslo strikes resulted in the Pike crisis.", "cause", "nobody asks 'What resulted in'"),
        ("The Oslo and Pike commands behave identically for moving lamps.", "purpose", "'for moving' gives no reason"),
        ("Multiple Oslo filters can be used to find a Pike lamp.", "use", "which filters?"),
        ("Clicking lamps clears the Oslo yard until the Pike pump is run again.", "explicit", "a moment"),
        ("If you have built several Oslo pumps, you can use the Pike list of pumps.", "explicit", "one possibility"),
        ("If you record an Oslo bill, you should do so with one Pike entry.", "explicit", "'so' points back"),
        ("If the Oslo router is in Pike mode, dragging with this command moves lamps.", "explicit", "which command?"),
        ("If the Oslo rate is a Pike split, lamps may also be lost.", "explicit", "one of several outcomes"),
    ],
)  # fmt: skip
def test_what_is_misread_or_no_answer_by_itself_is_not_asked(text: str, subtype: str, reason: str) -> None:
    assert written(text, subtype) == {}, reason


def test_has_enabled_around_its_object_is_no_verb_group() -> None:
    text = (
        "The Symbol Properties dialog must be used to edit a field that is empty or has the invisible Oslo attribute "
        "enabled because hidden fields cannot be clicked on."
    )
    assert not [question for question in written(text, "cause", "Symbols") if question.startswith("Why has")]


def test_a_purpose_between_how_many_and_the_verb_is_odd() -> None:
    asked = "How many tables to store data does Celery create?"
    assert odd_form(asked, "two tables to store data") == "a purpose of what is counted"
    assert odd_form("How many tables does Celery create to store data?", "two tables") == ""


def test_an_answer_that_ends_in_a_dash_is_cut_off() -> None:
    assert odd_form("What happens if the pump fails?", "the tank is full -") == "answer cut wrongly"


TAB = "Source tab is used to assign a Pike power model."


def test_a_counted_noun_has_its_article() -> None:
    assert written(TAB, "use", "Source tab") == {"What is source tab used for?": "to assign a Pike power model"}
    assert written(f"{TAB} A lamp has a tab.", "use", "Source tab") == {}
    assert written(f"{TAB} Lamps have tabs. The tab is red and tab is blue.", "use", "Source tab") == {}
    assert written(f"{TAB} The tab is red. Ada opens the tab.", "use", "Source tab") == {}
    tools = "Human-centered design is used to find better Oslo lamps. We like human-centered design and a good lamp."
    assert "What is human-centered design used for?" in written(tools, "use", "Human-centered design")


def test_a_title_in_capitals_keeps_its_first() -> None:
    text = "Accounts Receivable are used to record Oslo sales on credit."
    assert list(written(text, "use", "Accounts Receivable")) == ["What are Accounts Receivable used for?"]


# ---- rules that a page lays down for people in general -----------------------------------------------

RULES = """
You may carry over up to five days. Your line manager must answer within 5 working days.
Drivers must give notice of a week. Sick pay is paid for three months.
Shift premium is included only if you are on a fixed roster.
A limit can be lifted for up to 14 days by the Head of Finance. You upload receipts by the 12th.
Claims older than three months are not paid unless the Head of Safety explains why.
"""


@pytest.mark.parametrize(
    ("title", "question", "answer"),
    [
        (
            "Annual leave (2024)",
            "Under the rules on annual leave, how many days may you carry over?",
            "up to five days",
        ),
        (
            "Asking, buying, selling",
            "Under the rules on asking, buying and selling, within what time must your line manager answer?",
            "5 working days",
        ),
        ("Code of conduct", "Under the code of conduct, by when do you upload receipts?", "the 12th"),
        (
            "Purchasing cards",
            "Under the rules on purchasing cards, who can lift a limit for up to 14 days?",
            "the Head of Finance",
        ),
    ],
)
def test_a_rule_for_people_in_general_is_asked_with_the_topic_of_its_page(
    title: str, question: str, answer: str
) -> None:
    assert written(RULES, "factoid", title).get(question) == answer


def test_the_topic_is_named_once_and_only_where_rules_are_laid_down() -> None:
    named = written(
        RULES.replace("carry over up to five days", "carry over up to five days of annual leave"),
        "factoid",
        "Annual leave",
    )
    assert "How many days of annual leave may you carry over?" in named
    for title in ("Notes", "How we work", "Getting started"):
        assert not any("rules on" in question for question in written(RULES, "factoid", title)), title
    prose = RULES + "The yard is old. " * 40
    assert not any("rules on" in question for question in written(prose, "factoid", "Annual leave"))


def test_the_conditions_of_rules_are_asked_about() -> None:
    asked = written(RULES, "explicit", "Overtime")
    assert asked["Under the rules on overtime, when is shift premium included?"] == "only if you are on a fixed roster"
    claims = "what happens to claims older than three months unless the Head of Safety explains why?"
    assert asked[f"Under the rules on overtime, {claims}"] == "are not paid"


def test_an_answer_to_what_happens_runs_to_the_end_of_its_sentence() -> None:
    text = (
        "If you have bought more pumps than you sold, the difference comes out of the last pay, at a rate of 2 a day. "
    )
    asked = written(text + RULES, "explicit", "Annual leave")
    question = "Under the rules on annual leave, what happens if you have bought more pumps than you sold?"
    assert asked[question] == "the difference comes out of the last pay, at a rate of 2 a day"

"""Questions that headings ask: which headings ask, what answers them, and in whose scope they are asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import knowledge_of

from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.language.english.forms import heading_question, topic_question

Move = Callable[[str, float], None]

HOW = "Open the settings page and select the key. Then click Rotate and wait until the new key is shown."


def asked(texts: str | dict[str, str], subtype: str = "page_question") -> list[str]:
    return [candidate.item.question for candidate in written(texts, subtype)]


def answers(texts: str | dict[str, str], subtype: str = "page_question") -> list[str]:
    return [candidate.item.golden_answers[0] for candidate in written(texts, subtype)]


def written(texts: str | dict[str, str], subtype: str) -> list:  # type: ignore[type-arg]
    knowledge = knowledge_of({"a.md": texts} if isinstance(texts, str) else texts)
    return list(compose(EVOLUTIONS[subtype](knowledge), knowledge))


def page(heading: str, body: str = HOW, title: str = "Key policy of the company") -> str:
    return f"# {title}\n\nKeys are kept here.\n\n## {heading}\n\n{body}\n"


# ---- forms of headings -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("If you get locked out", "What should you do if you get locked out?"),
        ("Why not use a queue?", ""),
        ("How to rename a project?", "How do you rename a project?"),
        ("Updating a rack and having a plan", "How do you update a rack and have a plan?"),
    ],
)
def test_forms_of_headings_that_ask(heading: str, question: str) -> None:
    assert heading_question(heading) == question


@pytest.mark.parametrize(
    "heading",
    ["Working hours", "Coaching (individual)", "Split Horizontally", "Logging & monitoring",
     "Use your card when possible",
     "Naming is hard", "Telling GSA of travel, for holders", "If you are…", "Beware of the dog"],
)  # fmt: skip
def test_headings_that_name_no_task(heading: str) -> None:
    assert heading_question(heading) == ""


def test_a_compound_is_a_task_only_if_its_text_uses_the_verb_with_its_object() -> None:
    steps = "Start the virtual patch in log mode. Then open the report and compare it with the last one."
    assert asked(page("Testing security steps", steps)) == []
    told = "You should test security steps one by one. Then open the report and compare it with the last one."
    assert asked(page("Testing security steps", told)) == ["How do you test security steps?"]


def test_what_lacks_its_object_or_has_brackets_is_no_question() -> None:
    assert heading_question("Combining with signing keys") == ""
    assert heading_question("Connecting to signing keys") == "How do you connect to signing keys?"
    assert asked(page("Rotating a signing key (owners)")) == []
    assert asked(page("Rotating signing keys with the script", HOW.replace("key", "script"))) == [], "which script?"


# ---- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "Signing keys are secret and dear to us. A stolen signing key is dangerous for the whole company "
        "and its clients.",
        "See the guide on signing keys in the wiki, where all of the steps for each of the systems are given.",
        "This code rotates a signing key. Open the settings page and run it, then wait until it is done.",
        "Open the settings page and look at the signing key as described above. Then click Rotate.",
        "Let's rotate a signing key and open the settings page now.",
        "Open the settings page, select the signing key and press the button.",
        "Open the settings page for the signing key and post a message in {% channel %}. Then click Rotate.",
        "Open the settings page for the signing key. Then add the new key to the configuration:\n\n"
        "{* ../key.py *}\n\nRestart.",
        "It was proposed to rotate a signing key each day. Open the settings page, and the proposal is there.",
    ],
)
def test_what_is_no_answer_to_how(body: str) -> None:
    assert asked(page("Rotating a signing key", body)) == []
    assert asked(page("Rotating a signing key")) == ["How do you rotate a signing key?"]


def test_what_was_rejected_is_not_asked_about() -> None:
    assert asked(page("Rotating a signing key", title="Rejected ideas")) == []


def test_an_answer_ends_before_what_sends_the_reader_on() -> None:
    body = f"{HOW}\n\nSee also the page on keys.\n\nContinue to the tests."
    assert answers(page("Rotating a signing key", body)) == [HOW]


def test_an_answer_has_the_length_of_one(move: Move) -> None:
    text = page("Rotating a signing key")  # answered by 19 words
    assert asked(text)
    move("passage_min_words", 20)
    assert not asked(text)
    move("passage_min_words", 19)
    assert asked(text)
    move("answered_max_words", 18)
    assert not asked(text)


def test_a_section_that_answers_another_question_than_how_is_shorter(move: Move) -> None:
    text = page("What is a signing key?", "It proves who wrote a message. Nobody but its owner has got it.")
    assert asked(text)
    move("passage_max_words", 10)
    assert not asked(text)
    assert asked(page("Rotating a signing key"))


ASIDES = "A stolen signing key is dangerous. {} Note that you must be an owner. For example, Ada is one."


def test_the_answer_is_what_says_how_without_reasons_and_asides() -> None:
    told = "To rotate a signing key, open the settings page and click Rotate."
    [candidate] = written(page("Rotating a signing key", ASIDES.format(told)), "page_question")
    [[span]] = candidate.item.evidence
    assert (candidate.item.golden_answers, span.text) == ((told,), told)
    [step] = candidate.item.derivation["steps"]
    assert step["find"] == {"doc": "a.md", "start": span.start, "end": span.end}


def test_the_heading_is_evidence_if_the_answer_stands_right_below_it() -> None:
    [candidate] = written(page("Rotating a signing key", f"{HOW} A signing key is secret."), "page_question")
    [[span]] = candidate.item.evidence
    assert (candidate.item.golden_answers, span.text) == ((HOW,), f"## Rotating a signing key\n\n{HOW}")


def test_code_belongs_to_an_answer_that_leads_into_it() -> None:
    told = "You can rotate a signing key by a command of the console:"
    text = page("Rotating a signing key", f"{told}\n\n```\nzorvex keys rotate\n```\n\nThe old one expires in an hour.")
    assert answers(text) == [f"{told} zorvex keys rotate"]
    assert not answers(text.replace("zorvex keys rotate", "zorvex keys rotate " * 11)), "an example"


def test_numbered_steps_are_the_answer_however_they_are_introduced() -> None:
    body = (
        "A signing key is secret. The steps are:\n\n1. Open the settings page.\n2. Click Rotate.\n\nIt takes a minute."
    )
    [candidate] = written(page("Rotating a signing key", body), "page_question")
    assert candidate.item.golden_answers == ("1. Open the settings page. 2. Click Rotate.",)
    assert candidate.item.answer_kind == "steps"
    [[span]] = candidate.item.evidence
    assert span.text == "1. Open the settings page.\n2. Click Rotate."
    more = body.replace("It takes a minute", "Restart the server")
    assert asked(page("Rotating a signing key", more)) == [], "the last step is not in the list"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("Open the signing page. Select the key. Click Rotate. Enter the code. Restart the server.", "too many"),
        ("To rotate a signing key, open its page. A key is secret. You can rotate a signing key by mail.", "two ways"),
        ("To rotate a signing key, open its page.\n\nThen its owner is asked to confirm it.", "goes on"),
        ("Keys are of two kinds.\n\nTo rotate one of these signing keys, open its page.", "points back"),
        ("To delete all of them, open the settings page and rotate a signing key.", "another purpose"),
        ("You can rotate a signing key.", "says nothing new"),
        ("You can rotate a signing key by one of these:\n\n- the settings page\n- the command", "a list"),
        ("You can optionally rotate a signing key on its settings page.", "an option"),
    ],
)  # fmt: skip
def test_half_an_answer_is_none(body: str, why: str) -> None:
    assert asked(page("Rotating a signing key", body)) == [], why


def test_the_limits_of_an_answer(move: Move) -> None:
    text = page("Rotating a signing key")  # two sentences, 19 words
    assert asked(text)
    move("answer_run_words", 18)
    assert not asked(text)
    move("answer_run_words", 19)
    move("answer_run_sentences", 1)
    assert not asked(text)


def test_a_verdict_is_given_with_its_limits() -> None:
    text = page("Can you rotate a signing key?", "Yes, you can. It takes a minute. Keys are secret. We like keys.")
    assert answers(text) == ["Yes, you can. It takes a minute."]
    assert answers(text.replace("can. It", "can do so. It")) == ["Yes, you can do so."]
    limited = text.replace("It takes a minute", "However, only owners can")
    assert answers(limited) == ["Yes, you can. However, only owners can."]


def test_a_short_answer_is_given_as_a_whole() -> None:
    text = page("What is a signing key?", "It proves who wrote a message. Nobody but its owner has got it.")
    assert answers(text) == ["It proves who wrote a message. Nobody but its owner has got it."]
    assert not answers(text + "\nAsk for yours.\n")


def test_the_reason_is_given_without_the_advice() -> None:
    body = "A signing key is changed because it may be stolen. Store your key in a safe place of the company."
    [answer] = answers(page("Why is a signing key changed?", body), "page_reason")
    assert answer == "A signing key is changed because it may be stolen."


# ---- scope -----------------------------------------------------------------------------------------


def test_a_title_is_never_pasted_at_the_end() -> None:
    assert asked(page("Changing the valve", HOW.replace("key", "valve"), title="Pump maintenance policy")) == []


def test_the_product_of_the_folder_is_named_in_front() -> None:
    texts = {
        f"{n}.md": page(f"Rotating {kind} keys", f"In Zorvex, you can do it. {HOW}", title=f"{kind} keys in Zorvex")
        for n, kind in enumerate(("signing", "master"))
    }
    assert asked(texts) == [
        "In Zorvex, how do you rotate signing keys?",
        "In Zorvex, how do you rotate master keys?",
    ]


def test_a_heading_of_several_pages_is_asked_only_in_the_scope_that_tells_them_apart() -> None:
    texts = {
        "z.md": page("Rotating a signing key", f"{HOW} It works in Zorvex and in Zorvex only.", title="Zorvex"),
        "k.md": page("Rotating a signing key", f"{HOW} It works in Kwiltz and in Kwiltz only.", title="Kwiltz"),
        "p.md": page("Rotating a signing key", title="Policy"),
    }
    assert asked(texts) == [
        "In Kwiltz, how do you rotate a signing key?",
        "In Zorvex, how do you rotate a signing key?",
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda move: move("scope_min_titles", 3),  # two of three titles have it
        lambda move: move("scope_min_uses", 3),  # "in Zorvex" stands there twice
        lambda move: move("scope_use_share", 0.6),  # of four mentions
        lambda move: move("scope_capital_ratio", 4),  # four capitals inside sentences, and one "zorvex"
    ],
)
def test_a_folder_is_about_a_name_that_its_titles_and_texts_use(change: Callable[[Move], None], move: Move) -> None:
    texts = {
        "a.md": page("Signing", title="Keys in Zorvex").replace("here", "in Zorvex, and Zorvex makes a zorvex file"),
        "b.md": page("Masters", title="Masters in Zorvex").replace("here", "in Zorvex, and Zorvex reads them"),
        "c.md": page("Rotating a signing key"),
    }
    assert asked(texts) == ["In Zorvex, how do you rotate a signing key?"]
    change(move)
    assert asked(texts) == ["How do you rotate a signing key?"]


# ---- types -----------------------------------------------------------------------------------------


def test_reasons_and_conditions_are_types_of_their_own() -> None:
    why = page("Why should you rotate a signing key?", "A signing key that was stolen lets others sign in your name.")
    assert asked(why) == []
    assert asked(why, "page_reason") == ["Why should you rotate a signing key?"]
    case = page("If your signing key is stolen", HOW)
    assert asked(case) == []
    [candidate] = written(case, "page_condition")
    assert candidate.item.question == "What should you do if your signing key is stolen?"
    assert (candidate.item.question_type, candidate.item.derivation["operator"]) == ("conditional", "lookup")


# ---- what a document with a name says about the topic of a section ---------------------------------

SECURE = (
    "Good account security is a duty of every holder. You must choose a password of twelve characters, keep it to "
    "yourself, and tell us within a day of any use of your account that you did not allow."
)
ASKS_SECURE = "What do the Acme Terms of Service say about account security?"


def test_a_document_with_a_name_is_asked_about_the_topics_of_its_sections() -> None:
    (candidate,) = written(page("4. Account Security", SECURE, title="Acme Terms of Service"), "topic")
    assert candidate.item.question == ASKS_SECURE
    assert candidate.item.golden_answers == (SECURE,), "the whole section is the answer"
    ((span,),) = candidate.item.evidence
    assert span.text == f"## 4. Account Security\n\n{SECURE}", "the heading says what it is about"


@pytest.mark.parametrize(
    ("heading", "body", "title", "why"),
    [
        ("Account Security", SECURE, "Getting started", "the document has no name"),
        ("Security", SECURE, "Acme Terms of Service", "one word is no topic of its own"),
        ("Account holder", SECURE, "Acme Terms of Service", "it would need an article"),
        ("Other duties", SECURE, "Acme Terms of Service", "only its place says which"),
        ("Export rules", SECURE, "Acme Terms of Service", "the text is about something else"),
        ("Account Security", SECURE + " See the list below.", "Acme Terms of Service", "it points elsewhere"),
        ("Account Security", f"- {SECURE}", "Acme Terms of Service", "a list has another question"),
        ("Account Security", f"{SECURE}\n\n### Keys\n\n{HOW}", "Acme Terms of Service", "it goes on below"),
        ("Account Security", "It is a duty of account security.", "Acme Terms of Service", "it says too little"),
    ],
)
def test_what_has_no_topic_or_no_whole_answer_is_not_asked_about(heading: str, body: str, title: str, why: str) -> None:
    assert asked(page(heading, body, title), "topic") == [], why


def test_a_heading_that_tells_the_reader_to_do_something_is_no_topic() -> None:
    told = (
        "Use secret locks wherever two jobs may write at once. A job without secret locks loses what the other wrote."
    )
    named = (
        "All secret locks are kept in one place. Whoever finds that secret locks are missing tells the owner at once."
    )
    assert asked(page("Use secret locks", told, "Acme Style Guide"), "topic") == []
    assert asked(page("Access locks", named.replace("secret", "access"), "Acme Style Guide"), "topic") == [
        "What does the Acme Style Guide say about access locks?"
    ]


def test_two_sections_on_a_topic_or_two_documents_of_a_name_are_not_told_apart() -> None:
    one = page("Account Security", SECURE, "Acme Terms of Service")
    assert asked({"a.md": one, "b.md": one.replace("Acme", "Bolt")}, "topic") == [
        ASKS_SECURE, ASKS_SECURE.replace("Acme", "Bolt")
    ]  # fmt: skip
    assert asked({"a.md": one, "b.md": one}, "topic") == [], "two documents have the name"
    assert asked(f"{one}\n## Account security of guests\n\n{HOW}\n", "topic") == [], "another section says more"
    old, now = (
        page("Account Security", SECURE, "Acme Terms of Service (2021)"),
        page("Fees", HOW, "Acme Terms of Service"),
    )
    assert asked({"old.md": old}, "topic") == [ASKS_SECURE]
    assert asked({"old.md": old, "now.md": now}, "topic") == [], "it is an earlier version"


@pytest.mark.parametrize(
    ("heading", "topic"),
    [
        ("EXPORT RULES", "export rules"),
        ("User-Generated Content", "user-generated content"),
        ("API Limits", "API limits"),
    ],
)
def test_a_topic_is_written_in_lower_case_but_for_names(heading: str, topic: str) -> None:
    assert topic_question("Acme Charter", heading) == f"What does the Acme Charter say about {topic}?"


RULED = (
    "You must ask six weeks before the first day. Your manager must answer within ten working days. "
    "Requests in December need the approval of the head of department."
)


@pytest.mark.parametrize(
    ("title", "heading", "question"),
    [
        ("Leave", "Career break", "What does the leave policy say about career breaks?"),
        ("Travel on duty", "Alcohol, phones", "What does the travel on duty policy say about alcohol and phones?"),
        ("IT accounts, devices", "Own phone", ""),
        (
            "Rosters, working time and swaps",
            "Leavers",
            "What do the rules on rosters, working time and swaps say about Leavers?",
        ),
        ("Incident process", "Shift swaps", "What does the incident process say about shift swaps?"),
        ("IT devices", "Using your own phone", "What do the rules on IT devices say about using your own phone?"),
        ("Leave", "Each month", ""),
        ("Leave", "After a bad year", ""),
        ("Annual report 2023", "Career break", ""),
    ],
)
def test_every_plain_section_of_a_policy_is_asked_for_by_its_topic(title: str, heading: str, question: str) -> None:
    assert asked(page(heading, RULED, title), "topic") == [question] * bool(question)


def test_what_the_prose_does_not_count_stays_in_the_singular() -> None:
    body = f"{RULED} For neonatal nursing you get a week. Neonatal nursing is paid."
    (counted,) = asked(page("Neonatal nurse", RULED, "Leave"), "topic")
    assert counted.endswith("neonatal nurses?")
    (mass,) = asked(page("Neonatal nursing", body, "Leave"), "topic")
    assert mass.endswith("neonatal nursing?")


def test_a_limit_below_a_figure_points_to_nothing() -> None:
    assert asked(page("Overtime", f"{RULED} It is paid above 37.5 hours.", "Leave"), "topic")
    assert not asked(page("Overtime", f"{RULED} It is paid as said above.", "Leave"), "topic")

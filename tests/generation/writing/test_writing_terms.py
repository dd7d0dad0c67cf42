"""Questions on glossaries and documented parameters: the name a user would ask by, and an answer of a sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import knowledge_of

from kgsynth.evidence.derivation import recompute
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.language.english.forms import term_question

Move = Callable[[str, float], None]

GLOSSARY = (
    "# Pike Glossary\n\nThese words are used in Pike, and only in Pike.\n\n"
    "- **Book**: A book is a record of all trades of one house. In Pike, each file has a book.\n"
    "- **CSV**: Stands for Comma Separated Values. Files of it hold one record in each line.\n"
    "- **Account holder**: The person in whose name the money is kept.\n"
    "- **OFX**: A format. It is a standard that many banks use for their data. Pike reads it.\n"
)
POOLS = (
    "# Connections\n\n## Pools\n\nThe `ConnectionPool` class takes these arguments:\n\n"
    "- `max_size`: The largest number of connections that are open. Others wait. Defaults to 12.\n"
    "- `wait`: The number of seconds until it gives up.\n"
)


def asked(kind: str, **texts: str) -> dict[str, str]:
    found = knowledge_of({f"{name}.md": text for name, text in texts.items()})
    made = [candidate.item for candidate in compose(EVOLUTIONS[kind](found), found)]
    for item in made:
        assert recompute(item.derivation, found.documents) == item.golden_answers
    return {item.question: item.golden_answers[0] for item in made}


# ---- glossaries ------------------------------------------------------------------------------------


def test_a_common_word_of_a_glossary_is_asked_in_what_the_glossary_is_of() -> None:
    found = asked("term", glossary=GLOSSARY)
    assert found["In Pike, what is a book?"] == "A book is a record of all trades of one house."
    assert not any("glossary" in question.lower() for question in found)


def test_an_acronym_is_asked_for_what_it_stands_for() -> None:
    assert asked("term", glossary=GLOSSARY)["What does CSV stand for?"] == "Comma Separated Values."


def test_a_common_word_without_a_scope_is_not_asked() -> None:
    bare = GLOSSARY.replace("# Pike Glossary", "# Glossary").replace("Pike", "it")
    assert not any("book" in question for question in asked("term", glossary=bare))


def test_a_first_sentence_of_few_words_has_the_next_one_with_it(move: Move) -> None:
    assert asked("term", glossary=GLOSSARY)["What is OFX?"] == (
        "A format. It is a standard that many banks use for their data."
    )
    move("opening_min_words", 2)
    assert asked("term", glossary=GLOSSARY)["What is OFX?"] == "A format."


@pytest.mark.parametrize(
    ("term", "detail", "question"),
    [
        ("account", "An account keeps track of what you own.", "What is an account?"),
        ("split transactions", "A single transaction can be split into several pieces.", ""),
        ("split transactions", "Split transactions are trades of several pieces.", "What are split transactions?"),
    ],
)
def test_the_definition_gives_the_number_and_the_article(term: str, detail: str, question: str) -> None:
    assert term_question(term, detail, glossary=True) == question


# ---- parameters ------------------------------------------------------------------------------------


def test_a_parameter_is_asked_with_what_the_sentence_before_its_list_names() -> None:
    found = asked("term", pools=POOLS)
    assert found["What does the max_size argument of ConnectionPool specify?"] == (
        "The largest number of connections that are open."
    )
    assert found["What is the default value of the max_size argument of ConnectionPool?"] == "12"
    assert "What does the wait argument of ConnectionPool specify?" in found


def test_a_parameter_is_asked_with_the_function_of_its_heading() -> None:
    text = POOLS.replace("## Pools", "## `open_pool()`").replace("The `ConnectionPool` class takes these", "It has")
    assert "What does the max_size argument of open_pool() specify?" in asked("term", pools=text)


def test_a_heading_that_says_to_use_a_class_names_what_a_parameter_belongs_to() -> None:
    text = POOLS.replace("## Pools", "## Use `CORSLayer`").replace("The `ConnectionPool` class takes these", "It has")
    assert "What does the max_size argument of CORSLayer specify?" in asked("term", pools=text)


def test_a_parameter_without_a_noun_of_its_own_is_called_so() -> None:
    text = POOLS.replace("## Pools", "## `open_pool()`").replace(
        "The `ConnectionPool` class takes these arguments", "So"
    )
    assert "What does the wait parameter of open_pool() specify?" in asked("term", pools=text)


def test_a_parameter_of_a_common_name_is_not_asked_without_what_it_belongs_to() -> None:
    text = POOLS.replace("The `ConnectionPool` class takes these", "There are a few")
    assert not any(" wait " in question for question in asked("term", pools=text))

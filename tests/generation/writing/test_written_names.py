"""How names are put into questions on structure: as the documents themselves write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import knowledge_of

from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.generation.writing.english.scope import common_scope, topic_of
from kgsynth.generation.writing.english.written_names import article_of, has_article, with_article
from kgsynth.language.english.forms import cell_question, description_question, heading_question, term_question


def asked(kind: str, **pages: str) -> list[str]:
    found = knowledge_of({f"{name}.md": text for name, text in pages.items()})
    return [candidate.item.question for candidate in compose(EVOLUTIONS[kind](found), found)]


# ---- articles --------------------------------------------------------------------------------------

PROSE = """# Notes

Ask a Pike developer for help. Every new Pike developer has a badge. A pump has the main arbiter in its case.

Stop the main arbiter before you leave. You set sort order by hand, and sort order is kept. Ada leads it.
"""


def test_articles_are_those_of_the_prose() -> None:
    found = knowledge_of({"notes.md": PROSE})
    assert article_of("Pike developer", found) == "a", "after 'a', and after 'every' with a word between"
    assert with_article("main arbiter", found) == "the main arbiter"
    assert with_article("sort order", found) == "sort order"
    assert article_of("inlet valve", found) == "unknown"
    assert has_article("sort order", found) is False
    assert has_article("inlet valve", found) is None


def test_a_term_has_the_article_that_the_documents_give_it() -> None:
    text = (
        f"{PROSE}\n# Glossary\n\n- **Pike developer**: A person who works on Pike.\n- **Sort order**: A kind of list.\n"
    )
    assert asked("term", notes=text) == ["What is a Pike developer?", "What is sort order?"]


@pytest.mark.parametrize(
    ("term", "detail", "counted", "question"),
    [
        ("RR type", "An encoded value of 16 bits.", None, "What is an RR type?"),
        ("object type", "One of the identifiers of Git.", None, "What is an object type?"),
        ("superuser status", "A level of rights over all.", False, "What is superuser status?"),
        ("inheritance of privileges", "A role is given the rights of its group.", None, ""),
        ("superuser status", "A database superuser bypasses all checks.", None, ""),
        ("Joint Key (CSK)", "A CSK combines the work of two.", True, "What is a Joint Key (CSK)?"),
        ("remote-tracking branch", "A ref that is used to follow changes.", None, "What is a remote-tracking branch?"),
    ],
)
def test_the_question_for_a_term_fits_its_noun(term: str, detail: str, counted: bool | None, question: str) -> None:
    assert term_question(term, detail, glossary=True, counted=counted) == question


# ---- heads of columns ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "row", "values", "kind", "question"),
    [
        ("At Dirty Arbiter", "SIGQUIT", ["Exits", "Stops"], "signal", ""),
        ("Streaming", "BlackSheep", ["in parts", "whole"], "", ""),
        ("Default", "the host option", ["no", "yes"], "option", "What is the default value of the host option?"),
        ("Region", "Fort Saskatchewan", ["Alberta", "Ontario"], "", "Which region is Fort Saskatchewan in?"),
        ("Maintainers", "Pike", ["Ada Lind", "Bo Falk"], "", "Who are the maintainers of Pike?"),
    ],
)
def test_a_head_is_asked_for_only_as_an_attribute(
    head: str, row: str, values: list[str], kind: str, question: str
) -> None:
    assert cell_question(head, row, values, kind=kind) == question


# ---- terms -----------------------------------------------------------------------------------------

BRANCH = "# git-branch(1) Manual Page\n\n## Options\n\n- `--force`: Resets the branch to its start.\n- `--copy`: Copies a branch.\n"  # noqa: E501
FETCH = "# git-fetch(1) Manual Page\n\n## Options\n\n- `--force`: Updates every ref.\n- `--depth`: Limits the depth.\n"


def test_options_of_several_commands_are_not_asked_without_one() -> None:
    pages = {"branch": BRANCH, "fetch": FETCH}
    bare = {name: text.replace("(1) Manual Page", "").replace("# git", "# Git ") for name, text in pages.items()}
    assert not any(question == "What does the --force option do?" for question in asked("term", **bare))


def test_what_is_said_of_another_thing_is_no_description() -> None:
    assert not description_question("the oneof argument", "argument", "The request is a container of others.")
    assert description_question("the oneof argument", "argument", "The argument that is one of others.")


def test_a_column_named_by_a_noun_has_an_article() -> None:
    table = (
        "| | Tock timesheet | HRLinks timesheet |\n|---|---|---|\n| Cadence | Weekly | Monthly |\n| Level | A | B |\n"
    )
    assert "What is the cadence of the Tock timesheet?" in asked("look_up", notes=f"# Sheets\n\n{table}")


def test_a_file_does_nothing() -> None:
    text = "# Files\n\n- `/etc/news/server`: Names the server of news.\n- `/etc/motd`: Greets the users of it.\n"
    assert not any(question.endswith("do?") for question in asked("term", files=text))


def test_the_version_that_added_a_field_is_asked_for() -> None:
    fields = (
        "- `used_memory_scripts`: Number of bytes of scripts. Added in Redis 7.0.\n- `evicted_keys`: Number of keys.\n"
    )
    text = f"# Fields\n\n{fields}"
    assert "In which version of Redis was the used_memory_scripts field added?" in asked("term", info=text)
    later = text.replace("Added in Redis 7.0.", "Added in 7.0 was the part for functions.")
    assert not any("version" in question for question in asked("term", info=later))


# ---- headings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("Why do lattice graphics not work?", "Why do lattice graphics not work?"),
        ("What values to swap when we are out of memory?", "What values should you swap when we are out of memory?"),
        ("Assuming stdin/stdout encoding", ""),
    ],
)
def test_headings_keep_what_they_ask(title: str, question: str) -> None:
    assert heading_question(title) == question


# ---- what a folder is about ------------------------------------------------------------------------


def test_the_subject_of_a_folder_is_the_name_that_most_documents_hold() -> None:
    about = "We know how BIND starts. In BIND, zones are files."
    keys = "We sign with DNSSEC here. In DNSSEC, keys roll. In DNSSEC, keys end. In DNSSEC, all is signed."
    pages = {
        "start.md": f"# Building BIND\n\n{about}\n",
        "keys.md": f"# DNSSEC\n\n{about} {keys}\n",
        "more.md": f"# DNSSEC and BIND\n\n{about} {keys}\n",
    }
    assert common_scope(knowledge_of(pages)) == ("in", "BIND")


def test_a_name_that_all_documents_hold_needs_one_title(move: Callable[[str, float], None]) -> None:
    text = "We know that Mutt reads it. In Mutt, threads are linked."
    pages = {"a.md": f"# Mutt\n\n{text}\n", "b.md": f"# Usage\n\n{text}\n"}
    assert common_scope(knowledge_of(pages)) == ("in", "Mutt")
    move("scope_documents_share", 1.1)  # more than all documents
    assert common_scope(knowledge_of(pages)) is None


def test_the_number_of_a_chapter_is_no_topic() -> None:
    assert topic_of("Chapter 3. Key rotation") == "Key rotation"


def test_a_list_is_asked_in_the_scope_of_its_folder_if_it_names_nothing() -> None:
    text = "We know that Mutt reads it. In Mutt, threads are linked."
    values = "There are two kinds of folders:\n\n- local folders\n- remote folders\n"
    found = asked("listing", start=f"# Mutt\n\n{text}\n", usage=f"# Usage\n\n{text}\n\n{values}")
    assert found == ["In Mutt, what are the two kinds of folders?"]


def test_the_scope_of_a_heading_has_its_article() -> None:
    text = "Ask the uWSGI protocol for it. We know the uWSGI protocol. Open the socket."
    page = f"# uWSGI Protocol\n\n{text}\n\n## How to use sockets\n\nOpen a socket in the settings, and start the server with it again, so that all is read from there.\n"  # noqa: E501
    assert asked("page_question", protocol=page) == ["In the uWSGI protocol, how do you use sockets?"]

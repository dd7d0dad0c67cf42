"""Entity resolution: which names are joined, which must not be, and what type they get."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted import analysis, named, sentence

from kgsynth.base.records import Entity, content_id
from kgsynth.generation.graph.entities import resolve_entities


def entities(*labelled: tuple[str, str], aliases: tuple[tuple[str, str], ...] = ()) -> dict[str, Entity]:
    return {
        entity.name: entity
        for entity in resolve_entities([analysis("a", mentions=named("a", *labelled), aliases=aliases)])
    }


def together(found: dict[str, Entity], one: str, other: str) -> bool:
    return any({one, other} <= set(entity.forms) for entity in found.values())


def test_a_name_has_no_article_possessive_or_title() -> None:
    labels = [("the Acme Corp", "ORG"), ("Acme Corp's", "ORG"), ("Acme Corp", "ORG"), ("Dr. Ada Byron", "PERSON")]
    found = entities(*labels)
    assert sorted(found) == ["Acme Corp", "Ada Byron"]
    assert len(found["Acme Corp"].mentions) == 3
    assert found["Acme Corp"].forms == ("Acme Corp",)


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (("Data Platform", "ORG"), ("data platform", "TERM"), True),
        (("HashMap", "CODE"), ("hashmap", "CODE"), True),
        (("fetch_all", "TERM"), ("FETCH_ALL", "TERM"), True),
        (("fetch()", "CODE"), ("fetch", "CODE"), True),
        (("rootfs mount", "TERM"), ("Rootfs mounts", "TERM"), True),
        (("access policy", "TERM"), ("access policies", "TERM"), True),
        (("API", "TERM"), ("APIs", "TERM"), True),
        (("US", "GPE"), ("us", "TERM"), False),
        (("US", "TERM"), ("us", "TERM"), False),
        (("IT", "TERM"), ("it", "TERM"), False),
        (("Apple", "ORG"), ("apple", "TERM"), False),
        (("Jobs", "PERSON"), ("Job", "PERSON"), False),
        (("Williams", "PERSON"), ("william", "TERM"), False),
    ],
)
def test_spellings(one: tuple[str, str], other: tuple[str, str], joined: bool) -> None:
    found = entities(one, other)
    assert together(found, one[0], other[0]) is joined, [entity.forms for entity in found.values()]


def test_a_short_form_is_joined_with_its_only_long_form() -> None:
    labels = [("National Health Service", "ORG"), ("NHS", "TERM"), ("NHS", "TERM")]
    found = entities(*labels, aliases=(("National Health Service", "NHS"),))
    assert together(found, "National Health Service", "NHS")
    assert next(iter(found.values())).label == "ORG"  # three for the full name against two


def test_a_short_form_with_two_long_ones_is_left_alone() -> None:
    labels = [("Air Traffic Control", "ORG"), ("ATC", "ORG"), ("Automatic Train Control", "PRODUCT")]
    found = entities(*labels, aliases=(("Air Traffic Control", "ATC"), ("Automatic Train Control", "ATC")))
    assert sorted(found) == ["ATC", "Air Traffic Control", "Automatic Train Control"]


def test_two_spellings_of_one_long_form_are_not_two_long_forms() -> None:
    labels = [("Access Policy", "TERM"), ("access policies", "TERM"), ("AP", "TERM")]
    assert len(entities(*labels, aliases=(("Access Policy", "AP"), ("access policies", "AP")))) == 1


def test_an_alias_without_a_mention_is_a_form_too() -> None:
    found = entities(("Mercury", "PRODUCT"), aliases=(("Mercury", "Project M"),))
    assert found["Mercury"].forms == ("Mercury", "Project M")
    assert not entities(aliases=(("Long Form", "LF"),))  # neither is mentioned: no entity


def test_a_surname_is_joined_with_its_only_bearer_and_takes_the_type() -> None:
    labels = [("Nikola Tesla", "PERSON"), ("Tesla", "ORG"), ("Tesla", "PERSON"), ("Tesla", "ORG")]
    found = entities(*labels)
    assert list(found) == ["Nikola Tesla"]
    assert found["Nikola Tesla"].label == "PERSON"  # 3 + 1 against 2
    assert found["Nikola Tesla"].forms == ("Nikola Tesla", "Tesla")


def test_a_surname_with_two_bearers_is_joined_with_neither() -> None:
    labels = [("Marie Curie", "PERSON"), ("Pierre Curie", "PERSON"), ("Curie", "PERSON")]
    assert sorted(entities(*labels)) == ["Curie", "Marie Curie", "Pierre Curie"]


def test_a_phrase_in_lower_case_is_not_a_full_name() -> None:
    assert sorted(entities(("type String", "PERSON"), ("String", "PERSON"))) == ["String", "type String"]


def test_a_name_that_is_rarely_read_as_a_person_is_not_a_surname() -> None:
    labels = [("George Washington", "PERSON"), *[("Washington", "GPE")] * 9, ("Washington", "PERSON")]
    found = entities(*labels)
    assert found["Washington"].label == "GPE"
    assert found["George Washington"].label == "PERSON"


def test_the_type_is_voted_over_the_corpus_and_a_specific_one_wins_a_tie() -> None:
    mentions = [("Redis", "ORG"), ("Redis", "PRODUCT"), ("Redis", "PRODUCT"), ("Kafka", "TERM"), ("Kafka", "PRODUCT")]
    found = entities(*mentions)
    assert found["Redis"].label == "PRODUCT"
    assert found["Kafka"].label == "PRODUCT"
    assert found["Redis"].id == content_id("e", "Redis", "PRODUCT")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["US", "us", "Ada Byron", "Byron", "the Byron", "node", "Nodes", "NPU", "neural unit"]),
            st.sampled_from(["PERSON", "TERM", "ORG", "CODE"]),
        ),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_each_mention_has_one_entity_and_order_does_not_matter(
    labelled: list[tuple[str, str]], rng: random.Random
) -> None:
    aliases = [("neural unit", "NPU")]
    parts = [analysis(f"d{n}", mentions=named(f"d{n}", pair), aliases=aliases) for n, pair in enumerate(labelled)]
    found = resolve_entities(parts)
    settled = [mention for entity in found for mention in entity.mentions]
    mentions = [mention for part in parts for mention in part.mentions]
    code = {mention.text for mention in mentions if mention.label == "CODE"}
    names = (mention for mention in mentions if mention.text in code or mention.text not in ("us", "node"))
    assert sorted(settled, key=str) == sorted(names, key=str), "every mention but those of common words"
    assert len({entity.id for entity in found}) == len(found)
    assert not any({"US", "us"} <= set(entity.forms) and entity.label != "CODE" for entity in found)
    rng.shuffle(parts)
    assert resolve_entities(parts) == found


# ---- common words are no entities ------------------------------------------------------------------


def written(*sentences: str, **names: str) -> list[str]:
    """The entities of a page with these sentences, in which each of ``names`` was read with its label."""
    said = [sentence("a", 1000 * at, text) for at, text in enumerate(sentences)]
    marked = named("a", *((name.replace("_", "-"), label) for name, label in names.items()))
    return [entity.name for entity in resolve_entities([analysis("a", mentions=marked, sentences=said)])]


def test_a_capital_only_where_a_sentence_begins_is_no_name() -> None:
    texts = ("Keys open the depot.", "You keep the keys.", "They ask you.", "Note: Tern is new.", "It is Tern.")
    assert written(*texts, "a tern is a bird", Keys="PERSON", You="ORG", Tern="ORG") == ["Tern"]
    assert written("Skua starts.", Skua="ORG") == ["Skua"], "no lower-case form is written anywhere"


def test_a_word_that_is_nearly_always_in_lower_case_is_no_name() -> None:
    lower = ["the code is here"] * 10
    assert written(*lower, "read the Code", Code="ORG") == []
    assert written(*lower[:9], "read the Code", Code="ORG") == ["Code"], "9 times in lower case for 1 capital"


def test_words_in_lower_case_are_no_names_and_identifiers_are() -> None:
    common = {"jack": "TERM", "max": "PERSON", "you": "ORG", "polish": "NORP", "3rd_party": "TERM", "sign_on": "TERM"}
    assert written("a text", **common) == []
    assert written("jq and rootfs", jq="TERM", rootfs="NORP", pull_request="TERM") == ["jq", "pull-request", "rootfs"]


def test_words_in_capitals_are_names_unless_they_only_stress() -> None:
    stressed = ("It SHOULD be optional.", "It should.", "IN NO EVENT SHALL THE PARTY PAY.", "the party pays")
    assert written(*stressed, SHOULD="ORG", PARTY="ORG") == [], "a word of RFC 2119, and a sentence in capitals"
    named_so = ("Send a POST and a PIN.", "post the pin", "Read the LICENSE.", "a license")
    assert written(*named_so, POST="ORG", PIN="TERM", LICENSE="ORG") == ["LICENSE", "PIN", "POST"]


def test_code_is_never_a_common_word_and_fragments_are_no_names() -> None:
    assert written("the user", user="CODE") == ["user"]
    both = named("a", ("pip", "CODE"), ("pip", "TERM"))
    (entity,) = resolve_entities([analysis("a", mentions=both, sentences=[sentence("a", 0, "run pip")])])
    assert len(entity.mentions) == 2, "a word that is code in one place is a name in all"
    found = resolve_entities(
        [analysis("a", mentions=named("a", ("License(s", "ORG"), ("−200", "ORG"), ("Ada", "ORG")))]
    )
    assert [entity.name for entity in found] == ["Ada"]

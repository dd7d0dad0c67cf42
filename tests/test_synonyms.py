"""Every entry of the lexicon in a sentence that is parsed, reworded by the real code and compared with one by hand."""

from __future__ import annotations

from functools import cache

import pytest
from planted import knowledge_of

from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.grammar import in_sentence, predicate
from kgsynth.generation.writing.english.rephrasing import NOUNS, OTHERS, RELATED, VERBS, in_other_words
from kgsynth.language.english.morphology import inflected, lemma_of

IN_OTHER_WORDS = {
    # ---- verbs, active and passive -----------------------------------------------------------------
    "The fund aids young engineers.": "The fund helps young engineers.",
    "The search was aided by local fishermen.": "The search was helped by local fishermen.",
    "The heat alters the colour of the glass.": "The heat changes the colour of the glass.",
    "The plan was altered in 1931.": "The plan was changed in 1931.",
    "Parliament amended the law in 1931.": "Parliament changed the law in 1931.",
    "The contract was amended by the firm.": "The contract was changed by the firm.",
    "Two clerks assist the director.": "Two clerks help the director.",
    "The pilot is assisted by a computer.": "The pilot is helped by a computer.",
    "The voyage began in Oslo.": "The voyage started in Oslo.",
    "The work was begun in 1931.": "The work was started in 1931.",
    "The city buys fresh water from Salina.": "The city purchases fresh water from Salina.",
    "The mill was bought by Ada Lind.": "The mill was purchased by Ada Lind.",
    "The repairs have commenced in Oslo.": "The repairs have begun in Oslo.",
    "The workers commenced the repairs in May.": "The workers began the repairs in May.",
    "The storm compelled the crew to turn back.": "The storm forced the crew to turn back.",
    "The crew was compelled to turn back.": "The crew was forced to turn back.",
    "The wall conceals the pipes.": "The wall hides the pipes.",
    "The pipes are concealed by a wall.": "The pipes are hidden by a wall.",
    "The firm constructs wooden bridges.": "The firm builds wooden bridges.",
    "The bridge was constructed in 1931.": "The bridge was built in 1931.",
    "The city demolished the old mill in 1931.": "The city tore down the old mill in 1931.",
    "The old mill was demolished in 1931.": "The old mill was torn down in 1931.",
    "The painting depicts a harbour.": "The painting shows a harbour.",
    "The harbour is depicted on the seal.": "The harbour is shown on the seal.",
    "The report discloses the names of the donors.": "The report reveals the names of the donors.",
    "The names were disclosed in May.": "The names were revealed in May.",
    "Ada Lind discovered the comet in 1931.": "Ada Lind found the comet in 1931.",
    "The comet was discovered by Ada Lind.": "The comet was found by Ada Lind.",
    "The panel displays the temperature.": "The panel shows the temperature.",
    "The temperature is displayed on the panel.": "The temperature is shown on the panel.",
    "The coating enhances the contrast.": "The coating improves the contrast.",
    "The contrast is enhanced by a coating.": "The contrast is improved by a coating.",
    "A second valve ensures a constant pressure.": "A second valve guarantees a constant pressure.",
    "A constant pressure is ensured by a second valve.": "A constant pressure is guaranteed by a second valve.",
    "The guild erected a tower in 1931.": "The guild built a tower in 1931.",
    "The tower was erected by the guild.": "The tower was built by the guild.",
    "The alloy exhibits a high resistance.": "The alloy shows a high resistance.",
    "The paintings were exhibited in Oslo.": "The paintings were shown in Oslo.",
    "Ada Lind founded the school in 1931.": "Ada Lind established the school in 1931.",
    "The school was founded by Ada Lind.": "The school was established by Ada Lind.",
    "Two dogs guard the depot.": "Two dogs protect the depot.",
    "The depot is guarded by two dogs.": "The depot is protected by two dogs.",
    "The operator halted the pump.": "The operator stopped the pump.",
    "The pump was halted by the operator.": "The pump was stopped by the operator.",
    "Frost harms the vines.": "Frost hurts the vines.",
    "The vines were harmed by frost.": "The vines were hurt by frost.",
    "Ice hinders the ferries.": "Ice impedes the ferries.",
    "The ferries were hindered by ice.": "The ferries were impeded by ice.",
    "Mud impedes the excavation.": "Mud hinders the excavation.",
    "The excavation was impeded by mud.": "The excavation was hindered by mud.",
    "The wind influences the course of the ship.": "The wind affects the course of the ship.",
    "The course is influenced by the wind.": "The course is affected by the wind.",
    "An engineer inspects every valve.": "An engineer examines every valve.",
    "Every valve is inspected by an engineer.": "Every valve is examined by an engineer.",
    "The firm manufactures wooden pumps.": "The firm makes wooden pumps.",
    "The bottles are manufactured in Salina.": "The bottles are made in Salina.",
    "The tribe migrated to the coast.": "The tribe moved to the coast.",
    "The accounts were migrated to a new server.": "The accounts were moved to a new server.",
    "The mechanics modified the engine.": "The mechanics changed the engine.",
    "The engine was modified by the mechanics.": "The engine was changed by the mechanics.",
    "A sensor monitors the water level.": "A sensor watches the water level.",
    "The water level is monitored by a sensor.": "The water level is watched by a sensor.",
    "A board of nine members oversees the fund.": "A board of nine members supervises the fund.",
    "The fund is overseen by a board.": "The fund is supervised by a board.",
    "The rebels overthrew the king in 1931.": "The rebels toppled the king in 1931.",
    "The king was overthrown by the rebels.": "The king was toppled by the rebels.",
    "The licence permits commercial use.": "The licence allows commercial use.",
    "Commercial use is permitted by the licence.": "Commercial use is allowed by the licence.",
    "The doctor persuaded the mayor to close the well.": "The doctor convinced the mayor to close the well.",
    "The mayor was persuaded by the doctor.": "The mayor was convinced by the doctor.",
    "The league postponed the match.": "The league put off the match.",
    "The match was postponed until May.": "The match was put off until May.",
    "The rules prohibit open fires.": "The rules forbid open fires.",
    "Open fires are prohibited by the rules.": "Open fires are forbidden by the rules.",
    "The museum purchased the statue in 1931.": "The museum bought the statue in 1931.",
    "The statue was purchased by the museum.": "The statue was bought by the museum.",
    "The firm relocated to Oslo in 1931.": "The firm moved to Oslo in 1931.",
    "The archive was relocated in 1931.": "The archive was moved in 1931.",
    "Two mechanics repair the pumps.": "Two mechanics fix the pumps.",
    "The pumps were repaired by a technician.": "The pumps were fixed by a technician.",
    "The director resides in Oslo.": "The director lives in Oslo.",
    "The law restricts the sale of fireworks.": "The law limits the sale of fireworks.",
    "The sale of fireworks is restricted by law.": "The sale of fireworks is limited by law.",
    "The library retains every draft.": "The library keeps every draft.",
    "Every draft is retained for nine years.": "Every draft is kept for nine years.",
    "The dam safeguarded the lower town.": "The dam protected the lower town.",
    "The lower town is safeguarded by a dam.": "The lower town is protected by a dam.",
    "The jury selects nine finalists.": "The jury chooses nine finalists.",
    "Nine finalists were selected by the jury.": "Nine finalists were chosen by the jury.",
    "The guard shuts the gate at noon.": "The guard closes the gate at noon.",
    "The gate is shut by the guard.": "The gate is closed by the guard.",
    "Two professors supervise the study.": "Two professors oversee the study.",
    "The study is supervised by two professors.": "The study is overseen by two professors.",
    "The spring supplies the village with water.": "The spring provides the village with water.",
    "The water is supplied by a spring.": "The water is provided by a spring.",
    "The dove symbolises peace.": "The dove represents peace.",
    "Peace is symbolised by a dove.": "Peace is represented by a dove.",
    "The lion symbolizes courage.": "The lion represents courage.",
    "Courage is symbolized by a lion.": "Courage is represented by a lion.",
    "The canal transports grain to the coast.": "The canal carries grain to the coast.",
    "The grain is transported by barge.": "The grain is carried by barge.",
    "The plant utilises recycled water.": "The plant uses recycled water.",
    "Recycled water is utilised by the plant.": "Recycled water is used by the plant.",
    "The parser utilizes a small cache.": "The parser uses a small cache.",
    "A small cache is utilized by the parser.": "A small cache is used by the parser.",
    "The schooner vanished in 1931.": "The schooner disappeared in 1931.",
    "The clerk verifies the signature.": "The clerk checks the signature.",
    "The signature is verified by a clerk.": "The signature is checked by a clerk.",
    # ---- nouns, in both numbers --------------------------------------------------------------------
    "The tailor made a small alteration.": "The tailor made a small change.",
    "The council rejected nine alterations.": "The council rejected nine changes.",
    "The family received financial assistance from the city.": "The family received financial help from the city.",
    "The library honoured the author of the novel.": "The library honoured the writer of the novel.",
    "The prize went to two authors from Oslo.": "The prize went to two writers from Oslo.",
    "The flood was a national catastrophe.": "The flood was a national disaster.",
    "The island survived nine catastrophes.": "The island survived nine disasters.",
    "The soldiers lie in a cemetery near Oslo.": "The soldiers lie in a graveyard near Oslo.",
    "The town has two cemeteries.": "The town has two graveyards.",
    "The depot hired an employee in May.": "The depot hired a worker in May.",
    "The mill has nine employees.": "The mill has nine workers.",
    "The last inhabitant left the island in 1931.": "The last resident left the island in 1931.",
    "The island has nine inhabitants.": "The island has nine residents.",
    "The studio released a movie about the flood.": "The studio released a film about the flood.",
    "The studio made nine movies.": "The studio made nine films.",
    "The treaty united the nation in 1931.": "The treaty united the country in 1931.",
    "The treaty was signed by nine nations.": "The treaty was signed by nine countries.",
    "The war had an unexpected outcome.": "The war had an unexpected result.",
    "The model predicts two outcomes.": "The model predicts two results.",
    "The king summoned a physician from Salina.": "The king summoned a doctor from Salina.",
    "The hospital employs nine physicians.": "The hospital employs nine doctors.",
    "The army crushed an uprising in May.": "The army crushed a revolt in May.",
    "The army crushed nine uprisings.": "The army crushed nine revolts.",
    # ---- adjectives and adverbs --------------------------------------------------------------------
    "The flag needs an additional argument.": "The flag needs an extra argument.",
    "The plan adds nine additional seats.": "The plan adds nine extra seats.",
    "The whale has an enormous head.": "The whale has a huge head.",
    "The storm destroyed the entire fleet.": "The storm destroyed the whole fleet.",
    "The fire burned for an entire week.": "The fire burned for a whole week.",
    "Oslo has a famous opera.": "Oslo has a well-known opera.",
    "The opera is famous for its roof.": "The opera is well-known for its roof.",
    "The mill has a huge wheel.": "The mill has an enormous wheel.",
    "The survey found numerous errors.": "The survey found many errors.",
    "The fund supports an ongoing excavation.": "The fund supports a continuing excavation.",
    "The coast has a predominantly dry climate.": "The coast has a mostly dry climate.",
    "The tool serves primarily rural schools.": "The tool serves mainly rural schools.",
    "The town saw a rapid growth in trade.": "The town saw a fast growth in trade.",
    "The town has a rapidly growing harbour.": "The town has a quickly growing harbour.",
    "The school invited a renowned painter from Oslo.": "The school invited a famous painter from Oslo.",
    "The cellar holds usually dry barley.": "The cellar holds normally dry barley.",
    "The bank belongs to a wealthy family in Oslo.": "The bank belongs to a rich family in Oslo.",
}
"""Sentence -> the same in other words."""

UNCHANGED = (
    "The fund gives an LLM a numerous-valued score.",  # the article of a word that stays, and a hyphenated word
    "The school printed an employee handbook.",  # a part of a compound
    "The award honours the Pike author of Oslo.",  # a word after a name may be a part of it
    "Salina is a medieval town.",  # no adjective for it
    "The firm launched a rocket in 1931.",  # words of several senses
    "The room of the company is a principal risk.",
    "The crew shut down the pump.",  # a phrasal verb
)


@cache
def corpus() -> Knowledge:
    text = "\n\n".join([*IN_OTHER_WORDS, *UNCHANGED])
    return knowledge_of({"a.md": f"# Notes\n\n{text}"})


def in_words(sentence: str) -> set[str]:
    """The facts of a sentence as reworded statements."""
    known = corpus()
    found = set()
    for fact in known.statements.facts:
        if fact.text == sentence:
            other = in_other_words(fact, frozenset(), known)
            subject = other.place(Role.SUBJECT)
            phrase = other.phrases[subject]
            text = f"{in_sentence(phrase)} {predicate(other, without=[subject], singular=not phrase.has(Flag.PLURAL))}"
            found.add(f"{text[:1].upper()}{text[1:]}.")
    return found


@pytest.mark.parametrize(("sentence", "expected"), IN_OTHER_WORDS.items())
def test_a_sentence_in_other_words_is_english_and_says_the_same(sentence: str, expected: str) -> None:
    assert in_words(sentence) == {expected}


@pytest.mark.parametrize("sentence", UNCHANGED)
def test_words_that_cannot_be_replaced_in_every_sentence_stay(sentence: str) -> None:
    assert in_words(sentence) <= {sentence}


def test_every_entry_has_its_sentence() -> None:
    changed = [(set(a.rstrip(".").split()) - set(b.rstrip(".").split())) for a, b in IN_OTHER_WORDS.items()]
    words = {word for removed in changed for word in removed}
    assert {lemma_of(word, "VERB") for word in words} >= VERBS.keys()
    assert {lemma_of(word, "NOUN") for word in words} >= NOUNS.keys()
    assert words >= OTHERS.keys()


def test_no_entry_is_both_safe_and_merely_related() -> None:
    tables = VERBS | NOUNS | OTHERS
    assert not {word for word, other in RELATED.items() if tables.get(word) == other}
    assert all(inflected(other, "NNS") != other for other in NOUNS.values() if other != "help")

"""Every number by which a question is ranked or rejected, with its reason; generate and audit read the same table.

``DEFAULT_THRESHOLDS`` are those of the filter rules, which a user can set. ``LIMITS`` are the others: how far a search
goes, what is too long or too common, what a property of a question is worth. All of them were set by hand. A test moves
each one and sees the outcome change.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_THRESHOLDS: dict[str, float] = {
    "leaking": 0.5,  # at most this share of the answer's content words occurs in the question
    "copied": 0.75,  # at most this share of the question's words repeats a sentence of its evidence
    "answerable": 0.6,  # at least this share of the question's content words occurs in its evidence or headings
    "ambiguous": 0.8,  # share of the question's words, weighted by rarity, from which another sentence is a rival
    "absent": 0.8,  # the same, for a sentence that may answer a question meant to be unanswerable
    "style": -1.3,  # lowest style score; each problem of the wording lowers it
    "hop_necessity": 0.8,  # like ambiguous, for sentences that answer without the bridge
    "hopeless": 50.0,  # worst rank of the gold chunk at which a retriever can still be expected to find it
    "faithful": 0.8,  # lowest cosine of a reworded question with the original
    "faithful_by_model": 0.65,  # the same, when a language model reworded it
    "verified": 0.5,  # lowest agreement of a language model's answer, from the evidence alone, with the golden answer
    "closed_book": 0.5,  # agreement, without any evidence, from which a question needs no documents
    "near": 0.75,  # cosine from which a chunk that names the subject of the question may contain the answer
    "answered": 0.55,  # lowest probability that the evidence answers the question
    "too_easy": 0.35,  # lead in cosine of the gold chunk over the next one
    "duplicate": 0.8,  # estimated Jaccard similarity of word shingles
    "paraphrase": 0.95,  # cosine from which two questions ask the same
}
"""Filter rule -> its threshold."""


@dataclass
class Limits:
    """The limits of the stages, by stage; mutable only so that a test can move one."""

    # ---- entities and statements (evidence) -----------------------------------------------------------

    # ---- graph ----------------------------------------------------------------------------------------

    # ---- evolutions -----------------------------------------------------------------------------------

    # ---- filters --------------------------------------------------------------------------------------

    # ---- quality and selection ------------------------------------------------------------------------

    # ---- English questions ----------------------------------------------------------------------------

    heading_words: int = 6  # of a heading that a question names ("For …"); a longer one reads as a sentence
    heading_short_letters: int = 4  # shorter words of a title lose their capital though no dictionary has them ("Api")
    head_letters: int = 3  # of the lemma of a noun; they start its plural in the text too ("factory", "factories")
    label_mentions: int = 3  # of a name, from which the parser's label is trusted; on one mention it guesses
    person_label_share: float = 0.5  # of the mentions of a thing; labelled as a person more often, it may be either
    duration_words: int = 6  # "the last two and a half years"; a longer phrase says more than how long
    working_day_words: int = 3  # "five working days"; with more words the days are those of something else
    time_words: int = 8  # of a phrase that "when" asks for; a longer one tells of an event
    event_extra_words: int = 2  # adverbs that an event has in the text only; with more, its sentence says more
    outcome_words: int = 30  # of what happens under a condition; a longer clause is hard to grade as an answer
    scoped_rivals: int = 5  # places with another value that a derivation lists; more prove nothing new
    bridge_words: int = 36  # of a question with a description instead of a name; a longer one is hard to follow
    description_words: int = 3  # content words that make "a device that measures wind" fit one thing ("the device …")
    topics_per_entity: int = 2  # out-of-scope questions about one thing; more would repeat the list of topics
    search_letters: int = 4  # of the beginning that stands for all its words ("calib*"); a shorter one finds others too
    surname_letters: int = 3  # of the last name by which a person is searched for; a shorter one is a syllable ("Li")

    # ---- checks of the audit --------------------------------------------------------------------------

    # ---- parsing English ------------------------------------------------------------------------------


LIMITS = Limits()
"""The limits in force."""

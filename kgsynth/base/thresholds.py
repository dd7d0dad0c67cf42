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

    common_entity_share: float = 0.2  # named in a greater share of the documents, an entity does not tell them apart
    common_entity_documents: int = 6  # that may name any entity: a fifth of a small corpus is too few
    technical_code_share: float = 0.05  # of the entities; if more are code, labels of people are unreliable …
    person_mention_share: float = 0.8  # … and a person needs this share of mentions labelled as one
    example_name_share: float = 0.04  # of the documents, in which a plain name in code belongs to an example
    type_name_votes: int = 3  # for the noun that ends a name ("Salina mill"): the name itself says the type
    type_article_votes: int = 2  # for the same with "the" before it: names in running text may end in any word
    type_statement_votes: int = 2  # for "Pike is a sensor": the parser misreads some
    type_min_votes: int = 3  # for a noun that no other entity has as its type: it may be a figure of speech
    type_min_entities: int = 2  # with a vote for a noun, to make it the name of a type
    type_vote_share: float = 0.5  # a type needs more than this share of an entity's votes; otherwise it is undecided
    lower_case_ratio: float = 3.0  # a common word is more often in lower case, by this factor; a name may be a word too
    long_question_words: int = 12  # content words; in a question of so many, one that is not found weighs least
    answer_bias: float = -1.5  # log-odds of a sentence that has nothing of the question; learned, like the weights
    absence_neighbour_blocks: int = 1  # before and after a name; "it" seldom reaches further
    absence_word_share: float = 0.5  # of the words asked about; from it on, a passage may hold the answer
    other_chunks_for_margin: int = 20  # to lead fewer other chunks is no sign that a question is easy
    hopeless_chunk_share: float = 0.02  # in a large corpus a retriever may look at this share of the chunks
    passage_characters: int = 1500  # a passage of a common size holds evidence that is no further apart
    about_margin: float = 0.2  # relative difference up to which "about 5" may equal 6
    uneven_month_margin: float = 0.1  # the same for months or years against fixed days: a month has 28 to 31
    repeated_run_words: int = 3  # words in a row that count as repeated; two in a row are often a fixed expression
    copied_min_words: int = 7  # repeated words from which a question may be a copy; a short one has no other words
    copied_sentence_share: float = 0.8  # share of the sentence, without the answer, that a copy repeats
    question_content_words: int = 2  # a question with fewer says too little, unless it asks for a definition

    # ---- graph ----------------------------------------------------------------------------------------

    # ---- evolutions -----------------------------------------------------------------------------------

    # ---- filters --------------------------------------------------------------------------------------

    # ---- quality and selection ------------------------------------------------------------------------

    # ---- English questions ----------------------------------------------------------------------------

    # ---- checks of the audit --------------------------------------------------------------------------

    audit_min_items: int = 20  # items from which shares, means and quartiles of a set are judged; chance rules in fewer
    short_answer_words: int = 6  # up to this length, names and numbers are all that an answer says
    supported_word_share: float = 0.5  # of a longer answer's content words, in its evidence; it may paraphrase the rest
    combined_numbers: int = 40  # of the evidence, to compute sums and differences; in more, some pair fits by chance
    mix_share_off: float = 0.05  # share of the set by which the count of a type may differ from the mix …
    mix_items_off: float = 1.0  # … and the items by which it always may: counts are whole
    language_document_share: float = 0.1  # of the documents, that a language needs for questions; a stray page has none
    asked_section_share: float = 0.4  # of the sections that could be asked about; below, questions are concentrated
    unusual_length_ranges: float = 3.0  # interquartile ranges above the third quartile (Tukey's "far out"), or medians
    usual_question_words: int = 40  # a question of up to so many words is never too long
    usual_answer_words: int = 30  # the same for an answer
    uniform_length_deviation: float = 0.1  # standard deviation of question lengths by their mean; below, all are alike
    drift_neighbours: int = 24  # nearest spans that show how the text around a span moved; more are too far away
    drift_half_distance: int = 200  # characters: a neighbour at this distance counts half; far text moves by itself
    drift_max_difference: int = 200  # characters by which a neighbour may have moved differently and still count
    drift_half_difference: int = 20  # characters: a neighbour that moved so differently counts half
    drift_neighbour_letters: int = 99  # a longer neighbour counts no more than this: one must not decide alone
    drift_support_ratio: float = 1.5  # lead of the best place over the second, below which a span stays unsettled
    changed_text_similarity: float = 75.0  # of 100; above, a text has changed, below it is gone
    changed_paragraph_share: float = 0.5  # of the length of a span; a shorter paragraph fits into too much
    reworded_overlap: float = 0.5  # Jaccard similarity of content words; enough with the same answer and evidence
    same_answer_cosine: float = 0.85  # like the threshold "paraphrase", with the same answer and evidence
    safe_rank: int = 5  # evidence up to this rank is found, however few words it shares with the question
    low_rank_word_share: float = 0.2  # of the question's words, by rarity; evidence of a low rank should hold more
    parsed_sentence_share: float = 0.6  # of the words, by rarity; a sentence with more is parsed to find another answer
    parsed_sentences: int = 30  # for one question, those with most of its words first; parsing is slow
    known_phrase_share: float = 0.7  # of a phrase's words, in the question; then the asker knows the phrase
    answering_fact_share: float = 0.5  # of the question's words, in a fact; then the question may be about it
    extra_answer_words: int = 1  # content words that a phrase may have besides the answer: the noun for its type
    copied_set_overlap: float = 0.9  # mean share of question words in the evidence; in human questions it is 0.66
    topic_expected_chunks: float = 5.0  # gold chunks with a word, by chance; none then has it in 1 of 100 sets
    topic_chunk_share: float = 0.2  # of the chunks; a word in more is too common to be a topic

    # ---- languages, and parsing English ---------------------------------------------------------------

    long_document_words: int = 150  # of prose, from which a document is worth a question
    chinese_letter_share: float = 0.2  # of the letters; a Chinese document also holds Latin names and code
    foreign_word_share: float = 0.5  # of the words in another script; more than a name now and then
    language_common_words: int = 2  # of a language, in a text that is taken for it; one may be a name
    words_per_common_word: float = 3.0  # at most, in a text that is certainly in the language
    parsed_block_characters: int = 6000  # a longer block is not prose, and the parser's memory grows with it
    pronoun_sentences: int = 2  # that a chain of pronouns may reach back; each step may be wrong
    name_heading_words: int = 3  # a longer heading is seldom only a name
    half_sentence_tokens: int = 3  # of a cause or condition and of its outcome; fewer are no clause
    negatable_letters: int = 5  # of a stem after a negative prefix, without its e; shorter ones are other words: inform
    counted_noun_words: int = 4  # after a number; with more the text is no plain count
    question_min_words: int = 3  # a shorter question does not say what it is about
    question_max_words: int = 45  # nobody asks a longer one
    reason_words: int = 3  # from which an answer may be a reason without "because"


LIMITS = Limits()
"""The limits in force."""

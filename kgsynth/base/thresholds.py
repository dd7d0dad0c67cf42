"""Every number by which a question is ranked or rejected, with its reason; generate and audit read the same table.

``DEFAULT_THRESHOLDS`` are those of the filter rules, which a user can set; ``LIMITS`` are all others, set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_THRESHOLDS: dict[str, float] = {
    "leaking": 0.5,  # at most this share of the answer's content words occurs in the question
    "copied": 0.75,  # at most this share of the question's words repeats a sentence of its evidence
    "answerable": 0.6,  # at least this share of the question's content words occurs in its evidence or headings
    "ambiguous": 0.8,  # share of the question's words, weighted by rarity, from which another sentence is a rival
    "absent": 0.8,  # the same, for a sentence that may answer a question meant to be unanswerable
    "hopeless": 50.0,  # worst rank of the gold chunk at which a retriever can still be expected to find it
    "asked": 0.6,  # lowest share of five at which a language model finds a question likely to be asked
    "closed_book": 0.5,  # agreement, without any evidence, from which a question needs no documents
    "near": 0.75,  # cosine from which a chunk that names the subject of the question may contain the answer
    "answered": 0.55,  # lowest probability that the evidence answers the question
    "duplicate": 0.8,  # estimated Jaccard similarity of word shingles
    "paraphrase": 0.95,  # cosine from which two questions ask the same
}
"""Filter rule -> its threshold."""


@dataclass
class Limits:
    """The limits of the stages, by stage; mutable only so that a test can move one."""

    # ---- structure (evolutions) -----------------------------------------------------------------------
    passage_min_words: int = 8  # of a section, to be the answer to its heading
    passage_max_words: int = 160  # of a section, a list or a cell; nobody gives a longer answer
    answered_max_words: int = 400  # of a section, for a few sentences in it to answer how its heading is done
    evidence_gap: int = 200  # characters between parts of a fact that are one piece of evidence
    siblings_max: int = 12  # sections under one heading, or with one title, that are compared in pairs
    class_min: int = 4  # records of a class; what is said of fewer is read at a glance
    members_max: int = 8  # records that share a value, or things of one kind; more are no short answer
    list_max_members: int = 12  # of a list, to be an answer
    table_min_rows: int = 2  # with a value in a column: one row is an example
    cell_max_words: int = 60  # of a cell, to be an answer
    opening_min_words: int = 6  # of what is said of a term, to be an answer without its next sentence
    list_brief_words: int = 40  # of a whole list: the members of a longer one are named by their heads alone
    member_head_words: int = 6  # of the head of a member ("Rate limits: …")
    member_max_words: int = 25  # of a member: of a longer one the first sentence is the answer

    # ---- entities and statements (evidence) -----------------------------------------------------------

    common_entity_share: float = 0.2  # named in a greater share of the documents, an entity does not tell them apart
    common_entity_documents: int = 6  # that may name any entity: a fifth of a small corpus is too few
    technical_code_share: float = 0.05  # of the entities; if more are code, labels of people are unreliable …
    person_mention_share: float = 0.8  # … and a person needs this share of mentions labelled as one
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
    hopeless_chunk_share: float = 0.02  # in a large corpus a retriever may look at this share of the chunks
    passage_characters: int = 1500  # a passage of a common size holds evidence that is no further apart
    repeated_run_words: int = 3  # words in a row that count as repeated; two in a row are often a fixed expression
    copied_min_words: int = 7  # repeated words from which a question may be a copy; a short one has no other words
    copied_sentence_share: float = 0.8  # share of the sentence, without the answer, that a copy repeats
    question_content_words: int = 2  # a question with fewer says too little, unless it asks for a definition

    # ---- graph ----------------------------------------------------------------------------------------

    full_name_votes: int = 3  # votes of a mention of several words on its type: "Nikola Tesla" is clearer than "Tesla"
    surname_person_share: float = 1 / 3  # share of the mentions of a lone surname that the parser must read as a person
    common_word_ratio: float = 10.0  # in lower case to capitals inside sentences; "Party" of a contract is at 3
    similar_chunks: int = 10  # most similar chunks that a chunk can be linked to: more links connect everything
    similar_cosine: float = 0.5  # lowest of two linked chunks or summaries: below, they only share the domain
    summary_min_text: int = 4  # sentences of a text that gets a summary: a shorter text is its own summary
    summary_max_sentences: int = 3  # sentences of a summary, which must be read at a glance
    summary_share: float = 1 / 8  # share of the sentences of a text in its summary; at least one
    summary_lead_bonus: float = 0.25  # share by which the first sentence scores higher: texts start with their topic
    summary_min_lemmas: int = 4  # content words of a sentence in a summary: shorter ones are captions or asides
    hub_share: float = 0.2  # of the chunks: an entity that more chunks mention is a hub, which connects everything

    # ---- evolutions -----------------------------------------------------------------------------------

    answer_max_words: int = 14  # words of a golden answer: a longer one cannot be compared with a system's answer
    name_anchor: int = 2  # weight of a name or code, which alone ties a question to the corpus
    term_anchor: int = 1  # weight of a compound or modified noun, which is less specific than a name
    term_min_lemmas: int = 2  # content words of a modified noun that counts as a term: "old mill", not "every mill"
    anchor_phrases: int = 2  # strongest phrases whose weights are added: a third one makes a question no clearer
    min_anchor: int = 1  # lowest weight of the other phrases of a question: they must say what it is about
    condition_min_words: int = 3  # words of a condition: "if so" and "when open" depend on the sentence before
    explanation_min_words: int = 3  # words of a cause or purpose: fewer explain nothing
    unclear_explanation_min_words: int = 5  # words of one with a pronoun: "because it is so" refers to something else
    definition_min_words: int = 3  # words that define a thing: "a tool" defines nothing
    defined_max_words: int = 5  # words of the thing that is defined: a longer subject is a description itself
    common_noun_frequency: int = 1000  # count in jieba's dictionary above which a noun alone is no topic: 比赛
    scoped_max_twins: int = 60  # facts that differ in their value only: more come from a table
    related_cosine: float = 0.4  # lowest of the chunks of two facts of different documents that one could compare
    swap_window: int = 200  # facts about entities of the same kind searched for partners, the most similar first
    swap_partners: int = 12  # entities that one fact is asked about, those with the most similar chunks
    swap_max_phrases: int = 1  # phrases of the fact besides subject and answer: more fit the original entity only
    swap_max_words: int = 5  # words of such a phrase: a longer one fits the original entity only
    place_share: float = 0.8  # share of the mentions of a place that are read as one: products have names like towns
    topic_min_mentions: int = 3  # mentions of the entity of an out-of-scope question: the corpus must be about it

    # ---- filters --------------------------------------------------------------------------------------

    scenarios_min: int = 1500  # scenarios drawn of each subtype: most are rejected, so a small set needs many too
    scenarios_per_question: int = 15  # scenarios drawn of each subtype in addition, for each question wanted
    evidence_copies: int = 8  # other places of an answer kept in an evidence group; one is enough to prove it
    answer_gap_chars: int = 30  # characters after an answer within which the next phrase or verb of its fact begins
    answer_gap_words: int = 2  # words between the two, such as "and then"; with more the answer may be cut off
    name_heading_words: int = 3  # words of a heading that is a name; longer ones in title case only look like names
    name_headings_min: int = 2  # neighbouring headings that are names: a single one is not a list of places or products
    name_heading_share: float = 0.5  # share of the neighbouring headings that are names in such a list
    top_chunks: int = 5  # chunks that systems usually retrieve: evidence ranked below them is hard to find
    easy_found: float = 0.9  # probability that a retriever finds all evidence, from which a question is easy
    medium_found: float = 0.6  # the same from which it is not hard
    hard_negatives: int = 3  # hard negatives of a question; more would only be less similar
    hard_negatives_from: int = 40  # most similar chunks among which hard negatives are looked for
    hard_negative_cosine: float = 0.95  # share of the gold chunk's cosine; above it a chunk may hold the answer too
    llm_tries: int = 3  # scenes an LLM is asked about for each question wanted of a type, so that a poor one ends
    llm_patience: int = 8  # scenes of a type of which one must give a question, for more of them to be tried
    asked_in_prompt: int = 8  # accepted on the same documents, proposed on the same passages: not to be repeated
    stand_in_keep: float = 0.7  # of a question of the rules beside those of an LLM, nine of ten of which readers keep
    asked_over: float = 1.15  # questions of an LLM that are accepted for each one wanted, so that the best are chosen
    scenes_at_once: int = 20  # finished before the next are begun, so that a spent budget leaves finished questions
    titles_in_prompt: int = 12  # titles that tell an LLM what the documents are about
    rivals_in_prompt: int = 3  # passages from elsewhere in which an LLM looks for another answer, or for a missing step

    # ---- quality and selection ------------------------------------------------------------------------

    usual_question_max: int = 18  # words; longer questions read like the sentence they come from
    keep_weight: float = 8.0  # of the probability of being kept in selection: it differs less than quality did
    # Share by which a question is worth more that half of all systems pass; less the more of them pass or fail.
    natural_information: float = 1.0
    hard_information: float = 4.0
    hard_keep: float = 0.2  # below --min-keep that a hard set goes: what is hard to find is less surely kept
    # Penalties in selection are differences in quality.
    document_penalty: float = 0.6  # for a document asked about before: only a much better question comes first
    section_penalty: float = 0.2  # for a section asked about before; less than for a document, which has many
    subtype_penalty: float = 0.3  # times the share of the item's subtype among the chosen items of its type
    similarity_penalty: float = 0.5  # times the greatest cosine with a chosen question
    series_max: int = 4  # questions on one table or list of terms: more are alike
    short_document_penalty: float = 0.2  # for a short document: a long one without a question is missed more

    # ---- English questions ----------------------------------------------------------------------------

    answer_run_sentences: int = 3  # that answer a heading: more are a section, and a part of them is half an answer
    answer_run_words: int = 110  # of an answer with its code, or of steps
    scope_min_titles: int = 2  # documents with a name in the title, for it to be what the folder is about
    scope_documents_share: float = 0.9  # of documents that hold a name; with one title it is what the folder is about
    scope_min_uses: int = 2  # of a name after "in", "with", "on" or "at", for a question to use it so
    scope_use_share: float = 0.04  # the same, of all its mentions
    scope_capital_ratio: float = 2.0  # of a name inside sentences, with a capital to without
    heading_words: int = 6  # of a heading that a question names ("For …"); a longer one reads as a sentence
    heading_short_letters: int = 4  # shorter words of a title lose their capital though no dictionary has them ("Api")
    head_letters: int = 3  # of the lemma of a noun; they start its plural in the text too ("factory", "factories")
    label_mentions: int = 3  # of a name, from which the parser's label is trusted; on one mention it guesses
    person_label_share: float = 0.5  # of the mentions of a thing; labelled as a person more often, it may be either
    duration_words: int = 6  # "the last two and a half years"; a longer phrase says more than how long
    working_day_words: int = 3  # "five working days"; with more words the days are those of something else
    time_words: int = 8  # of a phrase that "when" asks for; a longer one tells of an event
    outcome_words: int = 30  # of what happens under a condition; a longer clause is hard to grade as an answer
    event_min_words: int = 3  # words of content of a condition under which something happens; fewer say little
    prose_telling: int = 3  # words of content, those of the title twice, by which a question stands without its page
    prose_telling_alone: int = 5  # without a word of the title
    purpose_mentions: int = 9  # sentences that name a thing; one named more often has more uses than the one asked for
    scoped_rivals: int = 5  # places with another value that a derivation lists; more prove nothing new
    topic_share: float = 0.6  # of the highest cosine with --topic, from which on a chunk is near it
    topic_least: float = 0.3  # the highest cosine below which no chunk is about --topic; unrelated texts have 0.15
    topics_per_entity: int = 2  # out-of-scope questions about one thing; more would repeat the list of topics
    search_letters: int = 4  # of the beginning that stands for all its words ("calib*"); a shorter one finds others too
    surname_letters: int = 3  # of the last name by which a person is searched for; a shorter one is a syllable ("Li")

    # ---- checks of the audit --------------------------------------------------------------------------

    promise_questions: int = 20  # from which the share that a reader would keep is estimated; chance rules in fewer
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
    safe_rank: int = 10  # evidence up to this rank counts as found in recall@10, however few words it shares
    low_rank_word_share: float = 0.2  # of the question's words, by rarity; evidence of a low rank should hold more
    parsed_sentence_share: float = 0.6  # of the words, by rarity; a sentence with more is parsed to find another answer
    parsed_sentences: int = 30  # for one question, those with most of its words first; parsing is slow
    # ---- drawing documents
    # of drawn documents for each question wanted: at first, as long as there are fewer questions than wanted, and as
    # long as only types of them are short
    words_per_question: int = 700
    most_words_per_question: int = 4000
    words_per_question_of_a_type: int = 1500
    least_words: int = (
        30_000  # at least; twice as many are parsed and embedded in a minute, so no fewer are ever left out
    )
    drawn_words: int = 3000  # a longer document is drawn as likely as one of this length: it would crowd out others
    drawn_documents: int = 10  # at least, or all
    rarest_words: int = 4  # of a question, one of which a passage found for it must have
    passages_compared: int = 50  # with a question, of those found; the share of its words in each is counted
    near_block_share: float = 0.7  # of what a passage has of the words, in a block of it that is worth parsing
    passages_read: int = 8  # for one question, those with most of its words first; parsing is slow
    near_chunks: int = 5  # of drawn documents, those most like a question by words, which are embedded to rank them
    known_phrase_share: float = 0.7  # of a phrase's words, in the question; then the asker knows the phrase
    answering_fact_share: float = 0.5  # of the question's words, in a fact; then the question may be about it
    extra_answer_words: int = 1  # content words that a phrase may have besides the answer: the noun for its type
    copied_set_overlap: float = 0.9  # mean share of question words in the evidence; in human questions it is 0.66
    topic_expected_chunks: float = 5.0  # gold chunks with a word, by chance; none then has it in 1 of 100 sets
    topic_chunk_share: float = 0.2  # of the chunks; a word in more is too common to be a topic

    # ---- calibration ----------------------------------------------------------------------------------

    # of each set, for a verdict: samples of 30 were ruled "does not rank" wrongly in 1 of 100 cases, of 10 in 6
    calibration_min_questions: int = 30
    # they come from: the interval resamples documents, and from 10 it is 18 % too narrow (sqrt(9/10) * 1.96 / t)
    calibration_min_documents: int = 10

    # ---- sets of other tools --------------------------------------------------------------------------

    # of a question's content words, in the section of its answer, for that to be its evidence: 1 of 270 places found
    # for questions of people (SQuAD 2.0) is wrong; with a greater share, fewer places have rivals, and more are wrong
    evidence_word_share: float = 0.5
    # of the question's words, by rarity, that the passage with most of them has: an answer in a passage with fewer
    # belongs to another question. Of answers swapped within a document 8 % stay, people's own lose 5 % (SQuAD 2.0)
    evidence_passage_share: float = 0.7

    # ---- scoring --------------------------------------------------------------------------------------

    member_found_share: float = 0.6  # of the content words of a list's member, for an answer to have the member
    needed_words: int = 2  # content words of a golden answer that an answer must all have
    clipped_letters: int = 4  # at the start of a word, for one with the same to be it in short or of its family: "info"
    same_word_share: float = 0.5  # of the content words of a long golden answer, for other words to say the same
    akin_share: float = 0.5  # of the characters of a Chinese word, for another one to say the same
    copied_word_share: float = 0.75  # of the words of a golden answer in their order, in an answer that repeats it
    claim_word_share: float = 0.6  # of the content words of a claim, in the sentence that states it; and the reverse
    claim_cosine: float = 0.7  # of a claim and the sentence that states it; other claims of one answer have up to 0.67
    claims_passed_share: float = 0.75  # of the claims of an answer, to pass: of two and three all, of four one may lack
    claims_supported_share: float = 0.5  # of the statements of an answer, to pass; below, it is mostly something else
    # of the letters of a passage, that stand in the document it names in pieces of 17 letters or more. Each piece is
    # where it is found; programs that read columns, tables and page heads in another order leave the shorter ones
    passage_pieces_share: float = 0.5
    gone_evidence_share: float = 0.5  # of the questions, with evidence in no document; above, the documents are wrong
    left_out_share: float = 0.1  # of the questions, not asked or not checked; above, no gate on the others can pass
    uncertain_match_share: float = 0.3  # of the passages; above, retrieval metrics may say more about the matching
    whole_document_share: float = 0.5  # of a document in a passage; above, to find a document is to find its evidence
    retrieved_corpus_share: float = 0.25  # of all documents in the passages of a question; above, much is found by size
    chunk_max_words: int = 400  # of passages on average; longer ones are often several chunks joined
    hidden_answer_words: int = 100  # of an answer, from which a golden answer in it may stand there by chance …
    hidden_answer_times: int = 20  # … if the answer is also so many times as long as the golden answer
    copied_answer_words: int = 50  # the same of an answer that is copied from a document or passage …
    copied_answer_times: int = 10
    copied_answer_sentences: int = 3  # one or two that hold the answer are a quotation
    alternative_words: int = 4  # of a golden answer and of the alternatives to it, at most
    conversion_rounding: float = 0.05  # of a value that is given in another unit beside the right one

    # ---- languages, and parsing English ---------------------------------------------------------------

    long_document_words: int = 150  # of prose and tables, from which a document is worth a question
    letter_share: float = 0.2  # of the letters that are those of a language; a document also holds Latin names and code
    foreign_word_share: float = 0.5  # of the words in another script; more than a name now and then
    language_common_words: int = 2  # of a language, in a text that is taken for it; one may be a name
    words_per_common_word: float = 3.0  # at most, in a text that is certainly in the language
    parsed_block_characters: int = 6000  # a longer block is not prose, and the parser's memory grows with it
    pronoun_sentences: int = 2  # that a chain of pronouns may reach back; each step may be wrong
    half_sentence_tokens: int = 3  # of a cause or condition and of its outcome; fewer are not a clause
    negatable_letters: int = 5  # of a stem after a negative prefix, without its e; shorter ones are other words: inform
    counted_noun_words: int = 4  # after a number; with more the text is not a plain count
    question_min_words: int = 3  # a shorter question does not say what it is about
    question_max_words: int = 45  # nobody asks a longer one
    reason_words: int = 3  # from which an answer may be a reason without "because"


LIMITS = Limits()  # those in force

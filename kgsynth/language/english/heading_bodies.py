"""Check whether the text below a heading answers it, and find the sentences of it that do, by their words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, lemma_of, stem
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.sentence_ends import sentence_spans

# Check whether the text below a heading answers the question that the heading asks, by its words, without a parser.
#
# A section below "Testing steps" that gives steps does not say how you test steps; one below "Using a queue" that
# only praises queues does not say how you use one.

_BETWEEN = r"(?:\s+(?!to\b|of\b|in\b|on\b|at\b|outside\b|for\b|with\b|from\b|by\b|and\b|or\b)[\w'’-]+){0,3}?\s+"


def is_order(sentence: str) -> bool:
    """Check whether a sentence tells the reader to do something.

    Example:
        >>> [is_order(text) for text in ("Open the valve.", "To refill it, open the valve.", "The valve is open.")]
        [True, True, False]
    """
    rest = sentence[match.end() :] if (match := PATTERNS["lead"].match(sentence)) else sentence
    told = rest.split()
    if not told:
        return False
    first, after = told[0].strip(",:;").lower(), (told[1].strip(",:;.") if len(told) > 1 else "")
    if first in WORDS["no_orders"] or not is_base_verb(first) or after.lower() in WORDS["after_noun"]:
        return False
    free = not is_noun(first) or is_only_verb(first) or after.lower() in WORDS["after_verb"]
    return free or bool(after and (not after.isalpha() or not is_word(after) or after[0].isupper()))


def tells_reader(sentence: str) -> bool:
    """Check whether a sentence tells the reader what to do, as an order or as what can be done.

    Example:
        >>> [tells_reader(text) for text in ("Open the valve.", "You can open it.", "If you can, it opens.")]
        [True, True, False]
    """
    rest = sentence[match.end() :] if (match := PATTERNS["lead"].match(sentence)) else sentence
    return is_order(sentence) or bool(PATTERNS["you_can"].match(rest) or PATTERNS["by_doing"].search(sentence))


def reads_as_verb(task: str, text: str) -> bool:
    """Check whether a text shows that the first word of a task is its verb: "test steps" may be named "testing steps".

    A task whose second word is a determiner, or whose object is not a common head of compounds, needs no proof.

    Example:
        >>> reads_as_verb("host platforms", "There are many platforms that host sites.")
        False
        >>> reads_as_verb("test a pump", "")
        True
        >>> reads_as_verb("check errors", "You should check all errors first.")
        True
    """
    verb, *rest = task.split()
    if not rest or rest[0].lower() in WORDS["after_verb"]:
        return True
    head = rest[next((n for n, word in enumerate(rest) if word.lower() in WORDS["after_verb"]), len(rest)) - 1]
    noun = stem(head.strip(",.()").lower())
    if not (noun and is_word(noun)):
        return True
    forms = rf"\b{re.escape(verb.lower())}(?:s|es|d|ed)?\b"
    pair = rf"{forms}{_BETWEEN}{re.escape(noun[: max(3, len(noun) - 1)])}"
    return lemma_of(noun, "NOUN") not in WORDS["generic_heads"] or bool(re.search(pair, text, re.I))


def is_order_by_text(heading: str, text: str) -> bool:
    """Check whether a heading that begins with what may be a verb tells the reader to do something.

    It does unless the text below has its first two words as part of a name.

    Example:
        >>> is_order_by_text("Access tokens", "All access tokens expire."), is_order_by_text("Use locks", "They help.")
        (False, True)
    """
    first, second, *_ = [*heading.split(), ""]
    if not second or not is_base_verb(first.lower()) or second.lower() in WORDS["after_head_noun"]:
        return False
    mentions = re.finditer(rf"(?i)(\w+),? {re.escape(first)} {re.escape(second)}", text)
    return all(mention[1].lower() in WORDS["before_verb"] for mention in mentions)


def refers_outside(text: str, *, asked: bool) -> str:
    """Return why a text cannot stand alone as an answer, "" if it can.

    ``asked`` says that the page asks the question itself; its answer may then speak of "it" and "we".

    Example:
        >>> refers_outside("See the guide.", asked=True), refers_outside("These are old.", asked=False)
        ('points elsewhere', 'opens with a reference')
        >>> refers_outside("Open the valve.", asked=False)
        ''
    """
    first = next((text[start:end] for start, end in sentence_spans(text)), "")
    if PATTERNS["pointer"].search(first) or (len(text.split()) < 30 and PATTERNS["pointer"].search(text)):
        return "points elsewhere"
    if PATTERNS["needs_other_text"].search(text):
        return "refers to another place"
    if PATTERNS["proposal"].search(text):
        return "proposes"
    if not asked and (PATTERNS["dangles"].match(text) or PATTERNS["it_first"].match(text)):
        return "opens with a reference"
    if not asked and PATTERNS["tutorial"].search(text):
        return "tells a tutorial"
    return "ends in a question" if text.rstrip().endswith("?") else ""


# Find the sentences below a heading that answer its question, and leave out the reasons, asides and warnings there.
#
# For "How do you rotate a key?" these are the sentences that tell the reader what to do, for "Why …?" those that give
# a reason. They must stand together and be few; otherwise any part of the text would be half an answer.

CODE, SENTENCE = "code", "sentence"
_MEMBERS = ("item", "cell")

_HOW_QUESTION = re.compile(r"^how (?:do|can|should|could|might|would) (?:you|i|we|one)\b", re.I)
_IN_A_CASE = "What should you do "
_REFERS_BACK = re.compile(r"\b(?:these|those|this)\b|, (?:however|though|therefore|too)\b", re.I)
_PURPOSE = re.compile(r"^(?:in order )?to (\w[^,]+),", re.I)
_ASKS_VERDICT = re.compile(r"^(?:is|are|was|were|do|does|did|can|could|should|will|would|may|must|has|have)\b", re.I)
_GIVES_VERDICT = re.compile(r"^(?:yes|no|not|it depends|absolutely|of course|sure|certainly|never|always)\b", re.I)
_ONE_FACT = re.compile(r"^(?:where|who|whom|whose|how (?:many|much|often|long|far|large|big|fast))\b", re.I)
"""Questions that a sentence answers; those for "what" may ask for all that a section says."""
_EXPLAINS = re.compile(r"^how (?:do|does|is|are)\b", re.I)


_RUN_BRIEF = 2  # sentences of a section that is an answer as a whole
_RUN_CODE_WORDS = 30  # of the code that an answer leads into; more is an example
_RUN_SHARE = 0.6  # of the words of a heading in a sentence that answers it
_RUN_BARE_WORDS = 5  # a verdict of fewer words ("Yes, you can.") is given with the next sentence


class SectionPiece(NamedTuple):
    """A sentence or a block of the text below a heading.

    ``kind`` is that of its block, "sentence" for one of a paragraph; ``opens`` is whether it is the first of its block.
    """

    kind: str
    text: str
    opens: bool = True


def answer_run(question: str, pieces: Sequence[SectionPiece]) -> range | None:
    """Return which pieces answer a question, None where no few of them in a row do.

    Example:
        >>> texts = "Keys are secret.", "To rotate a key, open the settings and click Rotate.", "Note that it is slow."
        >>> answer_run("How do you rotate a key?", [SectionPiece("sentence", text) for text in texts])
        range(1, 2)
    """
    if match := _HOW_QUESTION.match(question):
        return _instruction(set(content_stems(question[match.end() :])), pieces)
    if question.startswith(_IN_A_CASE):
        return _only_run((n for n, piece in _sentences(pieces) if tells_reader(piece.text)), pieces)
    if _EXPLAINS.match(question):
        return _all(pieces, LIMITS.answer_run_sentences)
    if _ASKS_VERDICT.match(question):
        return _verdict(pieces)
    if question.startswith("Why "):
        return _reason(pieces)
    asked = set(content_stems(question))
    share = _shares(asked)
    brief = _all(pieces, _RUN_BRIEF)
    if question.startswith("When "):
        return brief or _only_run(
            (n for n, piece in _sentences(pieces) if PATTERNS["occasion"].search(piece.text)), pieces
        )
    fits = [n for n, piece in _sentences(pieces) if share(piece.text) >= _RUN_SHARE]
    return brief or (_only_run(fits, pieces) if _ONE_FACT.match(question) else None)


def asks_how(question: str) -> bool:
    """Check whether a question asks how the reader does something.

    Example:
        >>> asks_how("How can I rotate a key?"), asks_how("How does it work?")
        (True, False)
    """
    return bool(_HOW_QUESTION.match(question))


def _sentences(pieces: Sequence[SectionPiece]) -> Iterable[tuple[int, SectionPiece]]:
    return (
        (n, piece)
        for n, piece in enumerate(pieces)
        if piece.kind == SENTENCE and not PATTERNS["aside"].match(piece.text)
    )


def _shares(asked: set[str]) -> Callable[[str], float]:
    return lambda text: len(asked & set(content_stems(text))) / max(1, len(asked))


def _instruction(asked: set[str], pieces: Sequence[SectionPiece]) -> range | None:
    """Return the sentences that tell how to do a task: round the one with most of its words, if no other rivals it."""
    share = _shares(asked)
    telling = [n for n, piece in _sentences(pieces) if tells_reader(piece.text) and not _for_else(piece.text, asked)]
    best = max(telling, key=lambda n: share(pieces[n].text), default=-1)
    if best < 0:
        return None
    if share(pieces[best].text) < _RUN_SHARE:
        best = telling[0]
        if best > 0 or not is_order(pieces[best].text):
            return None
    run = _whole(_grown(best, telling, pieces), pieces)
    if run is None or not set().union(*(content_stems(pieces[n].text) for n in run)) & asked:
        return None
    others = [n for n in telling if n not in run]
    rivals = [n for n in others if share(pieces[n].text) >= _RUN_SHARE]
    return None if rivals or len(others) > 1 else run


def _for_else(sentence: str, asked: set[str]) -> bool:
    """Check whether a sentence opens with another purpose than the task: "To delete a key, …"."""
    purpose = _PURPOSE.match(sentence)
    return purpose is not None and not asked & set(content_stems(purpose[1]))


def _grown(best: int, telling: Sequence[int], pieces: Sequence[SectionPiece]) -> range:
    """Return the telling sentences in a row around ``best``: those of its block, and those after that go on."""
    start, stop = best, best + 1
    while start - 1 in telling and not pieces[start].opens and _follows(pieces[start]):
        start -= 1
    while stop in telling and _follows(pieces[stop]):
        stop += 1
    return range(start, stop)


def _follows(piece: SectionPiece) -> bool:
    """Check whether a sentence is the next thing to do, and not what else can be done."""
    return bool(PATTERNS["next_step"].match(piece.text)) or (is_order(piece.text) and not piece.opens)


def _whole(run: range, pieces: Sequence[SectionPiece]) -> range | None:
    """Return a run with what its first sentence leans on and the code its last leads into, None if it stays a part."""
    start, stop = run.start, run.stop
    if PATTERNS["leans"].match(pieces[start].text) or (start > 0 and _REFERS_BACK.search(pieces[start].text)):
        if start == 0 or pieces[start].opens or pieces[start - 1].kind != SENTENCE:
            return None
        start -= 1
        if any(form.search(pieces[start].text) for form in (PATTERNS["leans"], PATTERNS["aside"], _REFERS_BACK)):
            return None
    if stop - start > LIMITS.answer_run_sentences:
        return None
    if pieces[stop - 1].text.endswith(":"):
        code = pieces[stop] if stop < len(pieces) else None
        if code is None or code.kind != CODE or len(code.text.split()) > _RUN_CODE_WORDS:
            return None
        stop += 1
    following = pieces[stop] if stop < len(pieces) else None
    goes_on = following and (PATTERNS["next_step"].match(following.text) or following.kind in _MEMBERS)
    return None if goes_on else range(start, stop)


def _only_run(found: Iterable[int], pieces: Sequence[SectionPiece]) -> range | None:
    """Return the pieces found if they stand in a row and are few."""
    places = list(found)
    if not places or places[-1] - places[0] >= len(places):
        return None
    return _whole(range(places[0], places[-1] + 1), pieces)


def _all(pieces: Sequence[SectionPiece], most: int) -> range | None:
    """Return all pieces if they are few sentences, none of them an aside."""
    plain = sum(1 for _ in _sentences(pieces))
    return range(len(pieces)) if 0 < plain == len(pieces) <= most else None


def _reason(pieces: Sequence[SectionPiece]) -> range | None:
    """Return the reasons, without the advice after them; in a short text every other sentence is one."""
    plain = list(_sentences(pieces))
    reasons = [n for n, piece in plain if PATTERNS["says_reason"].search(piece.text)]
    if len(plain) == len(pieces) <= LIMITS.answer_run_sentences:
        reasons = [n for n, piece in plain if n in reasons or not tells_reader(piece.text)]
    return _only_run(reasons, pieces)


def _verdict(pieces: Sequence[SectionPiece]) -> range | None:
    """Return the answer to a question for yes or no: what begins with that, and the reason after a bare "Yes."."""
    if not pieces or pieces[0].kind != SENTENCE or not _GIVES_VERDICT.match(pieces[0].text):
        return _all(pieces, _RUN_BRIEF)
    bare = len(pieces[0].text.split()) < _RUN_BARE_WORDS
    stop = 1 + (bare and len(pieces) > 1 and pieces[1].kind == SENTENCE)
    limited = stop < len(pieces) and re.match(r"(?i)(?:but|however|unless|except|only)\b", pieces[stop].text)
    return None if pieces[stop - 1].text.endswith(":") else range(stop + bool(limited))

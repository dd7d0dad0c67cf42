"""Find the sentences below a heading that answer its question, and leave out the reasons, asides and warnings there.

For "How do you rotate a key?" these are the sentences that tell the reader what to do, for "Why …?" those that give a
reason. They must stand together and be few; otherwise any part of the text would be half an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.heading_bodies import is_order, tells_reader
from kgsynth.language.english.question_checks import content_stems

CODE, SENTENCE = "code", "sentence"
_MEMBERS = ("item", "cell")

_HOW_QUESTION = re.compile(r"^how (?:do|can|should|could|might|would) (?:you|i|we|one)\b", re.I)
_IN_A_CASE = "What should you do "
_ASIDE = re.compile(
    r"^(?:[^.]{0,60}\b(?:optional(?:ly)?|(?:can|could|may|might) also)\b|"
    r"\W*(?:note|nb|n\.b\.|tip|hint|warning|caution|important|attention|"
    r"info|example|remember)\b(?! (?:the|down))|"
    r"(?:please )?(?:note|notice|observe|remember|keep in mind|bear in mind|be (?:careful|aware|sure)|beware|"
    r"make sure)\b|(?:for (?:example|instance|more|further|details)|see|refer to|read|this (?:is|means|image|"
    r"will|also|can|makes|way|allows)|that (?:is|means|way)|however|but|if you (?:are|have) (?:interested|"
    r"questions)|also|in addition|additionally|it (?:is|also) |you (?:can|may|could|might) also)\b)",
    re.I,
)
"""How sentences begin that add to an answer and are no part of it."""
_NEXT_STEP = re.compile(
    r"^(?:then|next|now|after(?:wards| that| this)|finally|lastly|once|second|third|and|when)\b", re.I
)
_LEANS = re.compile(
    r"^(?:then|next|finally|afterwards?|this|that|these|those|it|its|they|their|such|so|thus|therefore|hence|"
    r"otherwise|alternatively|instead|another|others?|again|(?:the|in) (?:latter|former|second|other|same)|both|"
    r"in (?:this|that|these|those|such)|to do (?:this|that|so|it)|for (?:this|that)|once (?:this|that|done)|"
    r"(?:after|with|by|from) (?:that|this|these)|here|as such|as a result|similarly|likewise)\b",
    re.I,
)
"""How sentences begin that are understood only after the one before."""
_REFERS_BACK = re.compile(r"\b(?:these|those|this)\b|, (?:however|though|therefore|too)\b", re.I)
_PURPOSE = re.compile(r"^(?:in order )?to (\w[^,]+),", re.I)
_SAYS_REASON = re.compile(
    r"\bbecause\b|\bsince\b|\bso (?:that|you|it|we|they)\b|\bas (?:a result|it|they|this|there)\b|\bdue to\b|"
    r"\breasons?\b|\ballows?\b|\bhelps?\b|\blets?\b|\bin order to\b|\bmakes? (?:it|sure)\b|\benables?\b|"
    r"\bavoids?\b|\bprevents?\b|\bensures?\b|\botherwise\b|\bbenefits?\b|\badvantages?\b|\bthis (?:means|is)\b",
    re.I,
)
_OCCASION = re.compile(
    r"\b(?:if|when|whenever|while|before|after|until|unless|once|as soon as|only|in case|during|every|each|"
    r"(?:at|within|by) (?:the|least|\d))\b",
    re.I,
)
_ASKS_VERDICT = re.compile(r"^(?:is|are|was|were|do|does|did|can|could|should|will|would|may|must|has|have)\b", re.I)
_GIVES_VERDICT = re.compile(r"^(?:yes|no|not|it depends|absolutely|of course|sure|certainly|never|always)\b", re.I)
_ONE_FACT = re.compile(r"^(?:where|who|whom|whose|how (?:many|much|often|long|far|large|big|fast))\b", re.I)
"""Questions that a sentence answers; those for "what" may ask for all that a section says."""
_EXPLAINS = re.compile(r"^how (?:do|does|is|are)\b", re.I)


_RUN_BRIEF = 2  # sentences of a section that is an answer as a whole
_RUN_CODE_WORDS = 30  # of the code that an answer leads into; more is an example
_RUN_SHARE = 0.6  # of the words of a heading in a sentence that answers it
_RUN_NEWS = 3  # words of an answer that are not in the heading; fewer only repeat it
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
    if question.startswith("What do you need before") or _EXPLAINS.match(question):
        return _all(pieces, LIMITS.answer_run_sentences)
    if _ASKS_VERDICT.match(question):
        return _verdict(pieces)
    if question.startswith("Why "):
        return _reason(pieces)
    asked = set(content_stems(question))
    share = _shares(asked)
    brief = _all(pieces, _RUN_BRIEF)
    if question.startswith("When "):
        return brief or _only_run((n for n, piece in _sentences(pieces) if _OCCASION.search(piece.text)), pieces)
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
    return ((n, piece) for n, piece in enumerate(pieces) if piece.kind == SENTENCE and not _ASIDE.match(piece.text))


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
    return None if rivals or len(others) > 1 or _says_little(asked, run, pieces) else run


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
    return bool(_NEXT_STEP.match(piece.text)) or (is_order(piece.text) and not piece.opens)


def _whole(run: range, pieces: Sequence[SectionPiece]) -> range | None:
    """Return a run with what its first sentence leans on and the code its last leads into, None if it stays a part."""
    start, stop = run.start, run.stop
    if _LEANS.match(pieces[start].text) or (start > 0 and _REFERS_BACK.search(pieces[start].text)):
        if start == 0 or pieces[start].opens or pieces[start - 1].kind != SENTENCE:
            return None
        start -= 1
        if any(form.search(pieces[start].text) for form in (_LEANS, _ASIDE, _REFERS_BACK)):
            return None
    if stop - start > LIMITS.answer_run_sentences:
        return None
    if pieces[stop - 1].text.endswith(":"):
        code = pieces[stop] if stop < len(pieces) else None
        if code is None or code.kind != CODE or len(code.text.split()) > _RUN_CODE_WORDS:
            return None
        stop += 1
    following = pieces[stop] if stop < len(pieces) else None
    goes_on = following and (_NEXT_STEP.match(following.text) or following.kind in _MEMBERS)
    return None if goes_on else range(start, stop)


def _says_little(asked: set[str], run: range, pieces: Sequence[SectionPiece]) -> bool:
    """Check whether a run only repeats the words of its question: "You can rotate keys."."""
    told = {stem for n in run for stem in content_stems(pieces[n].text)}
    return len(told - asked) < _RUN_NEWS


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
    reasons = [n for n, piece in plain if _SAYS_REASON.search(piece.text)]
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

"""quoted: every claim of the answer has a quote in the passages, which holds every figure and name of it.

A sentence of the answer that is not proved is cut if the others stand without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from kgsynth.base.records import Claim, Container, Document, Item, Rejection, Span, containers_around, item_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.evidence.quoted_proof import LIST_MARK, foreign_name, headings_at, quoted_proof, unproved
from kgsynth.generation.asking.context import Placed, column_heads, rendered, shown
from kgsynth.generation.asking.prompts import Manner, Proposal, Setting
from kgsynth.generation.scenes.passages import Scene
from kgsynth.language import nearest_language
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words

_STRAIGHT = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_ELISION = re.compile(r"\s*(?:\.\.\.|…|\[\.\.\.\]|\[…\])\s*")
_MIN_PART = 8  # letters of a part of a quote with an elision
_SHORT_BLOCK = 300  # characters of a block that is shown as evidence whole


def find_quote(quote: str, passage: Span, document: Document) -> list[Span]:
    """Return the places of a quote in a passage, one for each part between elisions; none if a part is not there.

    Example:
        >>> page = Document("a.md", "Staff have 25 days of leave.", "A", "md", "", (), ())
        >>> [span.text for span in find_quote("have  25 days", page.span(0, 28), page)]
        ['have 25 days']
    """
    wrapped = re.fullmatch(r'\s*["“](.*)["”]\s*', quote, re.DOTALL)
    quote = wrapped[1] if wrapped else quote
    source = [(letter, passage.start + place) for place, letter in enumerate(passage.text)]
    texts = [source, list(rendered(passage.start, passage.end, document)), shown(passage, document)]

    def places(part: str) -> list[Span]:
        found = next((found for text in texts if (found := _places(part, text))), [])
        return [document.span(*place) for place in found]

    if whole := places(quote):  # the passage itself may have an ellipsis
        return whole
    parts = [part for part in _ELISION.split(quote) if part.strip()]
    if len(parts) < 2 or any(len(part) < _MIN_PART for part in parts):
        return []
    found = [places(part) for part in parts]
    return [place for each in found for place in each] if all(found) else []


def _places(quote: str, text: Placed) -> list[tuple[int, int]]:
    """Return where the letters of a quote stand: one place, or several in turn if letters between are only shown."""
    letters = [(letter.translate(_STRAIGHT), place) for letter, place in text if not letter.isspace()]
    sought = "".join(quote.translate(_STRAIGHT).split())
    at = "".join(letter for letter, _ in letters).find(sought) if sought else -1
    if at < 0:
        return []
    found: list[tuple[int, int]] = []
    before = -1
    for _, place in letters[at : at + len(sought)]:
        if place >= 0:  # after what is only shown, and before a head, which stands further up, another place begins
            goes_on = 0 <= before < place
            found.append((found.pop()[0] if goes_on else place, place + 1))
        before = place
    return found


def around_quote(quote: Span, document: Document) -> tuple[int, int]:
    """Return the bounds of the evidence of a quote: the whole block or row if it is short, else its sentences."""
    start, end = quote.start, quote.end
    for table, cell in _cells(quote, document):
        row = _row(table, cell, document)
        low, high = min(each.start for each in row), max(each.end for each in row)
        if high - low <= LIMITS.passage_characters:
            start, end = min(start, low), max(end, high)
    for block in document.blocks_in(quote.start, quote.end):
        for low, high in _pieces(block.start, block.end, document):
            if low < quote.end and quote.start < high:
                start, end = min(start, low), max(end, high)
    return start, end


def _pieces(start: int, end: int, document: Document) -> list[tuple[int, int]]:
    if end - start <= _SHORT_BLOCK:
        return [(start, end)]
    return [(start + low, start + high) for low, high in sentence_spans(document.text[start:end])]


def heads_beside(quote: Span, document: Document) -> list[Span]:
    """Return the column heads and the row heads of the cells that a quote stands in, without which they say nothing."""
    found: dict[Span, None] = {}
    for table, cell in _cells(quote, document):
        first = min(_row(table, cell, document), key=lambda each: each.column)
        heads = [*column_heads(table, document).get(cell.column, ()), first]
        for head in heads if cell.row else ():
            if letters := [place for _, place in rendered(head.start, head.end, document)]:
                found[document.span(letters[0], letters[-1] + 1)] = None
    return [head for head in found if not head.meets(quote)]


def _cells(span: Span, document: Document) -> list[tuple[int, Container]]:
    """Return the cells of tables with column heads that a span stands in, each with the number of its table."""
    cells = document.containers
    inside = {n for block in document.blocks_in(span.start, span.end) for n in containers_around(cells, block.inside)}
    own = [cells[number] for number in sorted(inside) if cells[number].kind == ContainerKind.CELL]
    headed = {table for table in {cell.parent for cell in own} if column_heads(table, document)}
    return [(cell.parent, cell) for cell in own if cell.parent in headed]


def _row(table: int, cell: Container, document: Document) -> list[Container]:
    """Return the cells that reach into the row of a cell."""
    cells = (each for each in document.containers if each.parent == table)
    return [each for each in cells if each.row <= cell.row < each.row + each.rows]


_MAX_GAP = 200  # characters between two quotes of one passage that are one piece of evidence
_STEP_MARK = re.compile(r"(?:^|(?<=[.!?:;)。！？：；）])\s*)([1-9]\d?)(?:[.)]\s+|[、．]\s*)(?=\D)")
"""The number of a step, after a sentence or a colon."""
_PHRASE_WORDS = 6  # an answer of more words is compared by its claims
_SHARE_SAID = 0.6  # share of the words of a claim in an answer from which on the answer is taken to say it
_KEYWORDS_AT_MOST = 12
_SHARE_TOLD = 0.6  # share of the words of a claim in its quotes from which on they are in its words

Quotes = list[list[Span]]


@dataclass(frozen=True, slots=True)
class Written:
    """A proposal of an LLM as an item, with its scene and the manner that was asked for."""

    item: Item
    scene: Scene
    manner: Manner


@dataclass(frozen=True, slots=True)
class _Told:
    """The words of a quote, those of the headings above it, and the passages of the scene that it stands in."""

    own: frozenset[str]
    above: frozenset[str]
    passages: frozenset[int]


def prove(
    proposal: Proposal, scene: Scene, manner: Manner, writer: str, documents: Mapping[str, Document]
) -> tuple[Written, Rejection | None]:
    """Return a proposal as an item whose evidence are the quotes of its claims, and why it is rejected, None if not."""
    proposal = replace(proposal, answer=_steps_on_lines(proposal.answer))
    quotes = [_located(number, proposal, scene, documents) for number in range(len(proposal.claims))]
    proved = [number for number, found in enumerate(quotes) if found]
    answer = _cut(proposal, quotes, documents) if scene.question_type != "unanswerable" else ""
    claims = [proposal.claims[number] for number in proved]
    item = _item(replace(proposal, answer=answer, claims=tuple(claims)), [quotes[n] for n in proved], scene, documents)
    metadata = {**item.metadata, "writer": f"llm:{writer}", "style": manner.style, "length": manner.length}
    item = replace(item, metadata={**metadata, "persona": manner.persona or None})
    return Written(item, scene, manner), _problem(item, proposal, quotes, documents)


def names_foreign(written: Written, setting: Setting, documents: Mapping[str, Document]) -> Rejection | None:
    """Return the rejection of an answerable question with a name that neither its documents nor the user give."""
    if not written.item.answerable:
        return None
    docs = [documents[doc] for doc in sorted({span.doc for span in written.scene.passages})]
    sources = [text for document in docs for text in (document.title, document.text)]
    given = [setting.about, written.manner.persona, *setting.titles, *written.scene.neighbours]
    name = foreign_name(written.item.question, [*sources, *given])
    return Rejection("quoted", f"{name!r} of the question is not in its documents") if name else None


def _located(number: int, proposal: Proposal, scene: Scene, documents: Mapping[str, Document]) -> list[Span]:
    """Return the places of the quotes of a claim that tell something of it; none if one is missing.

    A quote is looked for in the other passages too.
    """
    claim, located = proposal.claims[number], []
    for quote in claim.quotes:
        named = scene.passages[quote.passage - 1 : quote.passage] if quote.passage > 0 else ()
        tried = (find_quote(quote.words, span, documents[span.doc]) for span in (*named, *scene.passages))
        found = next((places for places in tried if places), None)
        if found is None:
            return []
        located.append(found)
    spans = _telling(number, located, proposal, scene, documents)
    heads = (head for span in spans for head in heads_beside(span, documents[span.doc]))
    return list(dict.fromkeys([*spans, *heads, *_names_beside(claim.text, spans, scene, documents)]))


def _telling(
    number: int, quotes: Quotes, proposal: Proposal, scene: Scene, documents: Mapping[str, Document]
) -> list[Span]:
    """Return the places of the quotes of a claim, without quotes that add no content word of it to the others.

    A quote goes only if others of its passage, with the headings above them, have all its words of the claim, and of
    what answer and computations have beyond the claims, and if it is no piece of evidence with one of them. All stay in
    an inference and where the claim is in other words, since there a quote may prove what it has no word of.
    """
    reader = nearest_language(documents[scene.passages[0].doc].language)

    def content(*texts: str) -> frozenset[str]:
        return frozenset(stem for text in texts for stem in reader.content_stems(reader.digits(text)))

    def told(places: Sequence[Span]) -> _Told:
        texts = (documents[span.doc].plain(span.start, span.end) for span in places)
        titles = (title for span in places for title in headings_at(documents[span.doc], span.start))
        within = (n for n, passage in enumerate(scene.passages) if any(passage.meets(span) for span in places))
        return _Told(content(*texts), content(*titles), frozenset(within))

    def pieces(of: Iterable[tuple[list[Span], _Told]]) -> int:
        return len(_groups([places for places, _ in of], documents))

    claim = content(proposal.claims[number].text)
    spare = content(proposal.answer, *(each.expression for each in proposal.computed))
    sought = claim | (spare - content(*(each.text for each in proposal.claims)))
    kept = [(places, told(places)) for places in quotes]
    if scene.question_type != "reasoning":
        for each in sorted(kept, key=lambda each: (len(each[1].own & sought), len(each[1].own))):
            rest = [other for other in kept if other is not each]
            others = [other for _, other in rest if other.passages & each[1].passages]
            words = frozenset[str]().union(*(other.own | other.above for other in others))
            adds = not each[1].own & sought <= words or len(claim & words) < _SHARE_TOLD * len(claim)
            if others and not adds and pieces(rest) < pieces(kept):
                kept = rest
    return [span for places, _ in kept for span in places]


def _names_beside(text: str, spans: Sequence[Span], scene: Scene, documents: Mapping[str, Document]) -> Iterator[Span]:
    """Yield the places of names in a claim that stand in a quoted passage, but beside the quotes."""
    code = documents[scene.passages[0].doc].language
    near = [passage for passage in scene.passages if any(_holds(passage, span) for span in spans)]
    sources = _sources([list(spans)], documents)
    while (name := unproved(text, sources, code).strip("`")) and not name[0].isdigit():
        passage = next((span for span in near if name in span.text), None)
        if passage is None:
            return
        start = passage.start + passage.text.index(name)
        yield documents[passage.doc].span(start, start + len(name))
        sources.append(name)


def _steps_on_lines(answer: str) -> str:
    """Return an answer with each of its numbered steps on a line of its own.

    Example:
        >>> _steps_on_lines("1. Open version 2. 2. Save it. 3. Send it.").splitlines()
        ['1. Open version 2.', '2. Save it.', '3. Send it.']
    """
    marks: list[re.Match[str]] = []
    for mark in _STEP_MARK.finditer(answer):
        if int(mark[1]) == len(marks) + 1:
            marks.append(mark)
    for mark in reversed(marks if len(marks) > 1 else []):
        answer = f"{answer[: mark.start()]}\n{answer[mark.start(1) :]}"
    return answer.strip()


def _cut(proposal: Proposal, quotes: Quotes, documents: Mapping[str, Document]) -> str:
    """Return the answer without the sentences that no quote proves; "" if that is the first, or a whole step."""
    code = documents[quotes[0][0].doc].language if any(quotes) and quotes[0] else "en"
    lost = [set(words(claim.text)) for claim, found in zip(proposal.claims, quotes, strict=True) if not found]
    held = [set(words(claim.text)) for claim, found in zip(proposal.claims, quotes, strict=True) if found]
    sources = [*_sources(quotes, documents), proposal.question, *(each.value for each in proposal.computed)]
    kept: list[str] = []
    for line in filter(str.strip, proposal.answer.splitlines()):
        mark = LIST_MARK.match(line)
        text, said = line[mark.end() :] if mark else line, []
        for start, end in sentence_spans(text):
            sentence = " ".join(text[start:end].split())
            own = set(words(sentence))
            if not unproved(sentence, sources, code) and _nearest(own, lost) <= _nearest(own, held):
                said.append(sentence)
            elif not (kept or said) or _nearest(own, held) >= _SHARE_SAID:  # a proved claim would be cut too
                return ""
        if mark and not said:  # who follows the other steps or takes the other members has not what was asked for
            return ""
        if said:
            kept.append((mark[0].lstrip() if mark else "") + " ".join(said))
    return "\n".join(kept)


def _nearest(own: set[str], claims: Iterable[set[str]]) -> float:
    return max((len(own & claim) / max(len(claim), 1) for claim in claims), default=0.0)


def _sources(quotes: Quotes, documents: Mapping[str, Document]) -> list[str]:
    """Return the texts of quotes, with and without markup, and of the headings above them."""
    spans = [span for found in quotes for span in found]
    shown = (documents[span.doc].plain(span.start, span.end) for span in spans)
    headings = (title for span in spans for title in headings_at(documents[span.doc], span.start))
    return [*(span.text for span in spans), *shown, *headings]


def _item(proposal: Proposal, quotes: Quotes, scene: Scene, documents: Mapping[str, Document]) -> Item:
    answerable = scene.question_type != "unanswerable"
    groups = _groups(quotes, documents)
    first = scene.passages[0]
    code = documents[first.doc].language
    answers = (proposal.answer,) if proposal.answer else ()
    evidence = tuple((span,) for span in groups) if answerable else ()
    composed = answerable and (len(proposal.claims) > 1 or len(words(proposal.answer)) > _PHRASE_WORDS)
    stems = nearest_language(code).content_stems
    return Item(
        id=item_id(proposal.question, answers, evidence),
        question=" ".join(proposal.question.split()),
        golden_answers=answers,
        question_type=scene.question_type,
        subtype=scene.subtype,
        language=code,
        evidence=evidence,
        derivation=_derivation(proposal, quotes, documents),
        hard_negatives=() if answerable else tuple(scene.passages),
        answerable=answerable,
        answer_kind="composed" if composed else "",
        claims=_claims(proposal, quotes, groups) if answerable else (),
        metadata={
            "category": first.doc.rpartition("/")[0] or documents[first.doc].title,
            "source": "kgsynth",
            "kind": " ".join(proposal.kind.split()),
            "keywords": sorted(dict.fromkeys(stems(proposal.question)))[:_KEYWORDS_AT_MOST],
            "scores": {"central": round(scene.central, 4)},
            **({"reason": "; ".join(why)} if (why := _why(scene, groups)) else {}),
        },
    )


def _why(scene: Scene, groups: Sequence[Span]) -> list[str]:
    """Return why those passages belong together that evidence is from."""
    cited = {number for number, passage in enumerate(scene.passages, 1) if any(map(passage.meets, groups))}
    return [each.why for each in scene.reasons if {each.one, each.other} <= cited]


def _groups(quotes: Quotes, documents: Mapping[str, Document]) -> list[Span]:
    """Return the pieces of evidence: the sentences around all quotes, those close to each other joined.

    A cell and its heads are one piece unless more text than a passage of a common size stands between them.
    """
    places = sorted((span.doc, *around_quote(span, documents[span.doc])) for found in quotes for span in found)
    joined: list[tuple[str, int, int]] = []

    def belong(doc: str, start: int, end: int) -> bool:
        last, first, stop = joined[-1]
        if last != doc:
            return False
        tables = [
            {table for table, _ in _cells(documents[doc].span(*at), documents[doc])}
            for at in ((first, stop), (start, end))
        ]
        return start - stop <= _MAX_GAP or (bool(tables[0] & tables[1]) and end - first <= LIMITS.passage_characters)

    for doc, start, end in places:
        if joined and belong(doc, start, end):
            joined[-1] = (doc, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((doc, start, end))
    return [documents[doc].span(start, end) for doc, start, end in joined]


def _claims(proposal: Proposal, quotes: Quotes, groups: Sequence[Span]) -> tuple[Claim, ...]:
    made = []
    for claim, found in zip(proposal.claims, quotes, strict=True):
        numbers = {n for n, group in enumerate(groups) for span in found if _holds(group, span)}
        made.append(Claim(" ".join(claim.text.split()), tuple(sorted(numbers))))
    return tuple(made)


def _holds(group: Span, span: Span) -> bool:
    return group.doc == span.doc and group.start <= span.start and span.end <= group.end


def _derivation(proposal: Proposal, quotes: Quotes, documents: Mapping[str, Document]) -> dict[str, object]:
    steps = [
        {"claim": number, "quote": {"doc": span.doc, "start": span.start, "end": span.end}}
        for number, found in enumerate(quotes)
        for span in found
    ]
    return {
        "operator": "quoted",
        "answer": proposal.answer,
        "steps": steps,
        **({"given": [proposal.question]} if _needs_question(proposal, quotes, documents) else {}),
        **({"computed": [asdict(each) for each in proposal.computed]} if proposal.computed else {}),
    }


def _needs_question(proposal: Proposal, quotes: Quotes, documents: Mapping[str, Document]) -> bool:
    """Check whether a figure or name of the answer is given by the question and not by the documents."""
    code = documents[quotes[0][0].doc].language if quotes else "en"
    return bool(unproved(proposal.answer, _sources(quotes, documents), code))


def _problem(item: Item, proposal: Proposal, quotes: Quotes, documents: Mapping[str, Document]) -> Rejection | None:
    if not item.question:
        return Rejection("quoted", "the model wrote no question")
    lost = [claim for claim, found in zip(proposal.claims, quotes, strict=True) if not found]
    missing = lost[0] if lost else None
    if not any(quotes):
        words_of = missing.quotes[0].words if missing and missing.quotes else ""
        return Rejection("quoted", f"no passage has the quote {words_of[:80]!r}" if words_of else "it has no quote")
    if not item.answerable:
        return None
    said = set(words(" ".join(item.golden_answers)))
    left = next((claim for claim in lost if _nearest(said, [set(words(claim.text))]) >= _SHARE_SAID), None)
    if left or not item.golden_answers:
        claim = left or missing
        return Rejection("quoted", f"the claim {claim.text[:80]!r} has no quote" if claim else "no sentence is proved")
    try:
        quoted_proof(item.derivation, documents)
    except DerivationError as error:
        return Rejection("quoted", str(error))
    return None

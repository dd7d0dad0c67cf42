"""Scenario to question and golden answer, in English, by grammar: one small writer per subtype."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from kgsynth.evolutions.eligible import anchor, loose_ends, vague
from kgsynth.knowledge import Knowledge
from kgsynth.quantities import parse
from kgsynth.records import Fact, Phrase, Scenario
from kgsynth.writing.asking import ask_for
from kgsynth.writing.grammar import Asked, declared, finish, inverted, question, said, shown, yes_no


class Draft(NamedTuple):
    """A question as written, its golden answers (the canonical one first), and the steps that prove them."""

    question: str
    answers: tuple[str, ...]
    operator: str
    steps: tuple[dict[str, Any], ...]
    extra: Mapping[str, Any] = {}


def write(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the phrasings of a scenario that English allows, the plainest first."""
    yield from _WRITERS[scenario.subtype](scenario, knowledge)


# ---- simple ----------------------------------------------------------------------------------------


def _factoid(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        return
    text = _in_scope(scenario, knowledge, question(fact, scenario.asked, asked, drop=_asides(fact)))
    if text:
        yield Draft(text, _answers(asked, fact.phrases[scenario.asked]), "lookup", (_find(fact, asked),))


def _definition(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    subject = next(p for p in fact.phrases if p.role == "subject")
    answer = fact.phrases[scenario.asked]
    asked = Asked("what", shown(answer), answer.start, answer.end)
    verb = "are" if fact.verb.form == "are" else "is"
    entity = knowledge.entity_of(fact, subject)
    word = "who" if entity is not None and knowledge.type_noun(entity) == "person" else "what"
    yield Draft(finish(f"{word} {verb} {shown(subject)}"), (asked.answer,), "definition", (_find(fact, asked),))


# ---- reasoning -------------------------------------------------------------------------------------


def _cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    asked = Asked("why", shown(phrase), phrase.start, phrase.end)
    if fact.kind == "outcome":
        yield from _why(scenario, knowledge, asked)
        return
    text = finish(f"why {yes_no(fact, drop=[scenario.asked, *_asides(fact, keep=scenario.asked)])}")
    text = _in_scope(scenario, knowledge, text)
    if text:
        yield Draft(text, (asked.answer,), "cause", (_find(fact, asked),))


def _why(scenario: Scenario, knowledge: Knowledge, asked: Asked) -> Iterator[Draft]:
    """Ask for the reason of an outcome that was never parsed: its words stay as they are."""
    fact = scenario.facts[0]
    outcome = shown(fact.phrases[1 - scenario.asked])
    text = f"why should you {outcome}" if fact.verb.lemma == "do" else f"why is it that {outcome}"
    text = _in_scope(scenario, knowledge, finish(text))
    if text:
        yield Draft(text, (asked.answer,), scenario.subtype, (_find(fact, asked),))


def _purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    asked = Asked("why", shown(phrase), phrase.start, phrase.end)
    drop = [scenario.asked, *_asides(fact, keep=scenario.asked)]
    if fact.kind == "outcome":
        yield from _why(scenario, knowledge, asked)
        return
    subject = next(p for p in fact.phrases if p.role == "subject")
    if fact.verb.lemma == "use" and fact.verb.passive and phrase.marker in {"to", "for"}:
        first, after = inverted(fact.verb)
        text = finish(f"what {first} {shown(subject)} {after} for")
    elif subject.has("you"):
        what = next((n for n, p in enumerate(fact.phrases) if p.role == "object"), None)
        wanted = ask_for(knowledge, fact, what) if what is not None else None
        if wanted is None or what is None:
            return
        text = question(fact, what, Asked("what", wanted.answer, wanted.start, wanted.end), drop=())
        yield Draft(text, _answers(wanted, fact.phrases[what]), "purpose", (_find(fact, wanted),))
        return
    else:
        text = finish(f"for what purpose {yes_no(fact, drop=drop)}")
    text = _in_scope(scenario, knowledge, text)
    if text:
        yield Draft(text, (asked.answer,), "purpose", (_find(fact, asked),))


_MORE = {
    "date": ("earlier", "min"),
    "duration": ("longer", "max"),
    "length": ("longer", "max"),
    "mass": ("heavier", "max"),
}


def _comparison(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    lesser, greater = scenario.facts
    places = scenario.links[0][1:]
    value = parse(_unmarked(lesser.phrases[places[0]])) or parse(lesser.phrases[places[0]].text)
    if value is None:
        return
    word, direction = _MORE.get(value.dimension, ("more", "max"))
    subjects = [next(p for p in fact.phrases if p.role == "subject") for fact in scenario.facts]
    names = [shown(subject) for subject in subjects]
    winner = 0 if direction == "min" else 1
    order = sorted((0, 1), key=lambda n: names[n])
    answers = [names[winner]]
    if lesser.verb.lemma == greater.verb.lemma and lesser.verb.passive == greater.verb.passive:
        predicate = _compared(lesser, places[0], value.dimension, word)
        if not predicate:
            return
        entity = knowledge.entity_of(lesser, subjects[0])
        noun = knowledge.type_noun(entity) if entity else ""
        which = "who" if noun == "person" else f"which {noun}".strip()
        text = f"{which} {predicate}, {names[order[0]]} or {names[order[1]]}"
    else:
        told = [_event(fact, name, place) for fact, name, place in zip(scenario.facts, names, places, strict=True)]
        text = f"which happened first: {told[order[0]]}, or {told[order[1]]}"
        answers.append(told[winner])
    steps = tuple(
        {"fact": fact.id, "subject": _at(fact, p.start, p.end), "value": _value_at(knowledge, fact, n)}
        for fact, p, n in zip(scenario.facts, subjects, places, strict=True)
    )
    yield Draft(finish(text), tuple(answers), "comparison", steps, {"direction": direction})


def _event(fact: Fact, name: str, place: int) -> str:
    plural = any(p.role == "subject" and p.has("plural") for p in fact.phrases)
    return f"{name} {said(fact, without=[place, *_asides(fact)], third=not plural)}"


def _value_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    phrase = fact.phrases[place]
    return _phrase_at(knowledge, fact, place) if parse(_unmarked(phrase)) else _at(fact, phrase.start, phrase.end)


def _compared(fact: Fact, place: int, dimension: str, word: str) -> str:
    """Return the predicate with the value replaced by a comparative, "" when that would not be English."""
    phrase, verb = fact.phrases[place], fact.verb
    value = re.match(r"(?:\D*?)(?:[\d.,]+|\w+)(?: (?:hundred|thousand|million))? ([a-z][\w -]*)$", phrase.text)
    rest = said(fact, without=[place, *_asides(fact)], third=True)
    if phrase.role == "time" or dimension == "date":
        return f"{rest} {word}" if dimension in {"date", "duration"} else ""
    if verb.lemma == "be":
        word = {"duration": "longer", "length": "longer", "mass": "heavier", "date": "earlier"}.get(dimension, "higher")
        return f"{declared(verb, third=True)} {word}"
    if dimension == "duration" and verb.lemma in {"last", "take", "run", "keep", "remain", "stay"}:
        return f"{rest} longer"
    if value and phrase.role == "object":
        return said(fact, without=_asides(fact), swap={place: f"more {value.group(1)}"}, third=True)
    return ""


# ---- multi-context ---------------------------------------------------------------------------------


def _bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    describing, fact = scenario.facts
    ident, there, here = scenario.links[0]
    entity = knowledge.entities[ident]
    described = describe(knowledge, describing, there, knowledge.type_noun(entity))
    asked = ask_for(knowledge, fact, scenario.asked)
    phrase = fact.phrases[here]
    if not described or asked is None or (phrase.role == "subject" and scenario.cuts[0] and phrase.has("indefinite")):
        return
    swap = {here: shown(phrase)[: scenario.cuts[0]] + described}
    text = question(fact, scenario.asked, asked, swap=swap, drop=_asides(fact))
    forms = sorted({entity.name, *entity.forms, _unmarked(describing.phrases[there]), phrase.text[scenario.cuts[0] :]})
    steps = (
        {
            "fact": describing.id,
            "entity": entity.name,
            "forms": forms,
            "bridge": _phrase_at(knowledge, describing, there),
        },
        {
            "fact": fact.id,
            "entity": entity.name,
            "forms": forms,
            "bridge": _tail_at(knowledge, fact, here, scenario.cuts[0]),
        }
        | _find(fact, asked),
    )
    yield Draft(text, _answers(asked, fact.phrases[scenario.asked]), "bridge", steps)


def describe(knowledge: Knowledge, fact: Fact, place: int, noun: str) -> str:
    """Return a description of the phrase at ``place`` by the rest of its fact: "the laboratory that calibrates …"."""
    phrase = fact.phrases[place]
    subject = next(p for p in fact.phrases if p.role == "subject")
    if phrase is subject and fact.verb.lemma == "be" and not fact.verb.auxiliaries:
        attribute = next((p for p in fact.phrases if p.role == "attribute"), None)
        alone = attribute is not None and len([p for p in fact.phrases if p.role != "manner"]) == 2
        if attribute is not None and alone and attribute.has("modified") and not attribute.has("empty"):
            bare = re.sub(r"^(?:the|an?) ", "", shown(attribute))
            return f"the {bare}" if attribute.has("definite") or len(attribute.lemmas) >= 3 else ""
    if not noun:
        return ""
    pronoun = "who" if noun == "person" else "that"
    drop = [place, *_asides(fact)]
    if phrase is subject:
        return f"the {noun} {pronoun} {said(fact, without=drop)}"
    rest = said(fact, without=drop, third=not subject.has("plural") and not subject.has("you"))
    if phrase.role == "object":
        return f"the {noun} that {shown(subject)} {rest}"
    if phrase.marker in _LED:
        return f"the {noun} {phrase.marker} {'whom' if noun == 'person' else 'which'} {shown(subject)} {rest}"
    return ""


_LED = frozenset("at by for from in into on through to under with".split())
"""Prepositions that may stand before "which"."""


def _intersection(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    one, two = scenario.facts
    ident, first, second = scenario.links[0]
    entity = knowledge.entities[ident]
    noun = knowledge.type_noun(entity)
    if not noun:
        return
    head = "who" if noun == "person" else f"which {noun}"
    text = finish(
        f"{head} {said(one, without=[first, *_asides(one)])} and {said(two, without=[second, *_asides(two)])}"
    )
    steps = tuple({"fact": f.id, "entity": _phrase_at(knowledge, f, n)} for f, n in ((one, first), (two, second)))
    forms = sorted({entity.name, *entity.forms, _unmarked(one.phrases[first]), _unmarked(two.phrases[second])})
    answers = tuple(dict.fromkeys((shown(one.phrases[first]), *entity.forms)))
    yield Draft(text, answers, "intersection", steps, {"forms": forms})


# ---- conditional -----------------------------------------------------------------------------------


def _explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    condition = next(n for n, p in enumerate(fact.phrases) if p.role == "condition")
    phrase = fact.phrases[condition]
    if fact.kind == "outcome":
        other = fact.phrases[scenario.asked]
        text = f"what should you do {shown(phrase)}" if fact.verb.lemma == "do" else f"what happens {shown(phrase)}"
        asked = Asked("what", shown(other), other.start, other.end)
        step = {"condition": _at(fact, phrase.start, phrase.end)} | _find(fact, asked)
        yield Draft(finish(text), (asked.answer,), "condition", (step,))
        return
    if scenario.asked != condition:
        asked = ask_for(knowledge, fact, scenario.asked)
        if asked is None:
            return
        front = condition if not phrase.has("dangling") else None
        text = question(fact, scenario.asked, asked, front=front, drop=_asides(fact))
        step = {"condition": _at(fact, phrase.start, phrase.end)} | _find(fact, asked)
        yield Draft(text, _answers(asked, fact.phrases[scenario.asked]), "condition", (step,))
        return
    outcome = _outcome(knowledge, fact, condition)
    if outcome is not None and not phrase.has("dangling"):
        step = {"condition": _at(fact, phrase.start, phrase.end)} | _find(fact, outcome)
        commanded = next(p for p in fact.phrases if p.role == "subject").start == fact.verb.start
        opening = "what should you do" if commanded else "what happens"
        yield Draft(finish(f"{opening} {shown(phrase)}"), (outcome.answer,), "condition", (step,))
    if not any(p.has("dangling") for n, p in enumerate(fact.phrases) if n != condition and p.role != "manner"):
        asked = Asked("when", shown(phrase), phrase.start, phrase.end)
        lead = "until when" if phrase.marker == "until" else "under what condition"
        text = finish(f"{lead} {yes_no(fact, drop=[condition, *_asides(fact, keep=condition)])}")
        yield Draft(text, (asked.answer,), "lookup", (_find(fact, asked),))


def _outcome(knowledge: Knowledge, fact: Fact, condition: int) -> Asked | None:
    """Return the main clause as an answer, when it is one stretch of the sentence."""
    phrase = fact.phrases[condition]
    others = [p for n, p in enumerate(fact.phrases) if n != condition]
    start, end = min(p.start for p in others), max(fact.verb.end, *(p.end for p in others))
    if start < phrase.end and phrase.start < end:
        return None
    text = knowledge.documents[fact.doc].plain(start, end).rstrip(".")
    first = next(p for p in others if p.start == start)
    if not any(p.role == "subject" and p.start == start for p in others) or len(text.split()) > 30:
        return None
    return Asked("what", text[:1].lower() + text[1:] if first.has("lowerable") else text, start, end)


def _scoped(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, drop=_asides(fact))
    if scenario.scope:
        text = scoped(scenario.scope, text)
        if not text:
            return
    rivals = []
    for rival in scenario.rivals:
        twin = _twin(rival, fact.phrases[scenario.asked])
        wanted = ask_for(knowledge, rival, twin) if twin is not None else None
        if wanted is not None:
            rivals.append({"fact": rival.id, "find": _at(rival, wanted.start, wanted.end)})
    steps = ({"scope": scenario.scope} | _find(fact, asked),)
    yield Draft(text, _answers(asked, fact.phrases[scenario.asked]), "scoped", steps, {"rivals": rivals[:5]})


def _twin(fact: Fact, phrase: Phrase) -> int | None:
    alike = [n for n, p in enumerate(fact.phrases) if p.role == phrase.role and p.marker == phrase.marker]
    return alike[0] if alike else None


# ---- what the writers share ------------------------------------------------------------------------


def scoped(title: str, text: str) -> str:
    """Return a question put under a heading: "For the Pike 2, …", "" when the heading cannot be said so.

    Example:
        >>> scoped("UK benefits", "When is open enrolment?")
        'For UK benefits, when is open enrolment?'
        >>> scoped("How it works", "What is cached?")
        ''
    """
    body = text[0].lower() + text[1:]
    pieces = re.split(r"\s*[:;,()—–]\s*|\s+-\s+", re.sub(r"^[\d.]+\s+|[`*_]", "", title).strip(" .:"))
    name = next((piece for piece in pieces if _sayable(piece)), "")
    if not name:
        return ""
    words = name.split()
    if re.match(r"[A-Z][a-z]+ing$", words[0]) and len(words) > 1:
        return f"When {name[0].lower()}{name[1:]}, {body}"
    return f"For {name}, {body}"


def _sayable(name: str) -> bool:
    return (
        1 <= len(name.split()) <= 6
        and not re.search(r"[?!/{}<>|=\d]{2}|[?!{}<>|=]", name)
        and not _UNSCOPED.match(name)
    )


_UNSCOPED = re.compile(
    r"(?i)(?:how|what|why|when|where|who|which|introduction|overview|summary|notes?|see also|example|usage|conclusion|history|background|"
    r"motivation|rationale|specification|abstract|references?|contents|changelog|copyright|details|description|general|other|"
    r"options?|parameters?|return|appendix|chapter|section|read|using this|about this|more|next steps?|getting started|faq)\b"
)


def _in_scope(scenario: Scenario, knowledge: Knowledge, text: str) -> str:
    """Return the question under its heading when it has too little to hold on to, "" when no heading helps.

    The innermost heading that can be said and adds something is taken.
    """
    fact = scenario.facts[0]
    subject = fact.first("subject")
    strength = anchor(fact, scenario.asked)
    if strength >= 2 and not (subject and vague(subject) and subject is not fact.phrases[scenario.asked]):
        return text
    known = {word.lower() for word in re.findall(r"\w+", text)}
    for title in reversed(knowledge.section_of(fact).path):
        if not {word.lower() for word in re.findall(r"\w+", title)} <= known and (longer := scoped(title, text)):
            return longer
    return text if strength >= 2 else ""


def _asides(fact: Fact, keep: int = -1) -> list[int]:
    """Return the phrases a question need not repeat: explanations, and loose ends set apart by commas."""
    return sorted(loose_ends(fact) - {keep})


def _find(fact: Fact, asked: Asked) -> dict[str, Any]:
    return {"fact": fact.id, "find": _at(fact, asked.start, asked.end)}


def _at(fact: Fact, start: int, end: int) -> dict[str, Any]:
    return {"doc": fact.doc, "start": start, "end": end}


def _phrase_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    phrase = fact.phrases[place]
    cut = len(phrase.marker) + 1 if phrase.marker and phrase.text.lower().startswith(phrase.marker + " ") else 0
    return _tail_at(knowledge, fact, place, cut)


def _tail_at(knowledge: Knowledge, fact: Fact, place: int, cut: int) -> dict[str, Any]:
    """Return where the end of a phrase stands, from character ``cut`` of its text on."""
    phrase = fact.phrases[place]
    block = next(b for b in knowledge.documents[fact.doc].blocks if b.start <= phrase.start < b.end)
    last = next(n for n in range(len(block.text), 0, -1) if block.locate(n - 1, n)[1] == phrase.end)
    return _at(fact, *block.locate(last - len(phrase.text) + cut, last))


def _unmarked(phrase: Phrase) -> str:
    text = phrase.text
    return text[len(phrase.marker) + 1 :] if phrase.marker and text.lower().startswith(phrase.marker + " ") else text


def _answers(asked: Asked, phrase: Phrase) -> tuple[str, ...]:
    """Return the golden answers: as asked, without its article, and with its preposition."""
    bare = re.sub(r"^(?:the|a|an) ", "", asked.answer, flags=re.I)
    more = [bare] if phrase.role not in {"time"} else [shown(phrase)]
    if asked.words.startswith("how many "):
        more = [asked.answer[: -len(asked.words.removeprefix("how many "))].strip()]
    return tuple(dict.fromkeys(answer for answer in (asked.answer, *more) if answer))


_WRITERS: dict[str, Callable[[Scenario, Knowledge], Iterator[Draft]]] = {
    "factoid": _factoid,
    "definition": _definition,
    "cause": _cause,
    "purpose": _purpose,
    "comparison": _comparison,
    "bridge": _bridge,
    "intersection": _intersection,
    "explicit": _explicit,
    "scoped": _scoped,
}

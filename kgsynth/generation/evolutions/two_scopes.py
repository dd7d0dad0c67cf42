"""multi_context / two_scopes: how one matter differs between two subjects, each with a section of one title on it.

The subjects are documents or sections side by side: their titles share a word, or most of the folder has such a section.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from kgsynth.base.records import Document, Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.named_things import apart
from kgsynth.generation.evolutions.page_question import is_answer
from kgsynth.language import language
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each two short sections with one title under subjects that are alike."""
    same: dict[tuple[str, str], dict[tuple[str, int], StructureFact]] = defaultdict(dict)
    for fact in knowledge.structure:
        if fact.kind is StructureKind.TOPIC and _is_short(fact, knowledge):
            title = fact.subject.text.casefold().strip(" ?.:…")
            same[_folder(fact.doc), title][fact.doc, fact.section] = fact
    folders: dict[str, list[str]] = defaultdict(list)
    for doc in knowledge.documents:
        folders[_folder(doc)].append(doc)
    for folder, title in sorted(same):
        facts = list(same[folder, title].values())
        usual = 2 * len({fact.doc for fact in facts}) >= len(folders[folder])
        if len(facts) <= LIMITS.siblings_max:
            for one, other in combinations(facts, 2):
                alike = usual and len(folders[folder]) <= LIMITS.siblings_max
                if _on_one_matter(one, other, knowledge) and (alike or _kin(one, other, knowledge)):
                    reason = f"both have a section {one.subject.text!r}"
                    yield Scenario("multi_context", "two_scopes", (), structure=(one, other), scope=reason)


def scope_title(fact: StructureFact, other: StructureFact, documents: dict[str, Document]) -> str:
    """Return the title that tells the subject of a section from that of another: of its document, or section above."""
    path = documents[fact.doc].sections[fact.section].path
    if fact.doc != other.doc:
        return documents[fact.doc].title
    return path[-2] if len(path) > 1 else ""


def _folder(doc: str) -> str:
    return doc.rpartition("/")[0]


def _is_short(fact: StructureFact, knowledge: Knowledge) -> bool:
    words = length_in_words(fact.values[0].text)
    return LIMITS.passage_min_words <= words <= LIMITS.compared_max_words and is_answer(fact, knowledge)


def _on_one_matter(one: StructureFact, other: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether two sections stand apart, share words, and do not say the same."""
    stems = language(knowledge.documents[one.doc].language).content_stems
    first, second = set(stems(one.values[0].text)), set(stems(other.values[0].text))
    shared = (first & second) - set(stems(one.subject.text))
    alike = len(first & second) / max(1, min(len(first), len(second)))
    return bool(shared) and alike <= LIMITS.compared_max_alike and apart(knowledge, one, other)


def _kin(one: StructureFact, other: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether the titles above two sections share a word, or are of sections side by side."""
    documents = dict(knowledge.documents)
    stems = language(documents[one.doc].language).content_stems
    if one.doc == other.doc:
        paths = [documents[fact.doc].sections[fact.section].path for fact in (one, other)]
        return len(paths[0]) == len(paths[1]) > 2 and paths[0][:-2] == paths[1][:-2] and paths[0] != paths[1]
    titles = [set(stems(documents[fact.doc].title)) for fact in (one, other)]
    return bool(titles[0] & titles[1]) and titles[0] != titles[1]

"""A small set with everything that is hard to export, its documents, and how an export is read back."""

from __future__ import annotations

from pathlib import Path

from planted import document

from kgsynth.base.records import Claim, Document, Item, Span, Turn
from kgsynth.golden.exchange import LoadedSet, read

LEADS = "Ada Low leads the Borealis team in Leeds."
ROOMS = 'The Leeds site has nine storerooms;\ntwo of them are "cold", it\'s said.'
COPY = "In short: Ada Low leads the Borealis team."
PRICE = "北极星传感器的价格为300元，保修期为两年。"
FORMULA = "=SUM(A1) is the formula of the total."
TEXTS = {
    "people/teams.md": f"# Teams\n\n{LEADS}\n\n## Others\n\nOthers are named below.\n\n{FORMULA}\n",
    "sites.md": f"# Sites\n\n{ROOMS}\n\n{COPY}\n",
    "产品 目录.md": f"# 产品\n\n{PRICE}\n",
}
PAGES: dict[str, Document] = {doc: document(doc, text) for doc, text in TEXTS.items()}


def span(doc: str, text: str) -> Span:
    at = TEXTS[doc].index(text)
    return Span(doc, at, at + len(text), text)


AT_LEADS, AT_ROOMS, AT_COPY = span("people/teams.md", LEADS), span("sites.md", ROOMS), span("sites.md", COPY)
AT_PRICE, AT_FORMULA = span("产品 目录.md", PRICE), span("people/teams.md", FORMULA)

ITEMS = (
    Item(
        "q-plain", "Who leads the Borealis team?", ("Ada Low", "Low", "re:ada( low)?"), "simple", "factoid", "en",
        ((AT_LEADS, AT_COPY),), {"operator": "lookup", "steps": [{"find": {"doc": "people/teams.md", "start": 9}}]},
        difficulty="hard", metadata={"category": "people", "scores": {"keep": 0.75, "rank": 1.0}, "persona": "Clerk"},
    ),
    Item(
        "q-hops", "How many storerooms has the site of the Borealis team?", ("nine",), "multi_context", "change", "en",
        ((AT_LEADS,), (AT_ROOMS,)), hard_negatives=(AT_FORMULA,), metadata={"writer": "rules"},
    ),
    Item("q-zh", "北极星传感器的价格是多少？", ("300元",), "simple", "factoid", "zh", ((AT_PRICE,),)),
    Item(
        "q-none", "Who moulds the case?", (), "unanswerable", "swapped_entity", "en", (),
        hard_negatives=(AT_ROOMS,), answerable=False,
    ),
    Item(
        "q-turn", "And how many of them are cold?", ("two",), "simple", "", "en", ((AT_ROOMS,),),
        history=(Turn("How many storerooms are there?", "Nine."),), standalone="How many storerooms in Leeds are cold?",
    ),
    Item(
        "q-formula", "=1+1 or {{ x }} {% if %}: what is the formula?", ("=SUM(A1)", "{{ y }} {% z"), "simple", "", "en",
        ((AT_FORMULA,),), metadata={"category": "1e3", "keywords": ["no", "0o7"]},
    ),
    Item(
        "q-long", "Tell me about Leeds.", ("Ada leads there; there are nine rooms",), "multi_context", "", "en",
        ((AT_LEADS,), (AT_ROOMS,)), answer_kind="composed", claims=(Claim("Ada leads", (0,)), Claim("nine", (1,))),
    ),
    Item(
        "q-list", "Which are cold?", ("two rooms; three cups",), "simple", "", "en", ((AT_ROOMS,),), answer_kind="list"
    ),
)  # fmt: skip


def read_back(place: Path, pages: dict[str, Document] = PAGES) -> LoadedSet:
    return read(place).locate(pages)

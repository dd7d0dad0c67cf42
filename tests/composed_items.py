"""Ten questions with composed answers: four claims each, and a golden answer that says them in other sentences."""

from __future__ import annotations

from kgsynth.base.records import Claim, Document, Item

_WRITTEN = (
    (
        "How does annual leave work?",
        (
            "Full-time staff get 25 days of leave a year.",
            "Up to 5 unused days are carried over to the next year.",
            "Carried days expire on 31 March.",
            "Leave is requested in the staff portal.",
        ),
        "Full-time staff get 25 days of leave a year and request it in the staff portal. "
        "Up to 5 unused days are carried over to the next year, and carried days expire on 31 March.",
    ),
    (
        "What should I know before I rent a canoe?",
        (
            "A canoe costs 18 euros for half a day.",
            "Renters leave a deposit of 50 euros.",
            "Life jackets are included in the price.",
            "Nobody under 14 may paddle alone.",
        ),
        "A canoe costs 18 euros for half a day with life jackets included in the price; renters leave a deposit of "
        "50 euros. Nobody under 14 may paddle alone.",
    ),
    (
        "How is the Heron pump maintained?",
        (
            "The filter is rinsed every 2 weeks.",
            "The oil is changed after 400 hours.",
            "The seal ring is replaced by a trained technician.",
            "Before any work the pump is unplugged.",
        ),
        "Before any work the pump is unplugged. The filter is rinsed every 2 weeks, "
        "the oil is changed after 400 hours, and the seal ring is replaced by a trained technician.",
    ),
    (
        "How do refunds of the webshop work?",
        (
            "Goods can be returned within 30 days.",
            "The money is refunded to the original card.",
            "A refund takes up to 10 working days.",
            "Opened software is excluded from returns.",
        ),
        "Goods can be returned within 30 days, but opened software is excluded from returns. "
        "The money is refunded to the original card; a refund takes up to 10 working days.",
    ),
    (
        "How did the Alder Bridge come to be built?",
        (
            "The council approved the Alder Bridge in 1931.",
            "Marta Quill designed the arches.",
            "Flooding delayed the construction by 3 years.",
            "The bridge was opened to traffic in 1938.",
        ),
        "Marta Quill designed the arches after the council approved the Alder Bridge in 1931. "
        "Flooding delayed the construction by 3 years; the bridge was opened to traffic in 1938.",
    ),
    (
        "How are backups of the database kept?",
        (
            "A full backup is written every night at 02:00.",
            "Backups are encrypted with a key from the vault.",
            "Daily copies are kept for 14 days.",
            "A restore is rehearsed every quarter.",
        ),
        "A full backup is written every night at 02:00 and encrypted with a key from the vault. "
        "Daily copies are kept for 14 days, and a restore is rehearsed every quarter.",
    ),
    (
        "What applies to volunteers at the museum?",
        (
            "Volunteers work at least 6 hours a month.",
            "They receive a free pass for the tram.",
            "Training lasts 2 evenings.",
            "Guided tours need a second training.",
        ),
        "Volunteers work at least 6 hours a month and receive a free pass for the tram. "
        "Training lasts 2 evenings, though guided tours need a second training.",
    ),
    (
        "How is sourdough made at the bakery?",
        (
            "The starter is fed with rye flour.",
            "The dough rests for 16 hours.",
            "Loaves are baked at 240 degrees.",
            "Steam is released after 15 minutes.",
        ),
        "The starter is fed with rye flour and the dough rests for 16 hours. "
        "Loaves are baked at 240 degrees; steam is released after 15 minutes.",
    ),
    (
        "How does the tenants' association decide?",
        (
            "The board meets 4 times a year.",
            "Every flat has one vote.",
            "Changes of the statutes need 75 votes.",
            "Minutes are posted in the stairwell.",
        ),
        "The board meets 4 times a year, and minutes are posted in the stairwell. "
        "Every flat has one vote; changes of the statutes need 75 votes.",
    ),
    (
        "How is the Skua 3 logger set up?",
        (
            "The Skua 3 runs on 2 lithium cells.",
            "Readings are stored every 15 minutes.",
            "The clock is synchronised by radio.",
            "A red lamp warns of an empty battery.",
        ),
        "The Skua 3 runs on 2 lithium cells, and a red lamp warns of an empty battery. "
        "Readings are stored every 15 minutes; the clock is synchronised by radio.",
    ),
)


def _made(number: int, question: str, claims: tuple[str, ...], answer: str) -> tuple[Item, Document]:
    name, text = f"page-{number}.md", " ".join(claims)
    document = Document(name, text, name, "md", "", (), ())
    starts = [text.index(claim) for claim in claims]
    evidence = tuple((document.span(start, start + len(claim)),) for start, claim in zip(starts, claims, strict=True))
    item = Item(
        f"c{number}", question, (answer,), "multi_context", "related_sections", "en", evidence, answer_kind="composed",
        claims=tuple(Claim(claim, (group,)) for group, claim in enumerate(claims)),
    )  # fmt: skip
    return item, document


_MADE = [_made(number, *written) for number, written in enumerate(_WRITTEN)]
COMPOSED = [item for item, _ in _MADE]
"""Ten items whose answers are compared by their claims, each claim with an evidence group of its own."""
DOCUMENTS = [document for _, document in _MADE]
"""The documents of their evidence, one for each."""

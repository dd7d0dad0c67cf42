"""The page an annotator works on, as one text: served, or sent out as a form that keeps what is said in the browser.

Both are the same template and the same script; only where the script keeps things differs. The policy names the script
by its hash, so a browser runs this one and no other, whatever a document holds.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from kgsynth.reviewing.judgement import CRITERIA, DECISIONS, MEANT
from kgsynth.reviewing.store import key
from kgsynth.reviewing.subject import Subject, cards
from kgsynth.show.pages import render


def page(subject: Subject, ids: Sequence[str], *, form: bool = False, annotator: str = "") -> str:
    """Return the page with the items of these ids; with ``form`` it asks no server."""
    shown = list(cards(subject, ids))
    data = {
        "of": subject.of,
        "form": form,
        "review": key(ids),
        "annotator": annotator,
        "criteria": list(CRITERIA),
        "decisions": list(DECISIONS[subject.of]),
        "items": [
            {"id": card.view.item.id, "question": card.view.item.question, "answers": card.view.item.golden_answers}
            for card in shown
        ],
    }
    return render(
        "reviewing/page.html",
        title=f"Review of {subject.name}",
        subject=subject,
        form=form,
        data=data,
        cards=shown,
        criteria=MEANT[subject.of],
        grades=range(1, 6),
        script=_script(),
        content_policy=policy(form=form),
    )


def policy(*, form: bool = False) -> str:
    """Return the Content-Security-Policy: this script alone runs, and speaks to its own server or to nobody."""
    digest = base64.b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    reach = "'none'" if form else "'self'"
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        f"connect-src {reach}; base-uri 'none'; form-action 'none'"
    )


@cache
def _script() -> str:
    here = files("kgsynth.reviewing")
    return "\n".join(here.joinpath(name).read_text(encoding="utf-8") for name in ("saving.js", "page.js"))

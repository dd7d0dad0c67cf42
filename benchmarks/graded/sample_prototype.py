import json
import random
import sys
from pathlib import Path

import networkx as nx
import numpy as np

from kgsynth.base.records import Analysis, Sentence
from kgsynth.documents import read_documents
from kgsynth.documents.chunking import chunk
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose
from kgsynth.golden.item_json import to_json

WANT = {"page_question": 38, "listing": 8, "look_up": 7, "term": 7, "difference": 8, "two_scopes": 7}
out = []
rng = random.Random(23)
for c in sys.argv[1:]:
    root = Path("/work/shared/corpora") / c
    docs = [d for d in read_documents(root) if d.language == "en"]
    if len(docs) > 400:
        docs = rng.sample(docs, 400)
    chunks = [x for d in docs for x in chunk(d, strategy="recursive", size=200, overlap=0)]
    ans = [
        Analysis(
            d.id,
            tuple(
                Sentence(d.id, b.section, b.start, b.end, b.text, ())
                for b in d.blocks
                if b.kind in ("paragraph", "item")
            ),
            (),
            (),
            (),
        )
        for d in docs
    ]
    k = Knowledge(nx.MultiDiGraph(), docs, chunks, ans, [], np.zeros((len(chunks), 4), np.float32))
    for kind, n in WANT.items():
        cands = list(compose(list(EVOLUTIONS[kind](k)), k))
        by = {}
        for x in cands:
            by.setdefault(x.scenario.doc, []).append(x)
        picked = []
        ds = sorted(by)
        rng.shuffle(ds)
        while len(picked) < min(n, len(cands)):
            for d in ds:
                if by[d] and len(picked) < n:
                    picked.append(by[d].pop(rng.randrange(len(by[d]))))
        for x in picked:
            it = x.item

            def around(s):
                t = k.documents[s.doc]
                a = max(0, s.start - 250)
                b = min(len(t.text), s.end + 250)
                return t.text[a:b]

            out.append(
                {
                    "docs": str(root),
                    "question": it.question,
                    "claimed_type": it.question_type,
                    "golden_answers": list(it.golden_answers)[:1],
                    "cited": [[{"doc": s.doc, "text": s.text} for s in g] for g in it.evidence],
                    "evidence": [
                        [{"doc": s.doc, "title": k.documents[s.doc].title, "text": around(s)} for s in g]
                        for g in it.evidence
                    ],
                    "_": {"corpus": c, "kind": kind, "item": to_json(it)},
                }
            )
rng.shuffle(out)
size = int(__import__("os").environ.get("BATCH", "100"))
allp = Path("/tmp/w/grade2/all.jsonl").open("w")
for i, o in enumerate(out):
    o["n"] = i
    allp.write(json.dumps(o, ensure_ascii=False) + "\n")
for b in range(0, len(out), size):
    part = out[b : b + size]
    if b and b % (5 * size) == 0:
        part = part + out[b - 10 : b]  # overlap for agreement
    with open(f"/tmp/w/grade2/batch_{b // size:02d}.jsonl", "w") as f:
        for o in part:
            f.write(json.dumps({k: v for k, v in o.items() if k != "_"}, ensure_ascii=False) + "\n")
print(len(out), "items", (len(out) + size - 1) // size, "batches")

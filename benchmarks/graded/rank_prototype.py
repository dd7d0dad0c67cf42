import collections
import glob
import json
import re
import sys

import numpy as np

from kgsynth.language.english.morphology import _lemmas, is_base_verb, is_word, singular
from kgsynth.language.english.question_checks import content_stems


def load(d):
    items = {}
    for l in open(f"{d}/all.jsonl"):
        o = json.loads(l)
        items[o["n"]] = o
    g = collections.defaultdict(list)
    for f in sorted(glob.glob(f"{d}/grades_*.jsonl")):
        for l in open(f):
            if l.strip():
                o = json.loads(l)
                g[o["n"]].append(o)
    return [(items[n], gs) for n, gs in g.items()]


rows = []
for d in sys.argv[1:]:
    rows += [(it, gs, d) for it, gs in load(d)]
WH = [
    "how do",
    "how",
    "what is",
    "what are",
    "what does",
    "what",
    "which",
    "why",
    "when",
    "where",
    "who",
    "can",
    "do",
    "is",
]


def feats(it):
    q = it["question"]
    a = it["golden_answers"][0] if it["golden_answers"] else ""
    kind = it["_"]["kind"]
    f = {}
    f["kind=" + kind] = 1
    ql = q.lower()
    w = next((x for x in WH if ql.startswith(x)), "other")
    f["wh=" + w] = 1
    qw = q[:-1].split()
    aw = a.split()
    f["q_len"] = len(qw)
    f["q_long"] = len(qw) > 12
    f["q_short"] = len(qw) < 6
    cs = content_stems(q)
    f["q_content"] = len(cs)
    f["q_names"] = sum(1 for x in qw[1:] if x[:1].isupper())
    f["q_code"] = bool(re.search(r"_|\w\.\w|[a-z][A-Z]|\(\)|`", q))
    f["q_digit"] = bool(re.search(r"\d", q))
    f["q_punct"] = len(re.findall(r"[():;,/\[\]<>{}&–-]", q))
    f["q_double_space"] = "  " in q
    m = re.search(r" (in|when you) ([^?]+)\?$", q)
    f["q_in"] = bool(m and m[1] == "in")
    f["q_when"] = bool(m and m[1] != "in")
    f["q_scope_len"] = len(m[2].split()) if m else 0
    f["q_pron"] = bool(re.search(r"\b(it|its|this|these|that|they|them|their|we|us|our|those|such)\b", ql))
    f["q_first"] = bool(re.search(r"\b(i|my|me)\b", ql))
    f["q_your"] = bool(re.search(r"\byour\b", ql))
    f["q_unknown"] = sum(not is_word(x.strip(",.()\"'").lower()) for x in qw) / len(qw)
    m = re.match(r"how do you (\w+) ?(\S*) ?(\S*)", ql)
    if m:
        v = m[1]
        L = _lemmas(v)
        f["v_noun"] = "NOUN" in L
        f["v_only"] = set(L) == {"VERB"}
        f["v_unknown"] = not L
        n = m[2].strip(",.")
        f["n_det"] = n in set("a an the your my each every all any this these".split())
        f["n_prep"] = n in set("to with from into for on in as at by".split())
        f["n_plural"] = is_word(n) and singular(n) != n
        f["n_last"] = n == "" or m[3] == "in"
    f["a_len"] = np.log1p(len(aw))
    f["a_xlong"] = len(aw) > 100
    f["a_short"] = len(aw) < 12
    f["a_code"] = len(re.findall(r"[{}<>=;$#|\\]|\w\(\)|::|->", a)) / max(1, len(aw))
    f["a_colon_end"] = a.rstrip()[-1:] in ":,"
    f["a_colons"] = len(re.findall(r":(?:\s|$)", a)) / max(1, len(aw)) * 20
    f["a_see"] = bool(re.match(r"(?i)see |refer to|for more", a))
    f["a_pron"] = bool(
        re.match(r"(?i)(this|these|it|they|that|here|now|so|but|and|then|as |in this|in the above|we )", a)
    )
    f["a_below"] = bool(
        re.search(r"(?i)\b(above|below|following|previous|next section|earlier|chapter \d|listing \d|as shown)\b", a)
    )
    f["a_we"] = bool(re.search(r"(?i)\b(we|let's|let’s|our)\b", a))
    f["a_you"] = bool(re.search(r"(?i)\b(you|your)\b", a))
    f["a_imper"] = bool(re.match(r"[A-Z][a-z]+", a)) and is_base_verb(aw[0].lower().strip(",")) if aw else 0
    f["a_url"] = bool(re.search(r"https?://", a))
    f["a_html"] = bool(re.search(r"</?\w+[^>]*>", a))
    f["a_tmpl"] = bool(re.search(r"\{[{%*]|\]\(", a))
    f["a_end"] = a.rstrip()[-1:] in ".!?)"
    acs = set(content_stems(a))
    f["overlap"] = len(set(cs) & acs) / max(1, len(set(cs)))
    ev = it["evidence"]
    f["groups"] = len(ev)
    doc = ev[0][0]["doc"] if ev else ""
    title = ev[0][0].get("title", "") if ev else ""
    ts = set(content_stems(title))
    f["title_overlap"] = len(ts & set(cs)) / max(1, len(ts))
    f["title_len"] = len(title.split())
    return f


keys = None
F = [feats(it) for it, _, _ in rows]
keys = sorted({k for f in F for k in f})
X = np.array([[float(f.get(k, 0)) for k in keys] for f in F])
y = np.array([np.mean([all(o[c] == "y" for c in "WSACUTV") for o in gs]) > 0.5 for _, gs, _ in rows]).astype(int)
grp = np.array([it["_"]["corpus"] for it, _, _ in rows])
kinds = np.array([it["_"]["kind"] for it, _, _ in rows])
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

print(len(y), "items keep", y.mean())
for name, m in {
    "logreg": make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=2000)),
    "gb": GradientBoostingClassifier(n_estimators=120, max_depth=2, learning_rate=0.07, subsample=0.7, random_state=0),
    "rf": RandomForestClassifier(400, min_samples_leaf=4, random_state=0),
}.items():
    p = cross_val_predict(m, X, y, groups=grp, cv=LeaveOneGroupOut(), method="predict_proba")[:, 1]
    o = np.argsort(-p)
    k = len(o) // 5
    print(
        name,
        "auc",
        round(roc_auc_score(y, p), 3),
        "top fifth",
        round(y[o[:k]].mean(), 2),
        "2nd",
        round(y[o[k : 2 * k]].mean(), 2),
        "bottom",
        round(y[o[-k:]].mean(), 2),
    )
    pk = kinds == "page_question"
    if pk.sum() > 30:
        op = np.argsort(-p[pk])
        yy = y[pk][op]
        print(
            "   page_question n",
            pk.sum(),
            "auc",
            round(roc_auc_score(y[pk], p[pk]), 3),
            "top third",
            round(yy[: len(yy) // 3].mean(), 2),
            "all",
            round(yy.mean(), 2),
        )
m = make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=2000)).fit(X, y)
c = m[-1].coef_[0]
o = np.argsort(c)
print("worst", [(keys[i], round(c[i], 2)) for i in o[:14]])
print("best", [(keys[i], round(c[i], 2)) for i in o[::-1][:14]])

"""How many human questions pass the rules that look only at words; each rule should pass 95 %.

    python benchmarks/human_questions.py HUMAN_JSONL

HUMAN_JSONL has human questions, such as SQuAD's; only the answerable ones are used. Prints the share that passes each
rule, then the reasons for rejections with examples.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from arguments import call

from kgsynth.base.records import Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.generation.filters import by_words
from kgsynth.golden.dataset import load

EXAMPLES_SHOWN = 5


def form(item: Item) -> str:
    """Return why ``well_formed`` rejects a question, "" if it does not."""
    return by_words.problem_of(item.question.strip(), item.golden_answers[0], item.language)


def references(item: Item) -> str:
    """Return why ``self_contained`` rejects a question, "" if it does not."""
    return by_words.wording_problem(item.question, item.language)


def leak(item: Item) -> str:
    """Return why ``leaking`` rejects a question: how many words of the answer it contains; "" if it does not."""
    share, leaked = by_words.leaked_words(item.question, item.golden_answers[0], item.language)
    if share < DEFAULT_THRESHOLDS["leaking"]:
        return ""
    return f"contains {len(leaked)} of {round(len(leaked) / share)} words" if leaked else "the answer adds nothing"


RULES: dict[str, Callable[[Item], str]] = {"well_formed": form, "self_contained": references, "leaking": leak}


def main(human: str) -> None:
    """Apply every rule to every question and print the table."""
    items = [item for item in load(human) if item.answerable]
    rejected: dict[str, dict[str, list[Item]]] = {rule: defaultdict(list) for rule in RULES}
    for item in items:
        for rule, judge in RULES.items():
            if reason := judge(item):
                rejected[rule][reason].append(item)
    print(f"{len(items)} answerable questions")
    for rule, reasons in rejected.items():
        print(f"{rule:<16}{1 - sum(map(len, reasons.values())) / max(1, len(items)):>8.2%}")
    for rule, reasons in rejected.items():
        for reason, count in Counter({reason: len(found) for reason, found in reasons.items()}).most_common(6):
            print(f"\n{rule}, {reason}: {count}")
            for item in reasons[reason][:EXAMPLES_SHOWN]:
                print(f"  {item.question.strip()}  [{item.golden_answers[0]}]")


if __name__ == "__main__":
    call(main)

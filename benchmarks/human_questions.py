"""Do the rules that judge words alone let people's questions through? Each should pass 95 of a hundred.

    python benchmarks/human_questions.py HUMAN_JSONL

HUMAN_JSONL holds golden items written by people, such as SQuAD's; only answerable ones are asked. Prints the share that
passes each rule, then what fails, by reason, with the first examples.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable

from arguments import call

from kgsynth.base.records import Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.generation.filters import leaking, self_contained, well_formed
from kgsynth.golden.dataset import load

EXAMPLES = 5


def form(item: Item) -> str:
    """Return why ``well_formed`` turns a question away, "" when it does not."""
    return well_formed.fault_of(item.question.strip(), item.golden_answers[0], item.language)


def references(item: Item) -> str:
    """Return why ``self_contained`` does."""
    return self_contained.wording_problem(item.question, item.language)


def leak(item: Item) -> str:
    """Return why ``leaking`` does: how many of the answer's telling words the question holds."""
    share, found = leaking.leaked_words(item.question, item.golden_answers[0], item.language)
    if share < DEFAULT_THRESHOLDS["leaking"]:
        return ""
    return f"holds {len(found)} of {round(len(found) / share)} words" if found else "the answer says no more"


RULES: dict[str, Callable[[Item], str]] = {"well_formed": form, "self_contained": references, "leaking": leak}


def main(human: str) -> None:
    """Ask every rule of every question and print the table."""
    items = [item for item in load(human) if item.answerable]
    fallen: dict[str, dict[str, list[Item]]] = {rule: defaultdict(list) for rule in RULES}
    for item in items:
        for rule, judge in RULES.items():
            if fault := judge(item):
                fallen[rule][fault].append(item)
    print(f"{len(items)} answerable questions")
    for rule, faults in fallen.items():
        print(f"{rule:<16}{1 - sum(map(len, faults.values())) / max(1, len(items)):>8.2%}")
    for rule, faults in fallen.items():
        for fault, count in Counter({fault: len(found) for fault, found in faults.items()}).most_common(6):
            print(f"\n{rule}, {fault}: {count}")
            for item in faults[fault][:EXAMPLES]:
                print(f"  {item.question.strip()}  [{item.golden_answers[0]}]")


if __name__ == "__main__":
    call(main)

"""Generation with and without a language model: six documents, twenty questions, cost, and a sheet to grade.

    python benchmarks/with_model.py [DOCS] [MODEL] [N]

The model's server is the one at OPENAI_BASE_URL. The documents have 150 to 1,500 words and are spread evenly over the
folder. Both write ``N`` questions; the table has the time, calls and tokens of each, and what the model's checks
rejected. sheet.json and sheet.md below outputs/with_model have both sets, shuffled, for blind grading; key.json says
which is which.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections import Counter
from pathlib import Path

from arguments import call

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Item
from kgsynth.documents import read_folder
from kgsynth.generation.filters import BY_VECTOR, BY_WORDS
from kgsynth.generation.flow import generate
from kgsynth.generation.result import Generated
from kgsynth.models.llm import LLMSettings

MIN_WORDS, MAX_WORDS, FILES = 150, 1500, 6
OUT = Path("outputs/with_model")


def main(docs: str = "corpora/handbook", model: str = "qwen", n: int = 20) -> None:
    """Print the table and write the sheet."""
    pages = chosen_documents(Path(docs))
    folder = OUT / "docs"
    shutil.rmtree(OUT, ignore_errors=True)
    for page in pages:
        (folder / page.id).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(docs) / page.id, folder / page.id)
    print(f"documents: {', '.join(f'{page.id} ({len(page.text.split())} words)' for page in pages)}\n")
    made = {"rules": made_by(None, folder, n), model: made_by(model, folder, n)}
    print_costs(made, n)
    sheet([(writer, item) for writer, (result, _) in made.items() for item in result.golden])


def chosen_documents(docs: Path) -> list[Document]:
    """Return the documents to ask about, evenly over the folder."""
    found = [page for page in read_folder(docs) if isinstance(page, Document)]
    fitting = [page for page in found if MIN_WORDS <= len(page.text.split()) <= MAX_WORDS]
    if not fitting:
        raise InputError(f"{docs} has no document of {MIN_WORDS} to {MAX_WORDS:,} words; give another folder")
    return fitting[:: max(1, len(fitting) // FILES)][:FILES]


def made_by(model: str | None, folder: Path, n: int) -> tuple[Generated, float]:
    """Generate with or without a model; return the result and the seconds."""
    settings = LLMSettings(timeout=600, at_once=1) if model else None
    begun = time.perf_counter()
    result = generate(folder, OUT / (model or "rules"), config=Config(n=n, llm=model), llm_settings=settings)
    return result, time.perf_counter() - begun


def print_costs(made: dict[str, tuple[Generated, float]], n: int) -> None:
    """Print a row for each writer, and what the model's checks rejected."""
    print(f"{'writer':<10}{'wanted':>7}{'made':>6}{'seconds':>9}{'calls':>7}{'calls/item':>12}{'tokens/item':>13}")
    for writer, (result, seconds) in made.items():
        stages = [usage for usage in result.usage.values() if isinstance(usage, dict)]
        calls = sum(usage["calls"] for usage in stages)
        tokens = sum(usage["tokens_in"] + usage["tokens_out"] for usage in stages)
        accepted = max(len(result.golden), 1)
        print(f"{writer:<10}{n:>7}{len(result.golden):>6}{seconds:>9.0f}{calls:>7}", end="")
        print(f"{calls / accepted:>12.1f}{tokens / accepted:>13.0f}")
    print()
    for writer, (result, _) in made.items():
        writers = Counter(str(item.metadata["writer"]) for item in result.golden)
        print(f"{writer}: written by {', '.join(f'{name} {count}' for name, count in writers.items())}")
        rejected = [why for _, why in result.rejected if why.rule not in {*BY_WORDS, *BY_VECTOR}]
        for why, count in Counter(f"{why.rule}: {why.detail[:70]}" for why in rejected).most_common():
            print(f"  {count:>4}  {why}")


def sheet(made: list[tuple[str, Item]]) -> None:
    """Write the questions of all writers, shuffled, as a sheet to grade and a key."""
    random.Random(0).shuffle(made)
    rows, key, lines = [], {}, []
    for number, (writer, item) in enumerate(made, 1):
        spans = [[f"{span.doc}: {span.text}" for span in group] for group in item.evidence]
        row = {"number": number, "type": item.question_type, "question": item.question}
        rows.append(row | {"evidence": spans, "golden_answer": list(item.golden_answers)})
        key[number] = {"writer": writer, "written by": item.metadata["writer"], "style": item.metadata.get("style")}
        lines += [f"{number}. [{item.question_type}] {item.question}", f"   {item.golden_answers[0]}", ""]
    for name, content in (("sheet.json", rows), ("key.json", key)):
        (OUT / name).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (OUT / "sheet.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    call(main)

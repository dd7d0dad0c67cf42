"""Write a table whose columns have types: as Parquet, or as a data set of Hugging Face with its card."""

from __future__ import annotations

from collections import Counter
from typing import Any

from kgsynth.base.parquet import to_parquet
from kgsynth.golden.exchange.item_rows import HUB_FILE
from kgsynth.golden.export.columns import TYPES, typed_row
from kgsynth.golden.export.export_input import ExportInput, Rendered, json_lines

_CARD = """\
---
pretty_name: Golden set for a RAG system
task_categories:
- question-answering
language:
{languages}
tags:
- rag
- kgsynth
configs:
- config_name: default
  data_files:
  - split: test
    path: {file}
dataset_info:
  features:
{features}
---

# Golden set for a RAG system

{counts}

| question type | questions |
|---|---|
{types}

`evidence` is a list of groups: every group is needed, and any one span of a group is enough. `start` and `end` count
Unicode code points in the text of the document `doc`. An unanswerable question has no golden answers. `details` has
hard negatives, derivation, claims and metadata as JSON.

```python
from datasets import load_dataset

golden = load_dataset("FOLDER", split="test")
```

Written by [kgsynth](https://pypi.org/project/kgsynth), which reads this folder too: `kgsynth audit FOLDER --docs DOCS`.
"""


def render_parquet(source: ExportInput) -> Rendered:
    """Return the Parquet file.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    return Rendered({"": to_parquet(list(map(typed_row, source.items)), TYPES)})


def render_hub(source: ExportInput) -> Rendered:
    """Return the lines of JSON and the card, which gives the types of the columns: empty lists do not show theirs."""
    types = Counter(item.question_type for item in source.items)
    answerable = sum(item.answerable for item in source.items)
    card = _CARD.format(
        languages="\n".join(f"- {code}" for code in sorted({item.language for item in source.items})),
        file=HUB_FILE,
        features="\n".join(_feature_lines(TYPES, "  ")),
        counts=f"{len(source.items)} questions, {answerable} of them answerable.",
        types="\n".join(f"| {name} | {count} |" for name, count in sorted(types.items())),
    )
    return Rendered({HUB_FILE: json_lines(map(typed_row, source.items)), "README.md": card.encode()})


def _feature_lines(types: dict[str, Any], indent: str) -> list[str]:
    """Return the YAML that the library datasets reads the types from."""
    lines = []
    for name, wanted in types.items():
        lines += [f"{indent}- name: {name}", *_type_lines(wanted, f"{indent}  ")]
    return lines


def _type_lines(wanted: Any, indent: str) -> list[str]:
    if isinstance(wanted, str):
        return [f"{indent}dtype: {wanted}"]
    if isinstance(wanted, dict):
        return [f"{indent}struct:", *_feature_lines(wanted, indent)]
    (inner,) = wanted
    if isinstance(inner, str):
        return [f"{indent}list: {inner}"]
    if isinstance(inner, dict):
        return [f"{indent}list:", *_feature_lines(inner, indent)]
    return [f"{indent}list:", *_type_lines(inner, f"{indent}  ")]

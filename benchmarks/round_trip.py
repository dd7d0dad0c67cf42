"""How many structure facts of Markdown files are found again after pandoc turned them into other formats.

    python benchmarks/round_trip.py [FOLDER] [FILES]

A fact is found if one of the same kind has the same subject, heads and values; white space and quotation marks do not
count. Pictures, front matter and templates are left out. Needs pandoc.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from arguments import call

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, StructureFact
from kgsynth.documents import read_folder
from kgsynth.documents.structure import structure

FORMATS = {
    "docx": ("docx",),
    "odt": ("odt",),
    "epub": ("epub",),
    "adoc": ("asciidoc", "-s", "--wrap=none"),
    "wiki": ("mediawiki", "-s", "--wrap=none"),
    "ipynb": ("ipynb", "--wrap=none"),
}
"""From an extension to the format of pandoc and further arguments."""
READ_AS = "gfm"
SHOWN = 5  # facts that were not found, of each format and kind
Key = tuple[str, ...]


def main(folder: str = "corpora/handbook", files: int = 40) -> None:
    """Print the share of facts that are found in each format, by kind, and some that are not."""
    if shutil.which("pandoc") is None:
        print("pandoc is not installed; install it to run this benchmark")
        return
    bars = {path: path.read_text("utf-8").count("|") for path in Path(folder).rglob("*.md")}
    pages = sorted(bars, key=lambda path: (-bars[path], str(path)))[:files]  # those with tables first
    if not pages:
        raise InputError(f"{folder} has no .md files; give a folder of Markdown")
    shares: dict[str, dict[str, tuple[int, int]]] = {}
    missing: dict[tuple[str, str], list[Key]] = {}
    with tempfile.TemporaryDirectory() as made:
        originals = facts_by_page(pages, Path(made) / "md", "md")
        kinds = sorted({key[0] for facts in originals.values() for key in facts})
        for extension in FORMATS:
            found = facts_by_page(pages, Path(made) / extension, extension)
            counts = {kind: [0, 0] for kind in kinds}
            for name, facts in originals.items():
                lost = facts - found.get(name, Counter())
                for key, number in facts.items():
                    counts[key[0]][0] += number - lost[key]
                    counts[key[0]][1] += number
                for key in lost:
                    missing.setdefault((extension, key[0]), []).append((name, *key[1:]))
            shares[extension] = {kind: (there, of) for kind, (there, of) in counts.items()}
    show(kinds, shares, missing)


def show(
    kinds: list[str], shares: dict[str, dict[str, tuple[int, int]]], missing: dict[tuple[str, str], list[Key]]
) -> None:
    """Print the table, and the facts that were not found."""
    print("format" + "".join(f"{kind:>18}" for kind in [*kinds, "all"]))
    for extension, counts in shares.items():
        whole = (sum(there for there, _ in counts.values()), sum(of for _, of in counts.values()))
        cells = (f"{there} of {of} {there / max(of, 1):4.0%}" for there, of in [*counts.values(), whole])
        print(f"{extension:<6}" + "".join(f"{cell:>18}" for cell in cells))
    for (extension, kind), keys in sorted(missing.items()):
        for key in keys[:SHOWN]:
            print(f"not in {extension}, {kind}: " + " | ".join(part[:70] for part in key))


def facts_by_page(pages: list[Path], folder: Path, extension: str) -> dict[str, Counter[Key]]:
    """Return the facts of each page, written to ``folder`` in another format and read again."""
    folder.mkdir()
    for number, page in enumerate(pages):
        # pandoc does not write the front matter, stops at a picture that is missing, and takes templates for text
        text = re.sub(r"\A---\n.*?\n---\n", "", page.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"!\[[^\]]*\]\([^)]*\)|{%.*?%}|{{.*?}}|{:.*?}", "", text, flags=re.DOTALL)
        target = folder / f"{number:03}.{extension}"
        if extension == "md":
            target.write_text(text, "utf-8")
            continue
        arguments = ["-f", READ_AS, "-t", *FORMATS[extension], "--metadata", f"title={page.stem}", "-o", str(target)]
        subprocess.run(["pandoc", *arguments], input=text.encode(), check=True, capture_output=True)
    found: dict[str, Counter[Key]] = {}
    for entry in read_folder(folder):
        if isinstance(entry, Document):
            number = int(entry.id.split(".")[0])
            found[str(pages[number])] = Counter(fact_key(fact) for fact in structure(entry))
    return found


def fact_key(fact: StructureFact) -> Key:
    """Return the kind and the texts of a fact, without white space and without the form of quotation marks."""
    parts = (fact.subject, *fact.heads, *fact.values)
    subject = [] if fact.kind in ("see", "warning") else [fact.subject.text]
    texts = [*subject, *(part.text for part in parts[1:])]
    return fact.kind.value, *(re.sub(r"\s+", "", text).translate(QUOTES) for text in texts)


QUOTES = str.maketrans("“”‘’…", "\"\"''.")


if __name__ == "__main__":
    call(main)

"""How much of a set's documents is found again after pandoc and LibreOffice turned them into other formats.

    python benchmarks/round_trip.py [FOLDER] [GOLDEN] [KEEP]

A structure fact is found if one of the same kind has the same subject, heads and values, and a clause if one has the
same verb and phrases; white space and quotation marks do not count. A span of GOLDEN is found if its text is found in
the same page as scoring finds a passage. Pictures, front matter and templates are left out. The files are left in KEEP.
Needs pandoc; without LibreOffice, .pdf is left out.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from arguments import call

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, StructureFact
from kgsynth.documents import read_folder
from kgsynth.documents.structure import structure
from kgsynth.documents.text_index import TextIndex

FORMATS = {
    "docx": ("docx",),
    "epub": ("epub",),
    "ipynb": ("ipynb", "--wrap=none"),
}
"""From an extension to the format of pandoc and further arguments; .pdf is made of .docx by LibreOffice."""
PDF_WITH_RELATIVE_LINKS = 'pdf:writer_pdf_Export:{"ExportLinksRelativeFsys":{"type":"boolean","value":"true"}}'
READ_AS = {".md": "gfm", ".rst": "rst", ".html": "html", ".txt": "commonmark"}
SHOWN = 5  # facts or spans that were not found, of each format and kind
QUOTES = str.maketrans("“”‘’…", "\"\"''.")
Key = tuple[str, ...]
Pages = dict[str, Document]
Share = tuple[int, int]


def main(folder: str = "corpora/handbook", golden: str = "tests/handbook.jsonl", keep: str = "") -> None:
    """Print the share of facts and spans that are found in each format, by kind, and some that are not."""
    pages = sorted(path for path in Path(folder).rglob("*") if path.suffix in READ_AS)
    if not pages:
        raise InputError(f"{folder} has no {', '.join(READ_AS)} files; give a folder of such pages")
    if shutil.which("pandoc") is None:
        print("pandoc is not installed; install it to run this benchmark")
        return
    spans = golden_spans(Path(golden))
    with tempfile.TemporaryDirectory() as made:
        target = Path(keep or made)
        sources = write_sources(pages, Path(folder), target)
        original = read_pages(target / "source")
        facts = {name: keys(document, clauses=True) for name, document in original.items()}
        for extension in convert(sources, target):
            converted = read_pages(target / extension)
            shares, lost = compare(facts, converted, clauses=True)
            shares["span"], missing = locate(spans, converted)
            show(extension, shares, [*lost, *missing])


def show(extension: str, shares: dict[str, Share], lost: Iterable[Key]) -> None:
    """Print a line of the table, and some of what was not found."""
    cells = (f"{kind} {there} of {of} {there / max(of, 1):.1%}" for kind, (there, of) in sorted(shares.items()))
    print(f"{extension:<6}" + " | ".join(cells))
    shown = Counter[str]()
    for key in lost:
        shown[key[1]] += 1
        if shown[key[1]] <= SHOWN:
            print(f"    not found, {key[1]} in {key[0]}: " + " | ".join(part[:90] for part in key[2:]))


# ---- conversion ------------------------------------------------------------------------------------


def write_sources(pages: Sequence[Path], folder: Path, target: Path) -> list[Path]:
    """Write the pages without what pandoc cannot carry over to ``target``/source, and return their paths."""
    written = []
    for page in pages:
        # pandoc does not write the front matter, stops at a picture that is missing, and takes templates for text
        text = re.sub(r"\A---\n.*?\n---\n", "", page.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"!\[[^\]]*\]\([^)]*\)|{%.*?%}|{{.*?}}|{:.*?}", "", text, flags=re.DOTALL)
        written.append(target / "source" / page.relative_to(folder))
        written[-1].parent.mkdir(parents=True, exist_ok=True)
        written[-1].write_text(text, "utf-8")
    return written


def convert(sources: Sequence[Path], target: Path) -> list[str]:
    """Write each page to ``target``/EXTENSION in each format, and return the extensions."""
    for extension, arguments in FORMATS.items():
        for source in sources:
            path = (target / extension / source.relative_to(target / "source")).with_suffix(f".{extension}")
            path.parent.mkdir(parents=True, exist_ok=True)
            title = ["--metadata", f"title={source.stem}"]
            command = ["pandoc", "-f", READ_AS[source.suffix], "-t", *arguments, *title, "-o", str(path), str(source)]
            subprocess.run(command, check=True, capture_output=True)
    if shutil.which("soffice") is None:
        return list(FORMATS)
    for folder in sorted({path.parent for path in (target / "docx").rglob("*.docx")}):
        output = target / "pdf" / folder.relative_to(target / "docx")
        command = ["soffice", "--headless", f"-env:UserInstallation={(target / 'profile').resolve().as_uri()}"]
        command += [
            "--convert-to",
            PDF_WITH_RELATIVE_LINKS,
            "--outdir",
            str(output),
            *map(str, sorted(folder.glob("*.docx"))),
        ]
        subprocess.run(command, check=True, capture_output=True)
    shutil.rmtree(target / "profile")
    return [*FORMATS, "pdf"]


# ---- comparison ------------------------------------------------------------------------------------


def page_name(path: str) -> str:
    """Return the path of a page without its extension."""
    return str(PurePosixPath(path).with_suffix(""))


def read_pages(folder: Path) -> Pages:
    """Return the documents of a folder by the path without the extension.

    Raises:
        InputError: a file is not read.
    """
    pages = {}
    for entry in read_folder(folder):
        if not isinstance(entry, Document):
            raise InputError(f"{folder / entry.path} is skipped: {entry.reason}")
        pages[page_name(entry.id)] = entry
    return pages


def golden_spans(path: Path) -> list[Key]:
    """Return the page and the text of each span of evidence in a golden set."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        for group in json.loads(line).get("evidence", []):
            found += [(page_name(span["doc"]), span["text"]) for span in group]
    return found


def compare(facts: dict[str, Counter[Key]], pages: Pages, clauses: bool = False) -> tuple[dict[str, Share], list[Key]]:
    """Return by kind how many facts of the originals are found in the pages and how many there are; and the others."""
    shares: dict[str, Share] = {}
    missing = []
    for name, wanted in facts.items():
        lost = wanted - keys(pages[name], clauses)
        for key, number in wanted.items():
            there, of = shares.get(key[0], (0, 0))
            shares[key[0]] = (there + number - lost[key], of + number)
        missing += [(name, *key) for key in lost]
    return shares, missing


def locate(spans: Sequence[Key], pages: Pages) -> tuple[Share, list[Key]]:
    """Return how many spans are found in their page and how many there are; and the others."""
    index = TextIndex({name: page.text for name, page in pages.items()})
    wanted = [(name, text) for name, text in spans if name in pages]
    missing = [(name, "span", text) for name, text in wanted if not index.find(text, name)[0]]
    return (len(wanted) - len(missing), len(wanted)), missing


def keys(document: Document, clauses: bool = False) -> Counter[Key]:
    """Return the structure facts of a page, and the clauses that the parser finds, as texts that can be compared."""
    found = Counter(fact_key(fact) for fact in structure(document))
    if clauses:
        from kgsynth.generation.corpus import parse_document

        for fact in parse_document(replace(document, language="en"), "en_core_web_sm").facts:
            texts = (*fact.verb.auxiliaries, fact.verb.form, *(phrase.text for phrase in fact.phrases))
            found[("clause", *map(plain, texts))] += 1
    return found


def fact_key(fact: StructureFact) -> Key:
    """Return the kind and the texts of a fact."""
    subject = [] if fact.kind in ("see", "warning") else [fact.subject.text]
    return fact.kind.value, *map(plain, (*subject, *(part.text for part in (*fact.heads, *fact.values))))


def plain(text: str) -> str:
    """Return a text without white space and without the form of quotation marks."""
    return re.sub(r"\s+", "", text).translate(QUOTES)


if __name__ == "__main__":
    call(main)

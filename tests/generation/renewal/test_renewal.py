"""A finished run whose documents changed goes on: what is still proved stays, and only free places are filled."""

from __future__ import annotations

import importlib
import json
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result
from desk import MIX, desk
from scripted_model import Direct, Faithful

from kgsynth.base.config import Config
from kgsynth.base.progress import silent
from kgsynth.base.records import Item, Turn
from kgsynth.base.run_folder.folder import checksum
from kgsynth.base.run_folder.manifest import patterns_of_run
from kgsynth.cli import main
from kgsynth.documents import read_documents
from kgsynth.documents.run_documents import documents_beside, documents_of_run
from kgsynth.generation.asking.flow import ask
from kgsynth.generation.corpus import Corpus
from kgsynth.generation.renewal import standing
from kgsynth.generation.renewal.beginning import Changes, compare
from kgsynth.generation.run import Run
from kgsynth.generation.survey import Draw, Survey, index_of
from kgsynth.golden.dataset import Dataset, load

pytestmark = pytest.mark.usefixtures("hashed")


@pytest.fixture
def folders(docs: Path, undisturbed: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Copies of the documents and of a finished run of 12 questions over them."""
    shutil.copytree(docs, tmp_path / "docs")
    shutil.copytree(undisturbed, tmp_path / "run")
    return tmp_path / "docs", tmp_path / "run"


def go_on(docs: Path, out: Path, *options: str, n: int = 12) -> Result:
    command = ["generate", str(docs), "-o", str(out), "-n", str(n), "--fill", "--processes", "1", "-q", *options]
    return CliRunner().invoke(main, command)


def renewed(docs: Path, out: Path, *options: str, n: int = 12) -> Dataset:
    result = go_on(docs, out, *options, n=n)
    assert result.exit_code == 0, result.output
    return load(out)


def manifest(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    return found


def pages(item: Item) -> set[str]:
    return {span.doc for group in item.evidence for span in group}


def a_page_of_one(golden: Dataset) -> tuple[str, Item]:
    """Return a page in Markdown, whose text is the file itself, that proves exactly one item, and the item."""
    for item in golden:
        if len(item.evidence) == len(pages(item)) == 1:
            (page,) = pages(item)
            if page.endswith(".md") and sum(page in pages(other) for other in golden) == 1:
                return page, item
    raise AssertionError("no page has one item only")


def edit(docs: Path, page: str, change: Callable[[str], str]) -> None:
    text = (docs / page).read_text(encoding="utf-8")
    assert change(text) != text
    (docs / page).write_text(change(text), encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


# ---- what changed ------------------------------------------------------------------------------------


def test_changes_are_told_by_name_and_content() -> None:
    before = {"edited.md": "1", "gone.md": "2", "moved.md": "3", "same.md": "4"}
    now = {"edited.md": "9", "new.md": "8", "there/moved.md": "3", "same.md": "4"}
    expected = Changes(("edited.md",), ("new.md",), ("gone.md",), {"moved.md": "there/moved.md"})
    assert compare(before, now) == expected and expected
    assert not compare(before, before)


def test_of_two_equal_pages_none_is_taken_for_the_renamed_one() -> None:
    assert compare({"a.md": "1", "b.md": "1"}, {"c.md": "1"}) == Changes((), ("c.md",), ("a.md", "b.md"), {})


# ---- renewal -----------------------------------------------------------------------------------------


def test_only_the_changed_page_is_parsed_and_its_items_are_anchored_again(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, out = folders
    before = load(out)
    page, item = a_page_of_one(before)
    edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
    parsed: list[str] = []
    corpus = importlib.import_module("kgsynth.generation.corpus")
    real = corpus.parse_document
    monkeypatch.setattr(
        corpus, "parse_document", lambda document, model: parsed.append(document.id) or real(document, model)
    )
    now = renewed(docs, out)
    assert parsed == [page]
    assert [each.id for each in now] == [each.id for each in before], "no id and no place is another"
    ((old,),), ((span,),) = item.evidence, now[item.id].evidence
    assert (span.start, span.text) == (old.start + len("Kept by the archive.\n\n"), old.text)
    text = (docs / page).read_text(encoding="utf-8")
    assert text[span.start : span.end] == span.text
    others = [each for each in before if each.id != item.id]
    assert [now[each.id].evidence for each in others] == [each.evidence for each in others]
    assert manifest(out)["renewal"] == {
        "documents": {"changed": [page], "added": [], "removed": [], "renamed": {}},
        "kept": 12, "moved": [item.id], "left": [], "added": [],
    }  # fmt: skip


def test_only_the_changed_page_is_cut_into_chunks(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, out = folders
    page, _ = a_page_of_one(load(out))
    edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
    cut: list[str] = []
    chunking = importlib.import_module("kgsynth.documents.chunking")
    real = chunking.chunk
    monkeypatch.setattr(chunking, "chunk", lambda each, **settings: cut.append(each.id) or real(each, **settings))
    renewed(docs, out)
    assert cut == [page]
    renewed(docs, tmp_path / "fresh")
    assert (out / "chunks.jsonl").read_bytes() == (tmp_path / "fresh" / "chunks.jsonl").read_bytes()


def test_only_the_changed_page_is_read(folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    docs, out = folders
    page, _ = a_page_of_one(load(out))
    edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
    read: list[str] = []
    documents = importlib.import_module("kgsynth.documents")
    real = documents.in_engine

    def in_engine(engine: str, work: Any, entries: list[tuple[str, Any]], *more: Any, **named: Any) -> Any:
        read.extend(key for key, found in entries if isinstance(found, Path))
        return real(engine, work, entries, *more, **named)

    monkeypatch.setattr(documents, "in_engine", in_engine)
    renewed(docs, out)
    assert read == [page]
    read.clear()
    renewed(docs, out, "--fresh")
    assert len(read) == len(list(documents_beside(out / "golden.jsonl"))), "a fresh run reads all"


def test_documents_are_read_again_where_another_version_or_setting_would_read_them_otherwise(
    folders: tuple[Path, Path],
) -> None:
    docs, out = folders
    page, _ = a_page_of_one(load(out))
    assert sorted(documents_of_run(out, "auto").values(), key=lambda each: each.id) == list(read_documents(docs))
    assert documents_of_run(docs, "auto") == {}, "no run"
    assert documents_of_run(out, "zh") == {}, "the run has the setting 'auto'"
    state = json.loads((out / "state.json").read_text(encoding="utf-8"))
    for key, value in (("kgsynth", "0.0.0"), ("packages", {**state["packages"], "spacy": "1.0"}), ("done", {})):
        (out / "state.json").write_text(json.dumps({**state, key: value}), encoding="utf-8")
        assert documents_of_run(out, "auto") == {}, key
    (out / "state.json").write_text(json.dumps(state), encoding="utf-8")
    edit(out, "documents.jsonl", lambda text: text.replace(page, "other.md"))
    assert documents_of_run(out, "auto") == {}, "documents.jsonl is not what the run wrote"


def test_a_renamed_page_takes_its_items_along(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    before = load(out)
    page, item = a_page_of_one(before)
    (docs / page).rename(docs / "elsewhere.md")
    now = renewed(docs, out)
    assert [each.id for each in now] == [each.id for each in before]
    assert pages(now[item.id]) == {"elsewhere.md"} and page not in json.dumps(dict(now[item.id].derivation))
    assert manifest(out)["renewal"]["documents"]["renamed"] == {page: "elsewhere.md"}


def test_an_item_whose_proof_is_gone_leaves_with_the_reason_and_another_takes_its_place(
    folders: tuple[Path, Path],
) -> None:
    docs, out = folders
    before = load(out)
    page, item = a_page_of_one(before)
    (docs / page).unlink()
    now = renewed(docs, out)
    assert item.id not in now and len(now) == 12
    place = list(before).index(item)
    assert [each.id for each in now][:place] == [each.id for each in before][:place]
    assert [each.id for each in now][place + 1 :] == [each.id for each in before][place + 1 :]
    (line,) = (out / "outdated.jsonl").read_text(encoding="utf-8").splitlines()
    found = json.loads(line)
    assert (found["id"], found["rejected"]["rule"]) == (item.id, "outdated")
    assert found["rejected"]["detail"].startswith(f"{page} is gone, and ")
    assert manifest(out)["renewal"]["added"] == [now[place].id]


def test_an_item_leaves_if_a_new_page_gives_another_answer(tmp_path: Path) -> None:
    docs, out = tmp_path / "docs", tmp_path / "run"
    docs.mkdir()
    page = "# Stations\n\nThe Vardo station was built in 1921. It has nine rooms for guests and a small library.\n"
    (docs / "a.md").write_text(page, encoding="utf-8")
    before = renewed(docs, out, n=5)
    asked = [item for item in before if "1921" in item.golden_answers]
    assert asked, before.questions
    (docs / "b.md").write_text("# News\n\nThe Vardo station was built in 1935.\n", encoding="utf-8")
    now = renewed(docs, out, n=5)
    assert asked[0].id not in now
    (left,) = (each for each in manifest(out)["renewal"]["left"] if each["id"] == asked[0].id)
    assert "but b.md" in left["why"] and "1935" in left["why"]


TERMS = """# Glossary of Ledgerly

Ledgerly is a service for bookkeeping.

- **Voucher**: A document that proves a booking. It is kept for ten years.
- **Trial balance**: A list of all accounts with their balances at one date.
"""


def test_a_question_on_a_term_moves_with_it_and_leaves_if_a_new_page_says_otherwise(tmp_path: Path) -> None:
    docs, out = tmp_path / "docs", tmp_path / "run"
    docs.mkdir()
    (docs / "a.md").write_text(TERMS, encoding="utf-8")
    before = [item.id for item in renewed(docs, out, n=5) if item.subtype == "term"]
    assert len(before) == 1
    edit(docs, "a.md", lambda text: f"Kept by the archive.\n\n{text}")
    assert [item.id for item in renewed(docs, out, n=5) if item.id in before] == before
    (docs / "a.md").rename(docs / "b.md")
    assert [item.id for item in renewed(docs, out, n=5) if item.id in before] == before
    other = TERMS.replace("A list of all accounts with their balances at one date", "Weights for scales")
    (docs / "c.md").write_text(other, encoding="utf-8")
    renewed(docs, out, n=5)
    (left,) = (each for each in manifest(out)["renewal"]["left"] if each["id"] in before)
    assert left["question"].endswith("trial balance?") and "but c.md" in left["why"]
    assert left["why"].endswith("says 'Weights for scales.'")


def test_what_is_not_kept_is_as_in_a_fresh_run(folders: tuple[Path, Path], tmp_path: Path) -> None:
    docs, out = folders
    page, _ = a_page_of_one(load(out))
    edit(docs, page, lambda text: text + "\n\nThe Lapwing 7 was built in 1988 by the yard of Bodo.\n")
    renewed(docs, out)
    fresh = tmp_path / "fresh"
    renewed(docs, fresh)
    names = ("documents.jsonl", "chunks.jsonl", "analysis.jsonl", "graph.json", "candidates.jsonl", "rejected.jsonl")
    for name in (*names, "embeddings.npy"):
        assert (out / name).read_bytes() == (fresh / name).read_bytes(), name


def test_a_renewal_that_is_stopped_ends_with_the_same_bytes(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, out = folders
    shutil.copytree(out, tmp_path / "other")
    page, _ = a_page_of_one(load(out))
    (docs / page).unlink()
    renewed(docs, tmp_path / "other")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for module, function in (
        ("kgsynth.generation.graph.storage", "save"),
        ("kgsynth.golden.dataset", "write_rejected"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(importlib.import_module(module), function, full)
            assert go_on(docs, out).exit_code == 3
    assert load(out).questions == load(out / "earlier.jsonl").questions, "the set stays until the new one is complete"
    renewed(docs, out)
    apart = {"manifest.json", "state.json", ".lock"}
    one, other = (
        {name: data for name, data in files(each).items() if name not in apart} for each in (out, tmp_path / "other")
    )
    assert one == other
    assert renewed(docs, out).questions == load(tmp_path / "other").questions


def test_documents_that_change_again_during_a_renewal(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, out = folders
    before = load(out)
    page, item = a_page_of_one(before)
    text = (docs / page).read_text(encoding="utf-8")
    (docs / page).unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(importlib.import_module("kgsynth.generation.graph.storage"), "save", full)
        assert go_on(docs, out).exit_code == 3
    (docs / page).write_text("Kept.\n\n" + text, encoding="utf-8")
    now = renewed(docs, out)
    assert [each.id for each in now] == [each.id for each in before] and manifest(out)["renewal"]["moved"] == [item.id]


def test_ten_renewals_keep_what_was_never_touched_and_record_all_that_left(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    before = load(out)
    page, item = a_page_of_one(before)
    for number in range(3):
        edit(docs, page, lambda text, number=number: f"Note {number} of the archive.\n\n{text}")
        renewed(docs, out)
    (docs / page).unlink()
    renewed(docs, out)
    (docs / "new.md").write_text("# New\n\nThe Lapwing 7 was built in 1988.\n", encoding="utf-8")
    now = renewed(docs, out)
    assert [each.id for each in before if each.id not in now] == [item.id]
    assert len((out / "outdated.jsonl").read_text(encoding="utf-8").splitlines()) == 1, (
        "a later renewal keeps the record"
    )


# ---- growth ------------------------------------------------------------------------------------------


def test_a_larger_set_begins_with_the_smaller_one(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    before = list(load(out))
    now = list(renewed(docs, out, n=16))
    assert now[:12] == before and len(now) == 16
    now = list(renewed(docs, out, "--mix", "simple=1", n=18))
    assert now[:12] == before and len(now) == 18 and {item.question_type for item in now[16:]} == {"simple"}


def test_fewer_questions_are_refused_with_the_next_step(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    kept = files(out)
    result = go_on(docs, out, n=5)
    assert result.exit_code == 3
    assert "contains 12 questions, more than -n 5; score some of them with kgsynth score --sample" in result.stderr
    assert {name: data for name, data in files(out).items() if name in kept} == kept


def test_settings_that_make_another_set_are_refused_when_the_documents_changed(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    (docs / "new.md").write_text("# New\n\nThe Lapwing 7 was built in 1988.\n", encoding="utf-8")
    result = go_on(docs, out, "--seed", "3")
    assert result.exit_code == 3
    assert "made with other settings (seed was 0 and is now 3), and its documents changed; give these" in result.stderr
    now = renewed(docs, out)
    result = go_on(docs, out, "--seed", "3")
    assert "and the set was renewed or enlarged" in result.stderr and load(out).questions == now.questions


def test_edited_and_deleted_items_are_respected(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    lines = (out / "golden.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    first = json.loads(lines[0])
    first["question"] = "Which words did a person choose?"
    (out / "golden.jsonl").write_text(json.dumps(first) + "\n" + "".join(lines[2:]), encoding="utf-8")
    (docs / "new.md").write_text("# New\n\nThe Lapwing 7 was built in 1988.\n", encoding="utf-8")
    result = go_on(docs, out)
    assert "changed since the last run in this folder: golden.jsonl was edited" in result.stdout, result.output
    now = list(load(out))
    assert now[0].question == "Which words did a person choose?" and now[0].id == first["id"]
    assert len(now) == 12 and [item.id for item in now[1:11]] == [json.loads(line)["id"] for line in lines[2:]]


# ---- damage and kills --------------------------------------------------------------------------------

EARLIER = ("earlier.jsonl", "earlier.json", "earlier_documents.jsonl")


def interrupt(monkeypatch: pytest.MonkeyPatch, place: str, docs: Path, out: Path) -> None:
    """Go on, and interrupt it where ``place`` is first called."""

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(place, interrupted)
        assert go_on(docs, out).exit_code == 130


PARSING, STATE_WRITTEN = "kgsynth.generation.corpus.parse_document", "kgsynth.base.run_folder.RunFolder._save"


@pytest.mark.parametrize("name", EARLIER)
def test_what_an_interrupted_renewal_goes_on_from_is_refused_if_it_is_gone_or_changed(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    docs, out = folders
    page, _ = a_page_of_one(load(out))
    edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
    interrupt(monkeypatch, PARSING, docs, out)
    whole = (out / name).read_bytes()
    for content in (None, b"", b"null", whole[:-1] + b" ", b"[" * 100_000):
        (out / name).unlink()
        if content is not None:
            (out / name).write_bytes(content)
        for n in (12, 13):
            result = go_on(docs, out, n=n)
            assert result.exit_code == 3, (content, result.output)
            assert f"{out / name} was changed or removed since kgsynth wrote it" in result.stderr
        (out / name).touch()
    (out / name).write_bytes(whole)
    assert len(renewed(docs, out)) == 12


def test_a_finished_renewal_goes_on_from_its_set_if_what_it_went_on_from_is_gone(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    page, _ = a_page_of_one(load(out))
    edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
    renewed(docs, out)
    whole = (out / "golden.jsonl").read_bytes()
    (out / "earlier.jsonl").unlink()
    (out / "earlier.json").write_text("null", encoding="utf-8")
    renewed(docs, out)
    assert (out / "golden.jsonl").read_bytes() == whole


def test_a_renewal_whose_set_was_deleted_goes_on_from_the_one_before(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    page, item = a_page_of_one(load(out))
    edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
    renewed(docs, out)
    (out / "golden.jsonl").unlink()
    edit(docs, page, lambda text: "Read by the archive.\n\n" + text)
    assert item.id in renewed(docs, out)


def test_killed_before_the_state_is_written_it_still_knows_the_documents_as_they_were(
    folders: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, out = folders
    first, second = sorted({page for item in load(out) for page in pages(item)})[:2]
    shutil.copytree(out, tmp_path / "other")
    for page, place in ((first, PARSING), (second, STATE_WRITTEN)):
        edit(docs, page, lambda text: "Kept by the archive.\n\n" + text)
        interrupt(monkeypatch, place, docs, out)
    renewed(docs, out)
    renewed(docs, tmp_path / "other")
    for name in ("golden.jsonl", *EARLIER):
        assert (out / name).read_bytes() == (tmp_path / "other" / name).read_bytes(), name


@pytest.mark.parametrize("name", ["rejected.jsonl", "report.html", "manifest.json"])
def test_damaged_pages_and_lists_of_a_finished_run_are_written_again(folders: tuple[Path, Path], name: str) -> None:
    docs, out = folders
    before = files(out)
    for damage in (lambda path: path.write_bytes(b"\0" * 100), Path.unlink):
        damage(out / name)
        assert go_on(docs, out, "--check").output == "Nothing would change.\n"
        renewed(docs, out)
        now = files(out)
        same = [each for each in before if each not in ("manifest.json", "state.json", "report.html")]
        assert [each for each in same if now[each] != before[each]] == []
        assert len(now[name]) > 100


# ---- looking ahead -----------------------------------------------------------------------------------


def test_a_check_says_what_would_change_and_writes_nothing(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    result = go_on(docs, out, "--check")
    assert (result.exit_code, result.stdout) == (0, "Nothing would change.\n")
    page, item = a_page_of_one(load(out))
    (docs / page).unlink()
    (docs / "new.md").write_text("# New\n\nThe Lapwing 7 was built in 1988.\n", encoding="utf-8")
    before = files(out)
    result = go_on(docs, out, "--check", "--json", n=14)
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["documents"] == {"changed": [], "added": ["new.md"], "removed": [page], "renamed": {}}
    assert (found["kept"], found["free"], found["settings"]) == (11, 3, ["n was 12 and is now 14"])
    assert [(each["id"], each["why"].startswith(f"{page} is gone")) for each in found["left"]] == [(item.id, True)]
    text = go_on(docs, out, "--check").stdout.splitlines()
    assert text[:3] == [
        "1 document added: new.md", f"1 document removed: {page}", "11 questions would stay, 1 would leave"
    ]  # fmt: skip
    assert text[3].startswith(f"  {item.id} ") and text[4:] == ["1 place would be free for new questions"]
    assert files(out) == before
    assert [each.id for each in renewed(docs, out) if each.id in [x["id"] for x in found["left"]]] == []


def test_a_check_of_no_run_and_of_a_refused_one_names_the_folder(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    result = go_on(docs, out.parent / "none", "--check")
    assert result.exit_code == 3 and "none contains no run of generate, so there is nothing to check" in result.stderr
    assert not (out.parent / "none").exists()
    result = go_on(docs, out, "--check", n=5)
    assert result.exit_code == 3 and f"{out} contains 12 questions, more than -n 5" in result.stderr


# ---- topics and kinds --------------------------------------------------------------------------------


def test_more_questions_about_a_topic(folders: tuple[Path, Path], move: Callable[[str, float], None]) -> None:
    docs, out = folders
    before = list(load(out))
    result = go_on(docs, out, "--topic", "Tern tag", n=14)
    if result.exit_code:
        assert "no passage is about 'Tern tag'" in result.stderr, result.output
        move("topic_least", 0.01)
        result = go_on(docs, out, "--topic", "Tern tag", n=14)
    assert result.exit_code == 0, result.output
    now = list(load(out))
    assert now[:12] == before
    few = manifest(out)["counts"]["scenarios"]
    move("topic_share", 0.1)
    assert go_on(docs, out.parent / "wide", "--topic", "Tern tag", n=14).exit_code == 0
    wide = manifest(out.parent / "wide")["counts"]["scenarios"]
    assert sum(wide.values()) > sum(few.values()) > 0


def test_a_topic_that_no_passage_is_about_is_an_error(
    folders: tuple[Path, Path], move: Callable[[str, float], None]
) -> None:
    docs, out = folders
    move("topic_least", 1.1)
    result = go_on(docs, out, "--topic", "Tern tag", n=14)
    assert result.exit_code == 3
    assert "no passage is about 'Tern tag': the nearest has a cosine of 0." in result.stderr


def test_a_kind_is_added_to_those_asked_by_default(folders: tuple[Path, Path]) -> None:
    docs, out = folders
    before = list(load(out))
    now = list(renewed(docs, out, "--add-kind", "cause", n=14))
    assert manifest(out)["config"]["kinds"] == ["default", "cause"] and now[:12] == before
    result = go_on(docs, out, "--add-kind", "causes")
    assert result.exit_code == 2 and "'causes' in kinds is unknown; did you mean" in result.stderr


# ---- a language model --------------------------------------------------------------------------------


def test_a_model_is_asked_only_for_the_questions_that_are_missing() -> None:
    kept = desk().ask(Faithful(), n=10)[0].accepted
    assert len(kept) >= 10
    for more in (0, 3):
        config = Config(llm="scripted", mix=MIX, n=len(kept) + more)
        model = Direct(Faithful(), calls=None, rng=None)
        run = cast(Run, SimpleNamespace(config=config, stage=lambda name, total=None: silent(name, total)))
        context = desk().context()
        survey = Survey(Draw(()), cast(Corpus, None), context.knowledge, run, index_of((), run))
        asked = ask([], context, model, run, survey, kept)
        assert len(asked.golden) <= more and bool(asked.golden) == bool(more)
        assert not {item.question for item in asked.golden} & {item.question for item in kept}
        written = [prompt for prompt in model.prompts if prompt.stage == "writing"]
        assert len(written) <= 2 * more and bool(model.prompts) == bool(more)


def test_the_later_turns_of_a_conversation_leave_with_its_first_question() -> None:
    opening = Item("q-1", "Who?", ("Ada",), "simple", "", "en", ())
    turn = replace(opening, id="q-2", question="And when?", history=(Turn("Who?", "Ada"),))
    other = replace(turn, id="q-3", history=(Turn("Why?", "So."),))
    assert set(standing._given_up([opening, turn, other], {"q-1"})) == {"q-2"}


@pytest.mark.parametrize(
    "name", ["analysis.jsonl", "chunks.jsonl", "documents.jsonl", "embeddings.npy", "earlier.json"]
)
def test_a_file_that_cannot_be_read_though_its_checksum_fits_is_named(folders: tuple[Path, Path], name: str) -> None:
    docs, out = folders
    edit(docs, "people/leave.md", lambda text: text + "\nThe depot opens at nine.\n")
    if name == "earlier.json":
        renewed(docs, out)
    else:
        edit(docs, "products/gannet.md", lambda text: text + "\nThe depot closes at five.\n")
    (out / name).write_bytes(b"[5]\n" if name != "embeddings.npy" else b"")
    state = json.loads((out / "state.json").read_text("utf-8"))
    state["done"][name] = checksum(out / name)
    (out / "state.json").write_text(json.dumps(state), "utf-8")
    result = go_on(docs, out)
    assert result.exit_code in (0, 3), result.output
    assert name == "documents.jsonl" or f"{out / name} is damaged" in result.stderr


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "cut": lambda data, rng: data[: rng.randrange(len(data))],
    "flipped": lambda data, rng: data[: (at := rng.randrange(len(data)))] + bytes([data[at] ^ 1]) + data[at + 1 :],
    "other values": lambda data, rng: re.sub(
        rb'"[^"\n]*"', rng.choice([b"null", b"5", b"[[]]", b'{"a": 1}']), data, count=9
    ),
}


def test_a_damaged_file_of_a_run_ends_no_command_without_a_sentence(folders: tuple[Path, Path], tmp_path: Path) -> None:
    docs, whole = folders
    edit(docs, "people/leave.md", lambda text: text + "\nThe depot opens at nine.\n")
    renewed(docs, whole)
    out, made, rng = tmp_path / "damaged", tmp_path / "made", random.Random(0)
    commands: list[list[str | Path]] = [
        ["audit", out, "--quick", "-q"],
        ["review", out, "--form", made / "form.html"],
        ["graph", out, "-o", made],
        ["export", out, "--to", "csv", "-o", made / "set.csv"],
        ["score", out, "--rag", "bm25", "-q"],
        ["generate", docs, "-o", out, "-n", "12", "--fill", "--processes", "1", "-q"],
    ]
    names = sorted(path.name for path in whole.iterdir() if path.is_file() and path.stat().st_size)
    assert {"state.json", "manifest.json", "golden.jsonl", *EARLIER} <= set(names)
    for name in names:
        for damage, change in DAMAGES.items():
            shutil.rmtree(out, ignore_errors=True)
            shutil.copytree(whole, out)
            (out / name).write_bytes(change((whole / name).read_bytes(), rng))
            command = [str(each) for each in rng.choice(commands)]
            result = CliRunner().invoke(main, command)
            what = f"{name} {damage}, {' '.join(command)}: {result.output}"
            assert result.exit_code in (0, 1, 2, 3) and "Traceback" not in result.output, what
            assert result.exit_code < 2 or "error: " in result.stderr.lower(), what


@pytest.mark.parametrize("patterns", ["text", 5, None, [5], {"a": 1}])
def test_patterns_in_a_manifest_that_are_no_list_of_texts_are_ignored(tmp_path: Path, patterns: object) -> None:
    config = {"config": {"include": patterns, "exclude": []}}
    (tmp_path / "manifest.json").write_text(json.dumps(config), "utf-8")
    assert patterns_of_run(tmp_path) == ([], [])

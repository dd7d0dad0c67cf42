"""Harvesting: planted logs in English and Chinese, with what is left out, replaced, counted, matched and missing."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner
from doubles import HashingEncoder

from kgsynth.base.errors import InputError
from kgsynth.cli import main
from kgsynth.golden.dataset import load
from kgsynth.harvesting import flow
from kgsynth.harvesting.flow import files, harvest
from kgsynth.harvesting.grouping import group_by_meaning, group_by_words, topics
from kgsynth.harvesting.harvest import Harvest, page, terminal
from kgsynth.harvesting.log import UserTurn, read_log
from kgsynth.harvesting.personal_data import mask
from kgsynth.harvesting.questions import AskedQuestion, sort_turns
from kgsynth.language.detection import guess_language
from kgsynth.scoring.flow import score

# ---- the shapes of logs ----------------------------------------------------------------------------

ASKED = "What does a new badge cost?"
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": ASKED}]
TALK = [
    {"role": "user", "content": "Who leads the depot?"},
    {"role": "assistant", "content": "Which depot?"},
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": "40 kroner"},
]
PARTS = [{"role": "user", "content": [{"type": "text", "text": ASKED}, {"type": "image_url", "image_url": "x"}]}]
OPENINFERENCE = [{"message": {"role": "system", "content": "x"}}, {"message": {"role": "user", "content": ASKED}}]
DOTTED = [{"message.role": "user", "message.content": ASKED}]

ROWS: Mapping[str, tuple[Mapping[str, Any], list[str]]] = {
    "text of a Langfuse trace": ({"id": "t", "input": ASKED, "output": "40"}, [ASKED]),
    "messages of a Langfuse trace": ({"input": MESSAGES, "output": {"role": "assistant", "content": "40"}}, [ASKED]),
    "messages as text": ({"input": json.dumps({"messages": MESSAGES})}, [ASKED]),
    "arguments of a decorated function": ({"input": {"args": [ASKED], "kwargs": {}}}, [ASKED]),
    "inputs of a chain": ({"input": {"inputs": {"question": ASKED}}}, [ASKED]),
    "parts": ({"input": PARTS}, [ASKED]),
    "a whole conversation": ({"conversation": TALK}, ["Who leads the depot?", ASKED]),
    "what a model was sent": ({"messages": TALK[:3]}, [ASKED]),
    "value of a Phoenix span": ({"attributes.input.value": ASKED, "span_kind": "CHAIN"}, [ASKED]),
    "nested Phoenix span": ({"attributes": {"input": {"value": ASKED}}}, [ASKED]),
    "messages of a Phoenix span": ({"attributes.llm.input_messages": OPENINFERENCE}, [ASKED]),
    "dotted messages": ({"attributes": {"llm.input_messages": DOTTED}}, [ASKED]),
    "columns of a flat span": (
        {"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.content": ASKED},
        [ASKED],
    ),
    "a column with a usual name": ({"User Query": ASKED, "Answer": "40"}, [ASKED]),
    "people and machines of ShareGPT": (
        {"conversation": [{"from": "human", "value": ASKED}, {"from": "gpt", "value": "40"}]},
        [ASKED],
    ),
}


def logged(folder: Path, *rows: Mapping[str, Any], name: str = "log.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("shape", ROWS)
def test_the_text_of_the_user_is_found_in_every_shape(shape: str, tmp_path: Path) -> None:
    row, texts = ROWS[shape]
    assert [turn.text for turn in read_log(logged(tmp_path, row)).turns] == texts


def test_of_a_trace_only_the_root_counts(tmp_path: Path) -> None:
    """The span below holds a prompt around the question; a trace whose root was not exported is read by its spans."""
    prompt = f"Answer from the context. Context: what? Question: {ASKED}"
    rows = [
        {"context.trace_id": "1", "context.span_id": "a", "parent_id": None, "attributes.input.value": ASKED},
        {"context.trace_id": "1", "context.span_id": "b", "parent_id": "a", "attributes.input.value": prompt},
        {"context.trace_id": "2", "context.span_id": "c", "parent_id": "z", "attributes.input.value": "Who leads?"},
    ]
    assert [turn.text for turn in read_log(logged(tmp_path, *rows)).turns] == [ASKED, "Who leads?"]


def test_a_reply_in_a_thread_is_no_span(tmp_path: Path) -> None:
    rows = [{"id": "1", "parent_id": None, "text": ASKED}, {"id": "2", "parent_id": "1", "text": "Who leads?"}]
    assert [turn.text for turn in read_log(logged(tmp_path, *rows)).turns] == [ASKED, "Who leads?"]


def test_one_trace_as_a_file_and_a_page_of_the_api(tmp_path: Path) -> None:
    trace = {"id": "t", "observations": [{"id": "o", "input": MESSAGES, "parentObservationId": None, "traceId": "t"}]}
    for number, tree in enumerate([trace, {"data": [{"input": ASKED}], "meta": {"page": 1}}]):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(tree, indent=1), encoding="utf-8")
        assert [turn.text for turn in read_log(path).turns] == [ASKED]


def test_a_table_of_messages_has_the_turns_of_users_only(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [["user_id", "role", "content"], ["u1", "user", ASKED], ["u1", "assistant", "40"], ["u2", "user", ""]]
        )
    found = read_log(path)
    assert [(turn.text, turn.person) for turn in found.turns] == [(ASKED, "u1")]
    assert dict(found.left_out) == {"turn of the system or an assistant": 1, "row without a text of a user": 1}


def test_a_field_names_what_is_not_found_by_itself(tmp_path: Path) -> None:
    path = logged(tmp_path, {"payload": {"said": ASKED}, "Frage der Kundin": "Who leads?"})
    with pytest.raises(InputError, match=r"no text of a user was found in its 1 rows; name it with --field"):
        read_log(path)
    assert [turn.text for turn in read_log(path, "payload.said").turns] == [ASKED]
    assert [turn.text for turn in read_log(path, "Frage der Kundin").turns] == ["Who leads?"]
    with pytest.raises(InputError, match=r"--field: 'a b c' is not a JMESPath expression"):
        read_log(path, "a b c")


# ---- personal data ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to ada.low+x@mail.example.org now", "write to [email] now"),
        ("邮箱是ada@example.com，谢谢", "邮箱是[email]，谢谢"),
        ("call +47 912 34 567 or (555) 123-4567", "call [phone] or [phone]"),
        ("手机13812345678，固话010-62345678", "手机[phone]，固话[phone]"),
        ("card 4111 1111 1111 1111", "card [card]"),
        ("order 4111 1111 1111 1112", "order 4111 1111 1111 1112"),
        ("to GB82 WEST 1234 5698 7654 32", "to [iban]"),
        ("part GB83 WEST 1234 5698 7654 32", "part GB83 WEST 1234 5698 7654 32"),
        ("from 192.168.10.7 and 2001:db8::ff00:42:8329", "from [ip] and [ip]"),
        ("version 1.2.3.400 at 10:30:15", "version 1.2.3.400 at 10:30:15"),
        ("see https://ada:pw1@example.org/x", "see [url]"),
        ("see https://example.org/x?id=1&token=abc123", "see [url]"),
        ("see https://example.org/docs?page=2", "see https://example.org/docs?page=2"),
        ("key sk-proj-abcDEF1234567890xyz fails", "key [key] fails"),
        ("Authorization: Bearer abcdefghij0123456789", "Authorization: [key]"),
        ("身份证11010519491231002X", "身份证[national id]"),
        ("编号110105194912310021", "编号110105194912310021"),
        ("my SSN is 536-22-1234", "my SSN is [national id]"),
        ("trace 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "trace [id]"),
        ("My name is ada low, where is it?", "My name is [name], where is it?"),
        ("I'm Desmond Okri from Leeds", "I'm [name] from Leeds"),
        (
            "I am looking for the 2019-2020 report of 24 May 2024",
            "I am looking for the 2019-2020 report of 24 May 2024",
        ),
        ("我叫王小明，请问", "我叫[name]，请问"),
        ("我是李雷。怎么办", "我是[name]。怎么办"),
        ("我是新员工，怎么办", "我是新员工，怎么办"),
        ("It costs 1,900 kroner in 2024, or 12 345 678 in all", "It costs 1,900 kroner in 2024, or 12 345 678 in all"),
    ],
)
def test_personal_data_is_replaced_and_other_numbers_stay(text: str, masked: str) -> None:
    assert mask(text).text == masked


def test_every_kind_is_counted() -> None:
    found = mask("a@b.org, c@d.org, I'm Ada Low, +47 912 34 567")
    assert found.counts == {"email": 2, "phone": 1, "name": 1}


# ---- questions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("Hello there!", "small talk"),
        ("您好，谢谢！", "small talk"),
        ("Can you help me?", "small talk"),
        ("/reset", "command"),
        ("Translate this to German.", "command"),
        ("帮我翻译成英文", "command"),
        ("VPN broken since Monday", "no question"),
        ("电脑坏了", "no question"),
        ("What about York?", "refers to earlier turns"),
        ("What does it cost?", "refers to earlier turns"),
        ("那上海呢？", "refers to earlier turns"),
        ("它由谁负责？", "refers to earlier turns"),
        ("?!", "empty"),
    ],
)
def test_turns_that_are_no_questions_are_left_out_with_the_reason(turn: str, reason: str) -> None:
    found = sort_turns([UserTurn(turn)])
    assert (found.questions, found.left_out) == ((), {reason: 1})


@pytest.mark.parametrize(
    ("turn", "question"),
    [
        ("Hi! My name is Ada Low. Who leads the depot?", "Who leads the depot?"),
        ("When are laptops replaced? My card is 4111 1111 1111 1111.", "When are laptops replaced?"),
        ("I lost my badge in Bergen. What should I do?", "I lost my badge in Bergen. What should I do?"),
        ("tell me how to reset the badge", "tell me how to reset the badge"),
        ("门禁卡丢了怎么办", "门禁卡丢了怎么办"),
        ("您好，我叫王小明。门禁卡丢了怎么办？", "门禁卡丢了怎么办？"),
        ("line one. " * 60 + "Which line is the last?", "Which line is the last?"),
    ],
)
def test_a_question_is_kept_without_greeting_and_introduction(turn: str, question: str) -> None:
    assert [each.text for each in sort_turns([UserTurn(turn)]).questions] == [question]


def test_questions_about_different_things_are_not_counted_together() -> None:
    asked = "What is the most that the company pays for one night in a hotel in {}?"
    turns = [AskedQuestion(asked.format(name)) for name in ("Bergen", "Leeds", "bergen", "Bergen today")]
    found = group_by_words(turns)
    assert [(group.question, group.count) for group in found] == [
        (asked.format("Bergen"), 3),
        (asked.format("Leeds"), 1),
    ]


def test_a_group_takes_what_is_near_to_its_first_wording() -> None:
    """The third question is near the first and not the second, in whose wording the group of both is shown."""
    first = "what does a visitor of the old depot pay for a bed in its annex"
    second, third = f"{first} per night", f"please say {first}"
    turns = [AskedQuestion(text) for text in (*[first] * 2, *[f"{first}?"] * 2, *[second] * 3, third)]
    (group,) = group_by_words(turns)
    assert (group.question, group.count) == (second, 8)


def test_questions_of_one_meaning_are_joined_unless_they_name_other_things() -> None:
    """Of four vectors, the first three are nearly one; the third question names another place."""
    asked = (
        "Where is the depot in Leeds?",
        "How do I get to the depot in Leeds?",
        "Where is it in York?",
        "Who cuts oak?",
    )
    groups = group_by_words([AskedQuestion(text) for text in asked])
    order = [asked.index(group.question) for group in groups]
    vectors = np.array([[1, 0], [0.99, 0.141], [1, 0], [0, 1]], dtype=np.float32)[order]
    found = [sorted(order[number] for number in members) for members in group_by_meaning(groups, vectors)]
    assert sorted(found) == [[0, 1], [2], [3]]
    assert sorted(map(len, group_by_meaning(groups, vectors, 0.999))) == [1, 1, 1, 1]


SPELLINGS = {
    "letter case": ("Where is the depot in Leeds?", "where is the depot in leeds"),
    "accents": ("Who leads the desk in Gdańsk?", "Who leads the desk in Gdansk?"),
    "hyphens": ("Who is on call at the weekend?", "Who is on-call at the week-end?"),
    "blanks": ("Where is the Net Loft of Tern 3?", "Where is the Netloft of Tern3?"),
    "a missing letter": ("How often is the Gannet calibrated?", "How often is the Ganet calibrated?"),
    "a wrong letter": ("How much is the meal allowance?", "how much is the meal allowence?"),
    "two letters swapped": ("How much is the meal allowance?", "How much is the meal allownace?"),
}


@pytest.mark.parametrize("change", SPELLINGS)
def test_two_spellings_of_a_question_are_one(change: str) -> None:
    """One with a typing error is not shown, even if it was asked more often."""
    right, wrong = SPELLINGS[change]
    known = ["Gannet", "calibrated", "The allowance for meals is 65 euros.", "In a calibration, how much …?"]
    (group,) = group_by_words([AskedQuestion(text) for text in (wrong, wrong, right)], known)
    assert group.count == 3
    mistyped = change in ("a missing letter", "a wrong letter", "two letters swapped")
    assert group.question == (right if mistyped else wrong)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who leads Tern 3?", "Who leads Tern 4?"),  # a number
        ("Who sells the Fulmar?", "Who sells the Fulmer?"),  # the documents have both
        ("Who made a landing at sea?", "Who made a lending at sea?"),  # and neither
        ("Is the gate shut?", "Is the gate shot?"),  # a short word may well be another
    ],
)
def test_other_words_are_no_other_spelling(one: str, other: str) -> None:
    known = ["Fulmar and Fulmer are shut."]
    assert len(group_by_words([AskedQuestion(text) for text in (one, other)], known)) == 2


def test_a_name_in_small_letters_is_the_same_name() -> None:
    groups = group_by_words([AskedQuestion("What's the ceiling in Bergen?"), AskedQuestion("what is it in bergen")])
    vectors = np.array([[1, 0], [1, 0]], dtype=np.float32)
    assert [len(found) for found in group_by_meaning(groups, vectors)] == [2]
    others = group_by_words([AskedQuestion("What's the ceiling in Bergen?"), AskedQuestion("what is it in leeds")])
    assert [len(found) for found in group_by_meaning(others, vectors)] == [1, 1]


def test_a_topic_joins_what_is_near_and_is_named_by_the_words_of_its_own() -> None:
    asked = ("What does a badge cost?", "Who replaces a lost badge?", "Which hotel is in Bergen?")
    groups = [group for text in asked for group in group_by_words([AskedQuestion(text)])]
    vectors = np.array([[1, 0], [0.9, 0.436], [0, 1]], dtype=np.float32)
    names = topics(groups, vectors)
    assert names[0] == names[1] != names[2]
    assert names[0].startswith("badge,") and "hotel" in names[2]


# ---- the whole, in English -------------------------------------------------------------------------

BADGES = "If you lose your badge, tell the front desk; a new badge costs 40 kroner."
HOTELS = "In Bergen the hotel ceiling is 1,900 kroner a night."
ENGLISH = {
    "badges.md": f"# Badges\n\n{BADGES}\n",
    "travel.md": f"# Travel\n\n{HOTELS}\n",
    "laptops.md": "# Laptops\n\nThe service desk encrypts every disk before it hands out a laptop.\n",
}
CHINESE = {
    "card.md": "# 门禁卡\n\n门禁卡丢失后补办费用为40元。\n",
    "hotel.md": "# 差旅\n\n上海的酒店上限为每晚800元。\n",
    "laptop.md": "# 电脑\n\n笔记本电脑使用四年后更换。\n",
}
ENGLISH_LOG = [
    ("u1", "Hi! My name is Ada Low, ada@low.org. What does a new badge cost?"),
    ("u2", "what does a new badge cost"),
    ("u2", "What does a new badge cost?"),
    ("u3", "What is the hotel ceiling in Bergen? Call me on +47 912 34 567."),
    ("u3", "Which dentist does the company pay for?"),
    ("u4", "which dentist does the company pay for"),
    ("u4", "Who waters the office plants?"),
    ("u4", "thanks!"),
    ("u5", "/reset"),
]
CHINESE_LOG = [
    ("甲", "您好，我叫王小明，手机13812345678。门禁卡丢失后补办费用是多少？"),
    ("乙", "门禁卡丢失后补办费用是多少"),
    ("丙", "上海的酒店上限是多少？"),
    ("丁", "公司食堂几点开饭？"),
    ("丁", "公司食堂几点开饭?"),
    ("戊", "谢谢！"),
    ("戊", "翻译成英文"),
]


class _CharacterEncoder(HashingEncoder):
    """An encoder to which each Chinese character is a word."""

    def encode(self, texts: Any, **options: Any) -> Any:
        return super().encode([" ".join(text) if guess_language(text) == "zh" else text for text in texts], **options)

    encode_questions = encode_prefixed = encode  # type: ignore[assignment]


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "load_encoder", lambda name: _CharacterEncoder())


def corpus(folder: Path, texts: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def harvested(folder: Path, texts: Mapping[str, str], turns: list[tuple[str, str]]) -> Harvest:
    log = logged(folder, *({"userId": person, "input": text} for person, text in turns))
    return harvest(log, corpus(folder / "docs", texts))


def outline(found: Harvest) -> list[tuple[str, int, int, str]]:
    return [
        (each.question, each.count, each.people, each.nearest.span.doc if each.nearest and each.answered else "")
        for each in found.questions
    ]


@pytest.mark.usefixtures("encoder")
def test_an_english_log_gives_questions_with_passages_and_gaps(tmp_path: Path) -> None:
    found = harvested(tmp_path, ENGLISH, ENGLISH_LOG)
    assert outline(found) == [
        ("What does a new badge cost?", 3, 2, "badges.md"),
        ("Which dentist does the company pay for?", 2, 2, ""),
        ("What is the hotel ceiling in Bergen?", 1, 1, "travel.md"),
        ("Who waters the office plants?", 1, 1, ""),
    ]
    assert (found.turns, found.asked) == (9, 7)
    assert dict(found.left_out) == {"small talk": 1, "command": 1}
    assert dict(found.replaced) == {"email": 1, "name": 1, "phone": 1}
    assert [gap.question for gap in found.gaps] == [
        "Which dentist does the company pay for?",
        "Who waters the office plants?",
    ]


@pytest.mark.usefixtures("encoder")
def test_of_two_pages_with_the_passage_the_current_one_is_the_evidence(tmp_path: Path) -> None:
    """The pages differ in a figure and in the year of their names; the other pages have the passage too."""
    old, new = (f"The meal allowance is {euros} euros a day." for euros in (52, 65))
    texts = {"meals-2021.md": old, "meals-2022.md": old, "meals.md": new, "a.md": old, "b.md": "Boats are painted red."}
    asked = [("u1", "How much is the meal allowance a day?"), ("u2", "What was the meal allowance in 2021?")]
    found = harvested(tmp_path, {name: f"# Meals\n\n{text}\n" for name, text in texts.items()}, asked)
    (first,) = [each for each in found.questions if "How" in each.question]
    assert first.nearest is not None and first.nearest.span.doc == "a.md", "the first of equals"
    assert [span.doc for span in first.nearest.others] == ["meals-2021.md", "meals-2022.md", "meals.md"]
    del texts["a.md"]
    found = harvested(
        corpus(tmp_path / "two", {}), {name: f"# Meals\n\n{text}\n" for name, text in texts.items()}, asked
    )
    places = {each.question: each.nearest for each in found.questions}
    now, then = (places[text] for _, text in asked)
    assert now is not None and then is not None
    assert (now.span.doc, [span.doc for span in now.others]) == ("meals.md", ["meals-2021.md", "meals-2022.md"])
    assert then.span.doc == "meals-2021.md", "the year that was asked for"
    (item,) = [item for item in found.items if item.question == asked[0][1]]
    assert item.evidence[0][0].text.endswith(new) and item.metadata["also_in"] == ["meals-2021.md", "meals-2022.md"]
    assert "meals.md (also in meals-2021.md, meals-2022.md)" in terminal(found)
    assert "also in meals-2021.md, meals-2022.md" in page(found).html


@pytest.mark.usefixtures("encoder")
def test_a_chinese_log_gives_questions_with_passages_and_gaps(tmp_path: Path) -> None:
    found = harvested(tmp_path, CHINESE, CHINESE_LOG)
    assert outline(found) == [
        ("公司食堂几点开饭?", 2, 1, ""),
        ("门禁卡丢失后补办费用是多少？", 2, 2, "card.md"),
        ("上海的酒店上限是多少？", 1, 1, "hotel.md"),
    ]
    assert dict(found.left_out) == {"small talk": 1, "command": 1}
    assert dict(found.replaced) == {"name": 1, "phone": 1}


@pytest.mark.usefixtures("encoder")
def test_nothing_of_a_person_is_in_any_file(tmp_path: Path) -> None:
    found = harvested(tmp_path, ENGLISH, ENGLISH_LOG)
    written = b"".join(content for _, content in files(found)).decode() + page(found).html + terminal(found)
    assert not [each for each in ("Ada", "ada@low", "912 34", "u1", "u3") if each in written]


def test_each_question_is_embedded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []

    class Counted(_CharacterEncoder):
        def encode_questions(self, texts: Any, **options: Any) -> Any:
            embedded.extend(texts)
            return self.encode(texts, **options)

    monkeypatch.setattr(flow, "load_encoder", lambda name: Counted())
    found = harvested(tmp_path, ENGLISH, ENGLISH_LOG)
    assert sorted(embedded) == sorted(question.question for question in found.questions)


@pytest.mark.usefixtures("encoder")
def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    one, other = (dict(files(harvested(corpus(tmp_path / name, {}), ENGLISH, ENGLISH_LOG))) for name in "ab")
    assert one == other and list(one) == ["harvested.jsonl", "gaps.jsonl", "questions.txt", "about.txt", "harvest.json"]


@pytest.mark.usefixtures("encoder")
def test_the_command_writes_a_set_that_score_reads(tmp_path: Path) -> None:
    log = logged(tmp_path, *({"userId": person, "input": text} for person, text in ENGLISH_LOG))
    docs, out = corpus(tmp_path / "docs", ENGLISH), tmp_path / "out"
    done = CliRunner().invoke(main, ["harvest", str(log), "--docs", str(docs), "-o", str(out), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["with_passage"] == 2
    items = load(out / "harvested.jsonl")
    first = items[0]
    assert (first.answerable, first.golden_answers, first.evidence[0][0].doc) == (True, (), "badges.md")
    assert BADGES in first.evidence[0][0].text
    assert first.metadata["count"] == 3 and first.metadata["retrieval_only"] and first.metadata["origin"]["set"]
    gaps = [json.loads(line) for line in (out / "gaps.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(gap["question"], gap["count"]) for gap in gaps] == [
        ("Which dentist does the company pay for?", 2),
        ("Who waters the office plants?", 1),
    ]
    assert (out / "questions.txt").read_text(encoding="utf-8").splitlines()[0] == "What does a new badge cost?"
    scored = score(out / "harvested.jsonl", "bm25", docs=docs)
    assert scored.metrics["recall@5"].value == 1.0


@pytest.mark.usefixtures("encoder")
def test_the_page_has_each_question_with_its_passage_and_the_gaps(tmp_path: Path) -> None:
    html = BeautifulSoup(page(harvested(tmp_path, ENGLISH, ENGLISH_LOG)).html, "html.parser")
    rows = html.find_all("details", attrs={"data-found": True})
    assert [row["data-found"] for row in rows] == ["with a passage", "gap", "with a passage", "gap"]
    assert "asked 3 × by 2" in rows[0].get_text() and BADGES in rows[0].get_text()
    assert "does not seem to answer" in rows[1].get_text()


@pytest.mark.usefixtures("encoder")
def test_a_log_without_a_question_says_what_it_has(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none of 2 turns asks a question \(small talk 1, command 1\)"):
        harvested(tmp_path, ENGLISH, ENGLISH_LOG[-2:])

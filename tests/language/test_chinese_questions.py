"""Checks of Chinese questions by their words: form, references, the kind of answer, contradictions."""

from __future__ import annotations

import pytest

from kgsynth.language import chinese as zh


@pytest.mark.parametrize(
    "question",
    [
        "谁负责水泵？",
        "《红楼梦》的作者是谁？",
        "怎么安装 FastAPI?",
        "水泵是哪一年安装的？",
        "水泵需不需要停机？",
        "播出的时间是？",
        "哪裡有水泵？",
        "什么是乙酰胺？",
    ],
)
def test_a_question_as_people_ask_is_well_formed(question: str) -> None:
    assert zh.malformed(question) == ""


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("水泵由李明负责。", "no question mark at its end"),
        ("水泵的的型号是什么？", "stray or doubled words or marks"),
        ("水泵，，什么时候停机？", "stray or doubled words or marks"),
        ("水泵（停机是什么？", "half a pair of quotes or brackets"),
        ("“水泵是什么？", "half a pair of quotes or brackets"),
        ("`水泵`是什么？", "markup left in it"),
        ("水泵在停机以后运行和？", "cut off before its end"),
        ("水泵在停机以后运行？", "asks nothing"),
        ("Who runs it？", "no Chinese in it"),
        ("Who runs the 水泵？", "asked in English"),
        ("水泵 укажите 是什么？", "words of another script"),
        ("", "empty"),
    ],
)
def test_a_malformed_question_says_why(question: str, problem: str) -> None:
    assert zh.malformed(question) == problem


def test_a_question_that_is_too_long_says_its_length() -> None:
    assert zh.malformed(f"{'水泵' * 60}是什么？").endswith("words long")


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("它由谁负责？", "它"),
        ("其启动口令是什么？", "其"),
        ("該功能怎麼用？", "该功"),
        ("该漫画是由谁创作的？", "该漫画"),
        ("这个计划由谁来主持？", "这个计划"),
        ("此鱼分布在哪些地区？", "此鱼"),
        ("上述步骤需要多久？", "上述"),
        ("根据文章，水泵什么时候停机？", "根据文章"),
        ("以下哪些水泵要停机？", "以下"),
        ("本文介绍了什么？", "本文"),
        ("前者有什么优点？", "前者"),
    ],
)
def test_a_word_without_referent_is_found(question: str, word: str) -> None:
    found = zh.outside_reference(question)
    assert found.startswith(word)


@pytest.mark.parametrize(
    "question",
    [
        "李明和他的父亲何时见面？",
        "我应该怎么安装 Redis？",
        "“纽约证券交易所”这个名字是何时出现的？",
        "Redis 与其他数据库有什么区别？",
        "日本的首都在哪里？",
        "文本处理用什么工具？",
        "18岁以下的员工有多少人？",
        "收录在哪本著作？",
        "水泵因此停机了多久？",
        "《该死的你》的导演是谁？",
        "轮询和推送中，前者有什么优点？",
    ],
)
def test_a_word_with_its_referent_is_none(question: str) -> None:
    assert zh.outside_reference(question) == ""


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("谁负责水泵？", "person"),
        ("水泵在哪里？", "place"),
        ("水泵是哪一年安装的？", "time"),
        ("水泵停机了多久？", "time"),
        ("有多少台水泵？", "number"),
        ("水泵为什么停机？", "reason"),
        ("怎么安装水泵？", "manner"),
        ("水泵在什么条件下停机？", "clause"),
        ("水泵被称为什么？", "thing"),
        ("水泵體現在哪些方面？", "thing"),
        ("如果停电，多少台水泵运行？", "number"),
        ("水泵停机了吗？", ""),
    ],
)
def test_the_kind_of_answer_follows_the_question_word(question: str, kind: str) -> None:
    assert zh.answer_kind(question) == kind


@pytest.mark.parametrize(
    ("question", "answers", "kind"),
    [
        ("李明住在哪里？", ["1843年"], "place"),
        ("李明住在哪里？", ["1843年", "北京"], ""),
        ("谁领导团队？", ["3公里"], "person"),
        ("水泵是哪一年安装的？", ["北京"], "time"),
        ("水泵是哪一年安装的？", ["300元"], "time"),
        ("有多少台水泵？", ["北京"], "number"),
        ("有多少台水泵？", ["九台"], ""),
        ("水泵为什么停机？", ["2018年"], "reason"),
    ],
)
def test_an_answer_of_another_kind_is_wrong(question: str, answers: list[str], kind: str) -> None:
    assert zh.wrong_kind(question, answers) == kind


def test_what_question_and_answer_may_share() -> None:
    assert zh.may_share("水箱在哪个楼层？", "地下楼层")("楼层")
    assert not zh.may_share("水箱在哪个楼层？", "地下楼层")("水箱")
    assert zh.may_share("2006年有多少居民？", "2006年有1694人")("2006")
    assert not zh.may_share("2006年有多少居民？", "2006年有1694人")("1694")
    assert not zh.may_share("2006年的比赛是哪一年决定的？", "2006年")("2006")


@pytest.mark.parametrize(
    ("rest", "clause", "open_"),
    [
        ("、码头。", False, True),
        ("與碼頭。", False, True),
        ("的郊区。", False, True),
        ("运行。", False, False),
        ("。", True, False),
        ("，但是码头没有。", True, False),
        ("，水泵运行。", True, True),
    ],
)
def test_an_answer_that_goes_on(rest: str, clause: bool, open_: bool) -> None:
    assert zh.continues(rest, clause=clause) is open_


@pytest.mark.parametrize(
    ("question", "statement", "kinds"),
    [
        ("谁没有接受条约？", "李明接受了条约。", {"denial"}),
        ("谁接受了条约？", "李明拒绝了条约。", {"opposite"}),
        ("产量何时增加？", "产量在2018年減少。", {"opposite"}),
        ("谁最早到达？", "李明到达。", {"extreme"}),
        ("谁接受了条约？", "李明接受了条约。", set()),
        ("是不是李明接受了条约？", "李明接受了条约。", set()),
        ("不超过三天的假期由谁批准？", "三天的假期由李明批准。", set()),
    ],
)
def test_contradictions(question: str, statement: str, kinds: set[str]) -> None:
    assert zh.contradictions(question, statement) == kinds


@pytest.mark.parametrize(
    ("question", "sentence", "answer", "denied"),
    [
        ("谁领导团队？", "李明不领导团队。", "李明", True),
        ("誰領導團隊？", "李明沒有領導團隊。", "李明", True),
        ("谁领导团队？", "李明领导团队，但不出海。", "李明", False),
        ("谁领导团队？", "李明不仅领导团队。", "李明", False),
        ("谁不领导团队？", "李明不领导团队。", "李明", False),
    ],
)
def test_a_sentence_that_denies(question: str, sentence: str, answer: str, denied: bool) -> None:
    start = sentence.index(answer)
    assert zh.denies(question, sentence, start, start + len(answer)) is denied


def test_the_forms_that_the_ranker_counts() -> None:
    assert zh.opening("列表和集合有什么区别？") == "区别"
    assert zh.opening("水泵是哪一年安装的？") == "什么时候"
    assert zh.question_form("怎么安装插件？")["asks_at_start"] == 1.0
    assert zh.question_form("插件的名称是什么？")["asks_at_end"] == 1.0
    assert zh.word_classes("详见下表。")["pointers"] == 2.0
    assert zh.word_classes("因此它们停机。")["opens_demonstrative"] == 1.0

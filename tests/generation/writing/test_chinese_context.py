"""What a Chinese sentence takes from around it: such a question names it, or is not asked."""

from __future__ import annotations

import pytest
from test_chinese_structure import asked as asked_of_layout
from test_chinese_writing import asked

from kgsynth.language.text_words import lacks_word


def test_a_condition_in_a_step_is_not_asked_about() -> None:
    told = "如果土壤温度低于零度，田讯2号会停止采集。"
    assert asked(f"# 说明\n\n{told}")
    assert asked(f"# 说明\n\n- {told}\n- 田讯3号一直采集。")
    assert not asked(f"# 说明\n\n1. 打开禾图的设置。\n2. {told}")


def test_what_a_thing_may_do_at_a_time_is_not_asked() -> None:
    assert not asked("# 说明\n\n当传感器的读数缺失时，田讯2号可以使用旧的读数。")
    assert asked("# 说明\n\n当传感器的读数缺失时，田讯2号会使用旧的读数。")


def test_a_contrast_after_an_outcome_would_be_cut_off() -> None:
    assert not asked("# 说明\n\n如果读数缺失，田讯2号会停止采集，而不会重新启动。")


@pytest.mark.parametrize(
    "text", ["请在按住 键时点击对象", "选择「 - 语言设置 - 语言规则」", "然后按 +A 组合键", "点击「」"]
)
def test_a_sentence_that_lost_the_name_of_a_key_or_menu_is_not_read(text: str) -> None:
    assert lacks_word(text)
    assert not asked(f"# 说明\n\n要停用短信告警，{text}。")


@pytest.mark.parametrize("text", ["按下键盘上的任意键", "按 Ctrl+A 组合键", "选择「文件 - 打印」"])
def test_a_key_or_menu_that_is_named_is_whole(text: str) -> None:
    assert not lacks_word(text)


def test_steps_with_a_lost_name_or_that_go_on_are_no_answer() -> None:
    whole = "# 打印小册子\n\n1. 打开文件菜单。\n2. 选择打印机。\n3. 设置纸张方向。\n"
    assert "如何打印小册子？" in asked_of_layout("listing", 页=whole)
    assert not asked_of_layout("listing", 页=whole.replace("打开文件菜单", "选择「 - 打印」"))
    assert not asked_of_layout("listing", 页=f"{whole}\n纸张有两面。\n\n- 选择小册子。\n- 点击打印。\n")


def test_a_later_sentence_does_not_define_what_the_first_one_defines() -> None:
    first = "青禾博物馆（简称青博）是一座收藏农具的博物馆。"
    later = "青禾博物馆是一座仿照古寺的建筑。"
    assert asked(f"# 页\n\n{first}{later}") == {"青禾博物馆是什么？": "一座收藏农具的博物馆"}
    assert asked(f"# 页\n\n农具很多。{later}") == {"青禾博物馆是什么？": "一座仿照古寺的建筑"}


def test_the_holder_of_a_role_is_not_asked_for_in_a_story() -> None:
    assert asked("# 组织\n\n沈若溪担任财务总监，负责经营。") == {"谁担任财务总监？": "沈若溪"}
    assert not asked("# 组织\n\n卸任后，沈若溪担任财务总监。")
    assert not asked("# 组织\n\n沈若溪任职青禾制作总监。")


def test_an_event_without_its_object_is_not_asked_for_its_time() -> None:
    assert not asked("# 说明\n\n1828年，查理十世下令建造目前的铜像。")


def test_a_comparison_with_nothing_and_two_unnamed_things_are_not_asked_about() -> None:
    assert not asked("# 说明\n\n田讯3号使用了新的电池，因此会快很多。")
    assert not asked("# 说明\n\n两个用户界面都可以运行，因为浏览器会加载每个应用。")
    assert not asked("# 说明\n\n第一个水泵条目位于肥东。")

"""A folder in English and Chinese: each document is asked about in its own language, and no question mixes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kgsynth import audit, generate
from kgsynth.base.config import Config

PAGES = {
    "plans.md": """# Plans

A Kestrel region is a group of data centres in one country. The Kestrel service was founded in 2012.

| Plan | Maximum file size |
|---|---|
| Team | 20 MB |
| Scale | 80 MB |
""",
    "假期.md": """# 假期

年假在每年一月发放。

| 类别 | 天数 |
|---|---|
| 病假 | 10天 |
| 婚假 | 13天 |
""",
    "两种语言.md": """# 云雀网关 Lark Gateway

云雀网关是连接传感器和平台的设备。如果断网时间超过7天，云雀网关会先删除最早的数据。

云雀网关支持以下告警：

- 设备离线
- 电量不足
- 温度异常

The Lark gateway is a device that connects sensors with the platform. The Lark gateway was introduced in 2016.

| Model | Maximum number of sensors |
|---|---|
| L1 | 16 sensors |
| L2 | 32 sensors |

## How do I reset the gateway?

1. Unplug the power cable.
2. Press the reset button.
""",
    "wren.md": """# Wren Box

The Wren box is a device that keeps its readings until the network comes back. It was tested on eleven farms
before anybody could buy it, and the first hundred boxes were given away to the farms that had waited longest.

The Wren box sends the following alarms:

- 设备离线
- 电量不足
- 温度异常
""",
}
HAN, ENGLISH = re.compile("[一-鿿]"), re.compile(r"[a-z]+ [a-z]+ [a-z]+")


@pytest.mark.usefixtures("hashed")
def test_each_question_and_answer_is_in_the_language_of_its_document(tmp_path: Path) -> None:
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    config = Config(n=40, processes=1, fill=True, thresholds={"answered": 0.0})
    made = generate(tmp_path / "docs", tmp_path / "out", config=config)
    languages: dict[str, set[str]] = {}
    for item in made.golden:
        languages.setdefault(item.evidence[0][0].doc, set()).add(item.language)
        mixing = HAN if item.language == "en" else ENGLISH
        assert not any(mixing.search(text) for text in (item.question, *item.golden_answers)), item
    assert languages == {"plans.md": {"en"}, "wren.md": {"en"}, "假期.md": {"zh"}, "两种语言.md": {"zh"}}
    questions = {item.question for item in made.golden}
    wanted = {
        "What is a Kestrel region?",
        "《假期》中，病假的天数是多少？",
        "什么是云雀网关？",
        "云雀网关支持哪些告警？",
    }
    assert wanted <= questions
    rejected = (tmp_path / "out" / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    (alarms,) = (line for line in rejected if "Which alarms does the Wren box send?" in line)
    assert "its answer is in another language" in alarms
    assert audit(tmp_path / "out" / "golden.jsonl", tmp_path / "docs").at_least("error") == ()

"""Scores as OpenTelemetry events ``gen_ai.evaluation.result``, one per question and metric, in OTLP/JSON.

The names are those of the semantic conventions for generative AI (in development, 2026). A collector takes them at
``/v1/logs``; a file has one export request a line, as the file exporter of a collector writes them.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx

from kgsynth.base.atomic_files import write_text
from kgsynth.base.bounded_http import checked_url, without_password
from kgsynth.base.errors import InputError, SystemUnreachableError
from kgsynth.base.version import __version__
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.scores import Scores

HEADERS = "OTEL_EXPORTER_OTLP_HEADERS"
"""The variable with the headers for a collector, ``name=value,name=value`` with values escaped as in a URL."""
_QUESTIONS_AT_ONCE = 50
"""Questions in one request: some 500 kB, where collectors take 20 MB."""
_SECONDS = 30.0


def logs_url(target: str) -> httpx.URL | None:
    """Return where a collector takes events, None if ``target`` is a file.

    Example:
        >>> logs_url("http://localhost:4318"), logs_url("events.jsonl")
        (URL('http://localhost:4318/v1/logs'), None)

    Raises:
        ConfigError: it looks like a URL but is none.
    """
    if "://" not in target:
        return None
    url = checked_url(target)
    return url if url.path.endswith("/v1/logs") else url.copy_with(path=f"{url.path.rstrip('/')}/v1/logs")


def emit(scores: Scores, target: str) -> str:
    """Write the events of a run to a file, or send them to a collector; return their number and place in a line.

    Raises:
        InputError: the file cannot be written.
        SystemUnreachableError: the collector cannot be reached, or refuses the events.
    """
    requests = [*export_requests(scores, time.time_ns())]
    number = sum(len(each["resourceLogs"][0]["scopeLogs"][0]["logRecords"]) for each in requests)
    lines = [json.dumps(each) for each in requests]
    if url := logs_url(target):
        target = without_password(str(url))
        _send(lines, url, target)
    else:
        try:
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            write_text(Path(target), (f"{line}\n" for line in lines))
        except OSError as error:
            raise InputError(f"--otel {target} cannot be written ({error}): give another file") from None
    return f"{number:,} events: {target}"


def _send(lines: list[str], url: httpx.URL, shown: str) -> None:
    pairs = (pair.partition("=") for pair in os.environ.get(HEADERS, "").split(",") if pair.strip())
    headers = {unquote(name.strip()): unquote(value.strip()) for name, _, value in pairs}
    try:
        with httpx.Client(headers={**headers, "content-type": "application/json"}, timeout=_SECONDS) as client:
            for line in lines:
                reply = client.post(url, content=line).raise_for_status()
                if "rejectedLogRecords" in reply.text:
                    raise SystemUnreachableError(f"the collector {shown} rejects events: {reply.text[:300]}")
    except httpx.HTTPStatusError as error:
        why = f"refuses the events with status {error.response.status_code}: correct the URL, or {HEADERS}"
        raise SystemUnreachableError(f"the collector {shown} {why}") from None
    except httpx.HTTPError as error:
        why = f"cannot be reached ({error or type(error).__name__}): start it, or give --otel a file"
        raise SystemUnreachableError(f"the collector {shown} {why}") from None


def export_requests(scores: Scores, now: int) -> Iterator[dict[str, Any]]:
    """Yield export requests in OTLP/JSON, each with the events of some questions; ``now`` in ns since 1970."""
    reasons = _reasons(scores)
    resource = {"attributes": _attributes({"service.name": "kgsynth", "service.version": __version__})}
    run = {"kgsynth.golden": scores.golden, "kgsynth.system": scores.system}
    for start in range(0, len(scores.items), _QUESTIONS_AT_ONCE):
        records = [
            {
                "timeUnixNano": str(now),
                "observedTimeUnixNano": str(now),
                "severityNumber": 9,  # INFO
                "eventName": "gen_ai.evaluation.result",
                "attributes": _attributes({**found, **run, "kgsynth.item": item.id}),
            }
            for item in scores.items[start : start + _QUESTIONS_AT_ONCE]
            for found in _results(item, reasons)
        ]
        scope = {"scope": {"name": "kgsynth", "version": __version__}, "logRecords": records}
        yield {"resourceLogs": [{"resource": resource, "scopeLogs": [scope]}]}


def _results(item: ItemScore, reasons: Mapping[tuple[str, str], str]) -> Iterator[dict[str, Any]]:
    """Yield the attributes of whether a question passed, and of each metric that has a value for it."""
    why = str(item.cause) if item.cause else item.not_checked
    for name, value in {"passed": item.pass_share, **item.metrics}.items():
        label, explanation = (item.state, why) if name == "passed" else (None, reasons.get((item.id, name)))
        if value is not None or label:
            keys = ("name", "score.value", "score.label", "explanation")
            found = zip(keys, (name, value, label, explanation), strict=True)
            yield {f"gen_ai.evaluation.{key}": own for key, own in found if own not in (None, "")}


def _reasons(scores: Scores) -> dict[tuple[str, str], str]:
    """Return what a judge said, by question and metric: its reasoning, or its verdict on each claim."""
    reasons: dict[tuple[str, str], str] = {}
    for each in scores.judge.replies if scores.judge else ():
        reply = asdict(each.reply) if each.reply else {}
        claims = "; ".join(f"{claim['verdict']}: {claim['answer_says']}" for claim in reply.get("claims", ()))
        reasons |= {(each.id, metric): reply.get("reasoning") or claims for metric in each.figures}
    return reasons


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return attributes in OTLP/JSON."""
    return [
        {
            "key": key,
            "value": {"doubleValue": float(value)} if isinstance(value, int | float) else {"stringValue": value},
        }
        for key, value in values.items()
    ]

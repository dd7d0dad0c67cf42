"""An MCP server as the system: its search tool is called with each question, and its reply is read as passages.

The server is a command that speaks over its standard input and output, or the URL of one that speaks streamable HTTP.
A reply is data: nothing in it is followed, and no other tool is ever called.
"""

from __future__ import annotations

import json
import os
import shlex
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, cast

import anyio
from anyio.from_thread import start_blocking_portal

from kgsynth.base.choices import MCP_PREFIX, URL_PREFIXES
from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Answer, Item
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems.reply_reader import failed, named_document, to_answer
from kgsynth.scoring.systems.settings import Secrets, SystemSettings, fill, names
from kgsynth.show.wording import many

if TYPE_CHECKING:
    from mcp import Client, Tool

_QUERY_NAMES = ("query", "question", "q", "search", "search_query", "text", "input", "prompt", "pattern", "keywords")
"""Names of the argument that takes the question, the likeliest first."""
_PLACES = ("doc", "document", "source", "uri", "url", "path", "file_path", "file_name", "file", "filename")
_BODIES = ("text", "content", "page_content", "snippet", "body", "passage", "chunk")
"""The names of where a passage in JSON is from, and of its text, the likeliest first."""
_SEARCH_NAMES = ("search", "query", "retriev", "find", "lookup", "ask")
"""What the name of a tool that searches has in it, the likeliest first."""


class McpSystem:
    """The server ``target``, of which ``tool`` is called with the question as one of its ``arguments``.

    Without ``tool`` it is found by name and schema. ``arguments`` are the name of the one that takes the question, and
    NAME=VALUE for others. The signature has the target, the tool, the arguments, and the name and version of the
    server.

    Raises:
        ConfigError: the command is empty, or it is not clear which tool or argument to use.
        SystemUnreachableError: the server cannot be started or reached.
    """

    takes_history = False

    def __init__(
        self,
        target: str,
        settings: SystemSettings,
        documents: DocNames | None = None,
        tool: str | None = None,
        arguments: Sequence[str] = (),
    ) -> None:
        try:
            self._command = [] if target.startswith(URL_PREFIXES) else shlex.split(target)
        except ValueError as error:
            raise ConfigError(f"{MCP_PREFIX}{target} is no command ({error}): check its quotes") from None
        if not target:
            raise ConfigError(f"{MCP_PREFIX} has no command: give one such as 'mcp:python server.py', or a URL")
        self._target, self._settings, self._documents = target, settings, documents
        self._secrets = Secrets(names(settings.headers))
        self.name = f"{MCP_PREFIX}{target}"
        self._calls = self._words = 0
        self._stack = ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        self._log = self._stack.enter_context(TemporaryFile("w+", encoding="utf-8", errors="replace"))  # noqa: SIM115
        self._session = ExitStack()
        self._client: Client | None = None
        try:
            client = self._connected()
            tools = self._portal.call(_all_tools, client)
            self._tool, self._argument, self._fixed = choose_tool(tools, tool, arguments)
        except _errors() as error:
            self._log.seek(0)
            written = [line.strip() for line in self._log if line.strip()]
            reason = "; it wrote: ".join([_reason(error), *written[-1:]])
            self.close()
            raise SystemUnreachableError(
                f"{self.name} cannot be reached ({self._secrets.hide(reason)}): correct the command or the URL"
            ) from None
        except ConfigError:
            self.close()
            raise
        info = client.server_info
        served = f"{info.name} {info.version}" if info else ""
        fixed = json.dumps(self._fixed, sort_keys=True)
        self.signature = f"mcp|{target}|tool:{self._tool.name}|argument:{self._argument}|{fixed}|{served}"
        self.compared = "only the address, the tool and the version of the server"

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on what was called, and how much came back."""
        asked = f"{self._tool.name}({self._argument}) of the server was called {many(self._calls, 'time')}"
        return (f"{asked} and returned {many(self._words, 'word')}",) if self._calls else ()

    def ask(self, item: Item) -> Answer:
        """Return the passages that the tool finds, or an answer whose ``error`` says why there are none."""
        begun = time.perf_counter()
        try:
            client, self._calls = self._connected(), self._calls + 1
            passages = self._portal.call(self._search, client, item.question)
            answer = to_answer(item.id, {"retrieved": passages}, round(time.perf_counter() - begun, 6), self._documents)
        except _errors() as error:
            self._disconnect()  # the next question starts the server again
            return failed(item.id, self._secrets.hide(_reason(error)))
        except ValueError as error:
            return failed(item.id, self._secrets.hide(str(error)))
        self._words += sum(len((passage.text or "").split()) for passage in answer.retrieved)
        return answer

    async def _search(self, client: Client, question: str) -> list[dict[str, Any]]:
        """Return the passages of one call; every kind of content gives some."""
        with anyio.fail_after(self._settings.timeout):
            reply = await client.call_tool(self._tool.name, {**self._fixed, self._argument: question})
            texts = [block.text for block in reply.content if block.type == "text"]
            if reply.is_error:
                raise ValueError(f"the tool failed: {' '.join(texts) or 'without a reason'}")
            if reply.structured_content is not None and (rows := _rows(reply.structured_content)) is not None:
                return rows
            passages = [row for text in texts for row in self._of_text(text)]
            for block in reply.content:
                if block.type == "resource":
                    passages.append(_resource(block.resource))
                elif block.type == "resource_link":
                    linked = await client.read_resource(str(block.uri))
                    passages += [_resource(each) for each in linked.contents]
        return passages

    def _of_text(self, text: str) -> list[dict[str, Any]]:
        """Return the passages in a text: rows of JSON, the names of documents one a line, or the text itself."""
        with suppress(JsonError):
            if (rows := _rows(parse_json(text, tolerant=True))) is not None:
                return rows
        lines = text.split("\n")
        if self._documents and all(named_document((line.strip(),), self._documents) for line in lines):
            return [{"source": line.strip()} for line in lines]
        return [{"text": text}] if text.strip() else []

    def _connected(self) -> Client:
        if self._client is None:
            from mcp import Client, StdioServerParameters, stdio_client

            server: Any
            if self._target.startswith(URL_PREFIXES):
                headers = cast(dict[str, str], fill(self._settings.headers, {}))
                http = import_module("mcp.client.streamable_http")
                server = http.streamable_http_client(self._target, http_client=http.create_mcp_http_client(headers))
            else:
                command, *words = self._command
                server = StdioServerParameters(command=command, args=words, env=dict(os.environ))
                server = stdio_client(server, errlog=self._log)
            client = Client(server, read_timeout_seconds=self._settings.timeout, cache=None)
            self._client = self._session.enter_context(self._portal.wrap_async_context_manager(client))
        return self._client

    def _disconnect(self) -> None:
        self._client = None
        with suppress(*_errors()):  # a dead server may fail once more
            self._session.close()

    def close(self) -> None:
        """End the server, or the connection to it."""
        self._disconnect()
        self._stack.close()


def _errors() -> tuple[type[Exception], ...]:
    """What the client raises if a server fails; anyio joins errors of several tasks in a group."""
    from mcp import MCPError

    return (MCPError, OSError, TimeoutError, anyio.ClosedResourceError, anyio.BrokenResourceError, ExceptionGroup)


def _reason(error: BaseException) -> str:
    """Return the first error in groups of them, in words."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    kind = "timeout" if isinstance(error, TimeoutError) or "timed out" in str(error) else "connection"
    return f"{kind}: {str(error) or type(error).__name__}"


async def _all_tools(client: Client) -> list[Tool]:
    page = await client.list_tools()
    tools = [*page.tools]
    while page.next_cursor:
        page = await client.list_tools(cursor=page.next_cursor)
        tools += page.tools
    return tools


# ---- the tool --------------------------------------------------------------------------------------


def choose_tool(tools: Sequence[Tool], name: str | None, arguments: Sequence[str]) -> tuple[Tool, str, dict[str, Any]]:
    """Return the tool that searches, which of its arguments takes the question, and the values of others.

    ``arguments`` are the name of that argument, if it is known, and NAME=VALUE for others. A tool is taken only if its
    name or argument says that it searches, and if it does not say that it changes anything.

    Raises:
        ConfigError: there is no such tool, or there are several.
    """
    fixed = dict(pair.split("=", 1) for pair in arguments if "=" in pair)
    wanted = next((each for each in arguments if "=" not in each), None)
    found = [(tool, argument) for tool in tools if (argument := _argument(tool, wanted, fixed))]
    if name is not None:
        fits = [(tool, argument) for tool, argument in found if tool.name == name]
    else:
        ranks = [_rank(tool, argument) for tool, argument in found]
        known = [rank for rank in ranks if rank is not None]
        fits = [pair for pair, rank in zip(found, ranks, strict=True) if known and rank == min(known)]
    if len(fits) != 1:
        listed = "; ".join(f"{tool.name}({', '.join(tool.input_schema.get('properties', ()))})" for tool in tools)
        which = (
            f"--tool {name} cannot be called with the question alone" if name else f"{len(fits)} of its tools search"
        )
        raise ConfigError(f"{which}: give --tool, and --argument for what it needs; the server has {listed or 'none'}")
    (tool, argument), properties = fits[0], fits[0][0].input_schema.get("properties", {})
    texts = {key for key, schema in properties.items() if _is_text(schema)}
    try:
        return tool, argument, {key: value if key in texts else parse_json(value) for key, value in fixed.items()}
    except ValueError as error:
        raise ConfigError(f"--argument {' '.join(arguments)}: a value that is no text must be JSON ({error})") from None


def _is_text(schema: Mapping[str, Any]) -> bool:
    kinds = [schema, *schema.get("anyOf", ())]
    return any(kind.get("type") == "string" and "enum" not in kind for kind in kinds)


def _argument(tool: Tool, wanted: str | None, fixed: Mapping[str, str]) -> str | None:
    """Return the argument that takes the question, None if the tool needs more than it, or takes no text."""
    properties = tool.input_schema.get("properties", {})
    needed = [key for key in tool.input_schema.get("required", ()) if key not in fixed]
    texts = [key for key, schema in properties.items() if _is_text(schema) and key not in fixed]
    if wanted:
        chosen = wanted if wanted in texts else None
    else:
        likely = [key for key in _QUERY_NAMES if key in texts]
        chosen = needed[0] if len(needed) == 1 and needed[0] in texts else next(iter(likely), None)
    return chosen if chosen and set(needed) <= {chosen} and set(fixed) <= set(properties) else None


def _rank(tool: Tool, argument: str) -> int | None:
    """Return how likely a tool is to search, 0 for the likeliest; None if nothing says so, or it changes something."""
    hints = tool.annotations
    if hints and (hints.destructive_hint or hints.read_only_hint is False):
        return None
    named = [at for at, part in enumerate(_SEARCH_NAMES) if part in tool.name.casefold()]
    return named[0] if named else len(_SEARCH_NAMES) if argument in _QUERY_NAMES else None


# ---- the reply -------------------------------------------------------------------------------------


def _rows(data: Any) -> list[dict[str, Any]] | None:
    """Return the passages in JSON: its first list of objects or texts; None if it has neither.

    Raises:
        ValueError: it is an error in words, as some servers return it.
    """
    if isinstance(data, list) and all(isinstance(row, str | dict) for row in data):
        return [_row(row) for row in data]
    parts = list(data.values()) if isinstance(data, dict) else []
    if isinstance(data, dict) and isinstance(data.get("error"), str) and data["error"]:
        raise ValueError(f"the tool failed: {data['error']}")
    nested = (rows for part in parts if isinstance(part, list | dict) and (rows := _rows(part)) is not None)
    return next(nested, None)


def _row(row: str | dict[str, Any]) -> dict[str, Any]:
    """Return one passage with its text and source under names that ``to_answer`` knows.

    Example:
        >>> _row({"uri": "file:///a.md", "snippet": "Ada leads the team.", "rank": 1})
        {'source': 'file:///a.md', 'text': 'Ada leads the team.'}
    """
    if isinstance(row, str):
        return {"text": row}
    parts = {key: value if isinstance(value, list) else [value] for key, value in row.items()}
    texts = {key: "\n".join(part) for key, part in parts.items() if part and all(isinstance(t, str) for t in part)}
    places = {key: value for key, value in texts.items() if key in _PLACES}
    bodies = [texts[key] for key in _BODIES if key in texts] or ([] if places else [*texts.values()])
    source = next((places[key] for key in _PLACES if key in places), None)
    text = max(bodies, key=len, default=None)
    return {key: value for key, value in (("source", source), ("text", text)) if value is not None}


def _resource(resource: Any) -> dict[str, Any]:
    """Return a resource as a passage; of a binary one only where it is."""
    text = getattr(resource, "text", None)
    return {"source": str(resource.uri)} | ({"text": text} if text is not None else {})

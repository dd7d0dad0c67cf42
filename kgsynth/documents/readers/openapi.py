"""Read the description of an interface (OpenAPI, Swagger): a section for each operation and each schema.

References are followed inside the file only. Vendor extensions, examples and callbacks are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece
from kgsynth.documents.readers.data_tables import add_pairs, add_rows, shown_value
from kgsynth.documents.readers.embedded_markdown import add_markdown, plain_markdown
from kgsynth.documents.readers.openapi_schemas import Schemas, entries, text_of
from kgsynth.documents.readers.sheet_limits import RowLimit

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_FIELD_HEADS = ("Type", "Required", "Default", "Allowed values", "Description")


def describes_interface(value: object) -> bool:
    """Check whether a value is an OpenAPI or Swagger description."""
    named = isinstance(value, Mapping) and isinstance(value.get("openapi", value.get("swagger")), str | int | float)
    return named and any(isinstance(value.get(key), Mapping) for key in ("info", "paths"))  # type: ignore[attr-defined]


def interface(value: Mapping[str, Any]) -> ParsedFile:
    """Return the sections of an interface: what it is, its operations, its schemas.

    Example:
        >>> get = {"summary": "Get a user", "responses": {"200": {"description": "The user."}}}
        >>> made = interface({"openapi": "3.0.0", "info": {"title": "Users"}, "paths": {"/users": {"get": get}}})
        >>> print(made.text.expandtabs())
        Users
        <BLANKLINE>
        GET /users – Get a user
        <BLANKLINE>
        Responses
        <BLANKLINE>
        Response        Description
        200     The user.
    """
    written = _Interface(value)
    written.about()
    for path, item in entries(value.get("paths")).items():
        written.path(path, entries(item))
    written.schemas()
    title = text_of(entries(value.get("info")).get("title"))
    return written.extracted.parsed(title, (*written.limit.remarks, *written.known.remarks()))


class _Interface:
    """The sections of one description, in the order in which they are written."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self.value = value
        self.known = Schemas(value)
        self.extracted = ExtractedText()
        self.limit = RowLimit()

    def about(self) -> None:
        """Add title, description, servers and ways to sign in."""
        info = entries(self.value.get("info"))
        self._heading(text_of(info.get("title")), 1)
        self._markdown(info.get("description"), 1)
        facts = {"Version": info.get("version"), "Terms of service": info.get("termsOfService")}
        facts |= {
            "License": entries(info.get("license")).get("name"),
            "Contact": entries(info.get("contact")).get("email"),
        }
        add_pairs(self.extracted, {name: fact for name, fact in facts.items() if fact}, self.limit)
        base = [f"https://{self.value['host']}{text_of(self.value.get('basePath'))}"] if self.value.get("host") else []
        servers = [entries(each) for each in self.value.get("servers") or () if isinstance(each, Mapping)]
        rows = [[url, ""] for url in base] + [
            [text_of(each.get("url")), text_of(each.get("description"))] for each in servers
        ]
        self._table(("Server", "Description"), rows, "Servers", 2)
        schemes = entries(
            entries(self.value.get("components")).get("securitySchemes") or self.value.get("securityDefinitions")
        )
        rows = [
            [name, *(text_of(entries(each).get(key)) for key in ("type", "scheme", "in", "name", "description"))]
            for name, each in schemes.items()
        ]
        self._table(("Security scheme", "Type", "Scheme", "Location", "Name", "Description"), rows, "Security", 2)

    def path(self, path: str, item: Mapping[str, Any]) -> None:
        """Add the operations of a path."""
        item = self.known.resolved(item)
        for method in _METHODS:
            if isinstance(item.get(method), Mapping):
                self._operation(f"{method.upper()} {path}", item[method], item.get("parameters"))

    def _operation(self, name: str, operation: Mapping[str, Any], shared: object) -> None:
        summary = text_of(operation.get("summary"))
        self._heading(f"{name} – {summary}" if summary else name, 2)
        self._deprecated(operation, "This operation is deprecated.")
        self._markdown(operation.get("description"), 2)
        if "security" in operation:
            schemes = [" & ".join(entries(each)) or "none" for each in operation["security"] or ()]
            add_pairs(self.extracted, {"Security": " | ".join(schemes) or "none"}, self.limit)
        own = [self.known.resolved(each) for each in [*_list(shared), *_list(operation.get("parameters"))]]
        parameters = {(each.get("name"), each.get("in")): each for each in own}.values()  # its own replace the shared
        rows = [
            [text_of(each.get("name")), text_of(each.get("in")), *self._traits(each, each.get("required") is True)]
            for each in parameters
            if each.get("in") != "body" and each.get("name")
        ]
        self._table(("Parameter", "Location", *_FIELD_HEADS), rows, "Parameters", 3)
        bodies = [each for each in parameters if each.get("in") == "body"]
        self._body(self.known.resolved(operation.get("requestBody") or next(iter(bodies), {})))
        self._responses(entries(operation.get("responses")))

    def _body(self, body: Mapping[str, Any]) -> None:
        """Add the content that a request has."""
        if not body:
            return
        self._heading("Request body", 3)
        self._markdown(body.get("description"), 3)
        content = entries(body.get("content")) or {"": {"schema": body.get("schema")}}
        facts = {"Content types": ", ".join(content), "Required": "yes" if body.get("required") is True else ""}
        schema = next((entries(each).get("schema") for each in content.values()), None)
        facts["Type"] = self.known.type_name(schema)
        add_pairs(self.extracted, {name: fact for name, fact in facts.items() if fact}, self.limit)
        if "$ref" not in entries(schema):
            self._properties(schema)

    def _responses(self, responses: Mapping[str, Any]) -> None:
        rows = []
        for code, each in responses.items():
            answer = self.known.resolved(each)
            schemas = [entries(one).get("schema") for one in entries(answer.get("content")).values()] or [
                answer.get("schema")
            ]
            content = " | ".join(dict.fromkeys(filter(None, map(self.known.type_name, schemas))))
            rows.append([code, content, plain_markdown(text_of(answer.get("description")))])
        self._table(("Response", "Content", "Description"), rows, "Responses", 3)

    def schemas(self) -> None:
        """Add a section for each schema."""
        found = self.known.named()
        if found:
            self._heading("Schemas", 2)
        for name, schema in found.items():
            self._heading(name, 3)
            self._deprecated(schema, "This schema is deprecated.")
            self._markdown(schema.get("description"), 3)
            if not self.known.properties(schema):
                allowed = shown_value(schema.get("enum") or [])
                facts = {"Type": self.known.type_name({**schema, "title": ""}), "Allowed values": allowed}
                add_pairs(self.extracted, {name: fact for name, fact in facts.items() if fact}, self.limit)
            self._properties(schema)

    def _properties(self, schema: object) -> None:
        required = set(map(str, _list(self.known.resolved(schema).get("required"))))
        rows = [
            [name, *self._traits({**entries(each), "schema": each}, name in required)]
            for name, each in self.known.properties(schema).items()
        ]
        self._table(("Property", *_FIELD_HEADS), rows, "", 4)

    def _traits(self, holder: Mapping[str, Any], required: bool) -> list[str]:
        """Return type, requirement, default, allowed values and description of a parameter or property."""
        schema = holder.get("schema", holder)
        found = self.known.resolved(schema)
        allowed = found.get("enum") or entries(found.get("items")).get("enum") or []
        description = text_of(holder.get("description")) or text_of(found.get("description"))
        deprecated = "Deprecated. " if holder.get("deprecated") is True else ""
        default = shown_value(found["default"]) if "default" in found else ""
        return [
            self.known.type_name(schema),
            "yes" if required else "no",
            default,
            shown_value(allowed),
            deprecated + plain_markdown(description),
        ]

    # ---- blocks ----

    def _heading(self, text: str, level: int) -> None:
        self.extracted.add("heading", [TextPiece(text)], level=level)

    def _markdown(self, text: object, level: int) -> None:
        add_markdown(self.extracted, text_of(text), level)

    def _deprecated(self, holder: Mapping[str, Any], sentence: str) -> None:
        if holder.get("deprecated") is True:
            with self.extracted.within(ContainerKind.NOTE, name="deprecated"):
                self.extracted.add("paragraph", [TextPiece(sentence)])

    def _table(self, heads: Iterable[str], rows: list[list[str]], heading: str, level: int) -> None:
        """Add a table without its empty columns, below a heading unless it is "" or there are no rows."""
        if not rows:
            return
        if heading:
            self._heading(heading, level)
        kept = [*self.limit.limited(([" ".join(cell.split()) for cell in row] for row in rows), "a table")]
        columns = [[head, *cells] for head, *cells in zip(heads, *kept, strict=True) if any(cells)]
        add_rows(self.extracted, _turned(columns), heads=1)


def _turned(columns: list[list[str]]) -> Iterator[list[str]]:
    return ([*row] for row in zip(*columns, strict=True))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []

"""The schemas of an interface: references inside the file, the names of types, the properties of objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_MAX_STEPS = 20  # of references that lead to references, and of schemas inside one another


def entries(value: object) -> Mapping[str, Any]:
    """Return an object, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def text_of(value: object) -> str:
    """Return a text or number as text, "" for anything else."""
    return "" if value is None or isinstance(value, Mapping | list) else str(value)


@dataclass(frozen=True, slots=True)
class Schemas:
    """What the references of a file lead to.

    Example:
        >>> user = {"type": "object", "properties": {"id": {"type": "integer", "format": "int64"}}}
        >>> known = Schemas({"components": {"schemas": {"User": user}}})
        >>> known.type_name({"type": "array", "items": {"$ref": "#/components/schemas/User"}})
        'array of User'
        >>> known.type_name(user["properties"]["id"])
        'integer (int64)'
    """

    value: Mapping[str, Any]
    elsewhere: set[str] = field(default_factory=set)

    def remarks(self) -> tuple[str, ...]:
        """Return what to say of references that lead nowhere in the file."""
        found = ", ".join(sorted(self.elsewhere)[:3])
        return (f"references that lead to nothing in the file are left out: {found}",) if found else ()

    def named(self) -> dict[str, Mapping[str, Any]]:
        """Return the schemas that the file defines, by name."""
        found = entries(entries(self.value.get("components")).get("schemas")) or entries(self.value.get("definitions"))
        return {name: schema for name, schema in found.items() if isinstance(schema, Mapping)}

    def resolved(self, value: object) -> Mapping[str, Any]:
        """Return what a value refers to, itself if it does not; empty if that is not in the file."""
        found = entries(value)
        for _ in range(_MAX_STEPS):
            if not isinstance(found.get("$ref"), str):
                return found
            found = self._at(found["$ref"])
        return {}

    def _at(self, reference: str) -> Mapping[str, Any]:
        """Return the object that a reference like "#/components/schemas/User" leads to."""
        found: object = self.value if reference.startswith("#/") else None
        for part in reference[2:].split("/"):
            found = entries(found).get(part.replace("~1", "/").replace("~0", "~"))
        if not entries(found):
            self.elsewhere.add(reference)
        return entries(found)

    def type_name(self, schema: object, steps: int = _MAX_STEPS) -> str:
        """Return the type of a schema as people write it, "" if it has none."""
        found = entries(schema)
        if isinstance(found.get("$ref"), str):
            return str(found["$ref"]).rsplit("/", 1)[-1]
        if steps == 0:
            return ""
        for key, joint in (("oneOf", " | "), ("anyOf", " | "), ("allOf", " & ")):
            if isinstance(found.get(key), list):
                names = [self.type_name(each, steps - 1) for each in found[key]]
                return joint.join(dict.fromkeys(filter(None, names)))
        kind = found.get("type")
        if kind == "array":
            inner = self.type_name(found.get("items"), steps - 1)
            return f"array of {inner}" if inner else "array"
        name = " | ".join(map(str, kind)) if isinstance(kind, list) else text_of(kind)
        form = text_of(found.get("format"))
        return f"{name} ({form})" if name and form else name

    def properties(self, schema: object, steps: int = _MAX_STEPS) -> dict[str, Any]:
        """Return the properties of an object, those of its parts too, or of the items of an array."""
        found = self.resolved(schema)
        if steps == 0:
            return {}
        made: dict[str, Any] = {}
        for part in found["allOf"] if isinstance(found.get("allOf"), list) else ():
            made |= self.properties(part, steps - 1)
        if found.get("type") == "array" and isinstance(found.get("items"), Mapping) and "$ref" not in found["items"]:
            made |= self.properties(found["items"], steps - 1)
        made |= entries(found.get("properties"))
        return made

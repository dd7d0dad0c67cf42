"""``kgsynth cache``: show or clear the cache of embeddings."""

from __future__ import annotations

import click

from kgsynth.cli.command import Command
from kgsynth.cli.options import JSON_OPTION
from kgsynth.cli.output import result


@click.command(cls=Command)
@click.option("--clear", is_flag=True, help="Delete the cache.")
@JSON_OPTION
def command(clear: bool, as_json: bool) -> None:
    """Show where the cache of embeddings is and how large it is.

    All commands share it, so that no text is embedded twice. It is in the user's cache folder, or in the folder that
    KGSYNTH_CACHE names; KGSYNTH_CACHE=off turns it off. Deleting it is always safe.

    \b
    kgsynth cache
    kgsynth cache --clear
    """
    from kgsynth.models.vector_cache import open_cache
    from kgsynth.show.wording import many

    cache = open_cache()
    if cache is None:
        result("the cache is off", {"path": None, "embeddings": 0, "bytes": 0, "cleared": False}, as_json)
        return
    size, number = cache.size(), len(cache) if cache.path.is_file() else 0
    found = f"{many(number, 'embedding')}, {size / 2**20:.1f} MB"
    text = f"{cache.path}: {found} of at most {cache.max_bytes / 2**20:.0f} MB"
    if clear:
        cache.clear()
        text = f"deleted {cache.path}: {found}"
    result(text, {"path": str(cache.path), "embeddings": number, "bytes": size, "cleared": clear}, as_json)

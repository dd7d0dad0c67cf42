"""A set that lives: a finished run goes on when its documents change, or when more questions are wanted.

``beginning`` saves the set and what its documents were, and decides which runs may go on; ``changes`` compares the
documents; ``standing`` finds the questions that are still proved; ``places`` puts new ones where others left;
``summary`` reports it, and ``preview`` says what would happen and writes nothing. ``topic`` keeps to the sections near
a text.
"""

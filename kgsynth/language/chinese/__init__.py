"""Chinese: words by jieba, and everything else by the form of the text, without a parser."""

from kgsynth.language.words import HAN, HAN_COMPATIBILITY, HAN_EXTENSION

NAME = "Chinese"
SCRIPT = HAN_EXTENSION + HAN + HAN_COMPATIBILITY

__all__ = ["NAME", "SCRIPT"]

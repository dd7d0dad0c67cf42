"""Chinese: words by jieba, and everything else by the form of the text, without a parser."""

NAME = "Chinese"

__all__ = ["NAME"]

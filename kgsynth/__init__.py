"""kgsynth: golden test sets for RAG systems, made from a folder of documents, audited, and scored against."""

__version__ = "0.1.0"

"""Look-ups in a corpus, derivations of answers, and searches for other answers; used by generation and auditing."""

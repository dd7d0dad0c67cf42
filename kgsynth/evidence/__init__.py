"""What is true of the corpus: look-ups, derivations, other answers, absence. Shared by generation and auditing."""

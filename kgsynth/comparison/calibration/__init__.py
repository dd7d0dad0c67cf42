"""Check whether a question set ranks systems as a human one does."""

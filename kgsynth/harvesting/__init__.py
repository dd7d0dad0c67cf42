"""Harvesting: the log of a system → the questions that its users ask, their passages in the documents, and the gaps."""

"""Score a RAG system on a golden set: ``flow`` runs the stages in order."""

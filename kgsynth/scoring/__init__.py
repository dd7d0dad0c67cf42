"""Score a RAG system on a golden set: ``flow`` names the stages in order."""

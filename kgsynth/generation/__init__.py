"""Generate a golden set from a folder of documents: ``flow`` names the stages in order."""

"""Models: the embedding model, language models, and where their files are on this machine."""

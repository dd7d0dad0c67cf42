"""The models: the embedding model, language models, and where the files of a model are."""

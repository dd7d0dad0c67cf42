"""The knowledge graph: entities settled over the corpus, their links to chunks, facts between them, similarity.

``entities`` settles who is who, ``build`` puts the graph together, ``storage`` keeps it, ``health`` says how well it
hangs together. Nothing here calls a model.
"""

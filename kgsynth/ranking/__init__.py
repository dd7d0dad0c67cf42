"""How likely a strict reader would keep a question: features of its form, and a model fitted to graded questions.

``features`` reads an item, ``model`` applies the weights of a file, ``grades`` reads graded questions, and ``fitting``
fits new weights, with whole folders left out for validation.
"""

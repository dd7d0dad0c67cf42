"""Find scenes in the graph: the passages of one question that a language model is asked to write."""

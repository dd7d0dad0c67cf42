"""Human review of a golden set, or of a system's answers: on a local page, or in a form that is sent out.

``subject`` reads what is under review. ``annotation`` is what one annotator says about one item, ``store`` keeps the
annotations in SQLite. ``api`` and ``server`` serve the ``page``; ``form`` exports and
imports forms. ``results`` computes agreement, ``reviewed_set`` writes the reviewed golden set.
Annotators are identified by name only.
"""

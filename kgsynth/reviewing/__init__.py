"""People judge a golden set, or what a system answered, on a page of this machine or in a form sent out.

``subject`` is what is under review, ``judgement`` what one annotator says of one item, ``store`` the SQLite file that
keeps it. ``desk`` and ``server`` serve the ``page``, ``form`` sends it out as a file; ``results`` sums up how far
annotators agree, ``applying`` makes the reviewed set. Left out: who an annotator really is.
"""

"""Is a difference real? Pure functions on figures per question that share source documents.

``bootstrap`` has intervals of a mean, ``paired`` the difference of two systems on the same questions with its tests,
``ranking`` what several tests together allow to be said; ``items`` says which questions part systems, ``calibration``
how far two question sets order systems alike. Left out: where the figures come from, and how they are shown.
"""

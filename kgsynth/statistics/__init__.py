"""Statistical tests and intervals: pure functions on numbers, with no knowledge of where the numbers come from.

Two systems on the same questions: ``paired_tests``. Rates and means over people: ``rates``.
Several tests at once: ``multiple_testing`` (Holm). A judge whose verdicts people checked: ``judge_error``. Intervals
over documents: ``share_intervals``, ``bootstrap``. Which questions discriminate between systems: ``item_analysis``. Do
two question sets rank systems alike: ``rank_agreement``. Do annotators agree: ``krippendorff_alpha``.
"""

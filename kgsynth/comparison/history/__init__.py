"""Show the history of runs of ``score``, which ``kgsynth.scoring.history`` keeps: as text, plot, or MLflow runs."""

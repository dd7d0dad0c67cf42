"""The folder of a run: an interrupted run resumes here, and writes the same bytes as one that was not interrupted.

``resume`` computes only the records and rows that are missing; until all are there, they are kept in a journal.
``folder`` writes complete files, records in state.json which they are and which run they belong to, decides what of an
earlier run is used, and keeps a second process out with a lock. ``manifest`` says for people how the run was made.
"""

from __future__ import annotations

from kgsynth.base.run_folder.folder import CarriedFiles, Continue, RunFolder
from kgsynth.base.run_folder.resume import resume_array, resume_records

DRAWN = "drawn.json"
"""The file that says which documents a run of ``generate`` was made of; without it they were all of the folder."""

__all__ = ["DRAWN", "CarriedFiles", "Continue", "RunFolder", "resume_array", "resume_records"]

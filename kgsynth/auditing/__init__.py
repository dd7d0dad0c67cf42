"""Audit any golden set: find what is wrong with its questions, answers and evidence.

``flow.audit`` runs the checks of the table ``checks.CHECKS``; each gets an ``AuditCase``, which looks up sentences,
chunks, embeddings and facts on demand. ``fix`` updates the spans of a set whose documents have changed.
"""

from kgsynth.auditing.flow import audit
from kgsynth.auditing.report import AuditReport

__all__ = ["AuditReport", "audit"]

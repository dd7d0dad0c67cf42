"""Audit a golden set, whoever made it: what is wrong with it, and with its evidence in the documents?

``flow.audit`` runs the checks of the table ``checks.CHECKS``; each gets an ``AuditCase``, which looks up sentences,
chunks, embeddings and facts as they are needed. ``fix`` moves the evidence to where it is now when documents changed.
"""

from kgsynth.auditing.flow import audit
from kgsynth.auditing.report import AuditReport

__all__ = ["AuditReport", "audit"]

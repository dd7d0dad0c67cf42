"""How anything is drawn: pages, evidence in its document, plots, tables."""

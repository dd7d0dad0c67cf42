"""Everything that is shown to people: HTML pages, plots, and tables as text."""

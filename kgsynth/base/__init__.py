"""What everything rests on: records, errors, settings, the run folder, files, processes."""

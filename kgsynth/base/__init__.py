"""What all other packages use: records, errors, settings, the run folder, files, processes."""

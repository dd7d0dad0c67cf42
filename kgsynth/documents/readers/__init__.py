"""One reader for each file format: from text to blocks whose characters are tied to the source."""

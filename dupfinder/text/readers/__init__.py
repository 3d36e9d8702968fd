"""A reader for each family of document formats, and what several of them share."""

"""One reader for each family of documents, and what several families share."""

"""PDF files: their text, annotations and attachments, and the text of scanned pages."""

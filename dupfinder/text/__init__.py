"""Bytes to text. For a bad file, `extract` raises nothing: what could be read is returned, with a Problem.

Nothing here opens a file for writing, follows a link, unpacks to disk or knows of fingerprints.
"""

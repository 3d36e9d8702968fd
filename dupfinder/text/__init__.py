"""Bytes to text. A bad file raises nothing here: what could be read is returned, with a Problem.

Nothing here opens a file for writing, follows a link, unpacks to disk or knows of fingerprints.
"""

"""Child processes that work through tasks under limits of time, memory and rights. Knows nothing of documents.

A function runs on each task in a process that can open only the files handed to it, and answers with plain data.
"""

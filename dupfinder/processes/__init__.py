"""Child processes that work through tasks under limits of time, memory and rights. Knows nothing of documents.

A function runs on each task in a process that can open no file but those it is handed, and answers with plain data."""

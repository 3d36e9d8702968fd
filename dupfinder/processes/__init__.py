"""Child processes that work through tasks under limits of time, memory and rights. Knows no format and no text.

A function runs on each task in a process that can open only the files handed to it, and answers with plain data. The
sandbox is the pool of these processes, called workers or reading processes. A cell is the rights that a worker has. An
errand is a task with its weight and its attempts.
"""

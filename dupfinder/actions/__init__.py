"""Remove documents by a plan: check, journal, act, undo. Only `apply` and `trash` touch a person's files.

The last copy of a document is never removed. Nothing here removes a folder, follows a symbolic link below a root,
overwrites a file or makes a sentence for people. Start reading at `apply`; `check` tells why a file was spared, `undo`
what remains after a kill and how it is settled.
"""

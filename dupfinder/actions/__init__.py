"""Remove documents by a plan: check, journal, act, undo. No other package moves or removes a person's files.

The last copy of a document is never removed. Nothing here removes a folder, follows a symbolic link below a root,
overwrites a file or words a sentence for people. Start reading at `apply`; `check` says why a file was spared, `undo`
what a kill may leave and how that is settled.
"""

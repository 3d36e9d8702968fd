"""Removal, by plan: check, journal, act, undo. `apply` and `trash` alone touch user files; the last copy never goes.

What never happens here: a folder removed, a symbolic link followed below a root, a file overwritten, a sentence for
people made. Start reading at `apply`; `check` says why a file was spared, `undo` what a kill leaves and how it ends.
"""

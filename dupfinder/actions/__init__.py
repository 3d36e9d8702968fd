"""Removal, by plan: check, journal, act, undo. `apply` and `trash` alone touch user files; the last copy never goes."""

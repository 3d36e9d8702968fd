"""Permuted tables, and the join over them. `exhaustive` stays the judge."""

from __future__ import annotations

from dupfinder.index.join import TooManyPairs, join, join_chunks

__all__ = ["TooManyPairs", "join", "join_chunks"]

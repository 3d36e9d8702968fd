"""Pairs to groups: find candidates, measure and relate them, form families and propose keepers. Opens no files."""

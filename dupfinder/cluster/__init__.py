"""Pairs to groups: find candidates, measure and relate them, form clusters and propose keepers. Opens no files."""

"""Painted lists, histogram and comparison. They show a ReviewSession and ask it; they never decide or read files."""

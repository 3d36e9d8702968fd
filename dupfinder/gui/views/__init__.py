"""Painted lists, histogram and comparison. They show a ReviewSession and ask it; they never decide and never read files."""

"""Removing documents and taking it back: the last look before, what was left alone, and the history."""

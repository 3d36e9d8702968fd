"""Automatic selection: the rules and a preview of their effect."""

"""Errors, problems, progress, settings, stamps and paths, for all layers.

Imports nothing else of dupfinder, and no heavy library.
"""

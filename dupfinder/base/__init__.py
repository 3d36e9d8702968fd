"""What every layer may use: errors, problems, progress, settings, stamps, paths.

Imports nothing else of dupfinder, and no heavy library.
"""

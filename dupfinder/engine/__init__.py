"""Large searches among fingerprints: in files, in compressed tables, on clusters.

Used by `dupfinder index` and by other programs; a scan does not need it.
"""

"""Fingerprints to pairs: all within Hamming distance k. No texts, paths or SQL; the index on disk is in `engine`."""

"""Fingerprints to pairs: all within Hamming distance k. Handles numbers only: no texts, paths or SQL."""

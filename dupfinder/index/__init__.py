"""Fingerprints to pairs: all within Hamming distance k. Only numbers come in and go out; no text, no path, no SQL."""

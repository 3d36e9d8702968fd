"""Text to numbers: tokens, weights, 64-bit fingerprints, shingle sketches. Opens no documents."""

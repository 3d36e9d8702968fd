"""Text to numbers: tokens, weights, 64-bit fingerprints, shingle sketches. Knows neither files nor readers."""

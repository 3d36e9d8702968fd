"""Settings, and the learning of how rare words are."""

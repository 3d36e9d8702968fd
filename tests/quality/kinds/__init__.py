"""Labelled kinds of documents that the project makes by itself, from fixed seeds and without a network."""

"""Selecting automatically: the rules, and what they would do."""

"""The settings, and learning word frequencies."""

"""Two documents side by side: their texts with the differences, or their pages."""

"""Two documents side by side: their texts with what differs, or their pages."""

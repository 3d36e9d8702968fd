"""Qt models over what a ReviewSession tells. They translate; they keep nothing of their own."""

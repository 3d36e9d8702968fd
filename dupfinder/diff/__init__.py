"""Two texts to their differences, for people to read. Handles neither files nor windows."""

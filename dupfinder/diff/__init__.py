"""Two texts to their changes, for people to read. Knows neither files nor windows."""

"""What every page is made of: widgets, theme, ink, words, and the one door for long work. Knows no page."""

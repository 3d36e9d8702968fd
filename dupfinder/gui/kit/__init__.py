"""Widgets, theme, drawing, words and jobs that all pages share. Knows no page."""

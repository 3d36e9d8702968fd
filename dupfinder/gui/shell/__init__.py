"""The window around the pages: start, commands, top bar, and which page is shown."""

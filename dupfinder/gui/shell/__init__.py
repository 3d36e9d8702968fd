"""The window around the pages: how it starts, its commands, its bar, and which page is shown."""

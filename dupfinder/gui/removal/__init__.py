"""Remove documents and undo removals: the final dialog, the files that were not removed, and the history."""

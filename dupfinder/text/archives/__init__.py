"""Archives and packed files: what lies in them, under limits of size, number and depth."""

"""Members of archives and packed files, within limits of size, number and depth."""

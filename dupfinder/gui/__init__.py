"""The window. It shows and asks; ReviewSession knows. Long work goes through `kit.jobs` alone."""

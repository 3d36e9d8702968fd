"""The window. It shows a ReviewSession and passes decisions to it. Long work runs in `kit.jobs`."""

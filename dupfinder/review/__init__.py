"""Decisions of the reviewer: demand, filters, marks, keepers and rules, and what follows from them. No Qt."""

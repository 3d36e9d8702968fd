"""Pairs to clusters: candidates, their verification, groups around a keeper. No file is opened here."""

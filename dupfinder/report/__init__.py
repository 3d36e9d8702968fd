"""Reports of a scan, for people and programs: HTML, Word, spreadsheets, CSV, JSON. Writes only the named files."""

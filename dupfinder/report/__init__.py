"""A ScanResult told to people and machines: JSON, HTML, CSV, spreadsheets. Writes only where it was asked to."""

"""The library: read documents and scan results, stored in SQLite. The only SQL of the program; opens no user files."""

"""What was read and found, kept in SQLite. The only SQL of the program; user files are never opened here."""

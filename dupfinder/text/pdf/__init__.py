"""What PDF files say: their text, their notes, and what their scanned pages show."""

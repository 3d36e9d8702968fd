"""Small widgets that every page is made of. They look as their properties say, and know nothing of documents."""

"""From folders to a finished scan: welcome, a new scan with its folders and filters, and how far it is."""

"""From folders to a finished scan: the start page, a new scan with its folders and filters, and its progress."""

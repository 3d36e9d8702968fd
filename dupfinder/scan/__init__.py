"""From folders to a ScanResult: walk, read, fingerprint, match, verify, group. A scan changes no document."""

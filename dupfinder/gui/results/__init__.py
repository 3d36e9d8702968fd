"""The results of a scan: lists of groups and forms, the required similarity, decisions and reports."""

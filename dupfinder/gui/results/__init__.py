"""The results of a scan: lists of groups and forms, the similarity that is asked for, decisions and reports."""

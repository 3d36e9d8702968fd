"""The command line. Results go to standard output, progress and messages to standard error. Never imports Qt."""

"""The command line. Results on standard output, progress and messages on standard error; never imports Qt."""

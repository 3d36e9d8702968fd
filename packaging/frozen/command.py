"""Where the frozen `dupfinder` begins: a reading process begins here too, and goes its own way at once."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from dupfinder.__main__ import main

    sys.exit(main())

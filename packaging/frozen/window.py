"""Where the frozen `dupfinder-gui` begins: a reading process begins here too, and goes its own way at once."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from dupfinder.gui import main

    sys.exit(main())

"""`python -m dupfinder`: the same as the `dupfinder` command."""

import sys

from dupfinder.cli.main import main

if __name__ == "__main__":
    sys.exit(main())

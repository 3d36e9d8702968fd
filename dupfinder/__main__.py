"""`python -m dupfinder`, and the `dupfinder` command: an interrupt while the command line loads shows no traceback."""

import sys


def main() -> int:
    """Run the command line; return its exit code."""
    try:
        from dupfinder.cli.main import main as run
    except KeyboardInterrupt:  # loading takes a tenth of a second, in which nothing is begun
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())

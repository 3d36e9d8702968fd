#!/bin/sh
# Prints a Python (3.11 to 3.13) that can make environments; installs Debian's venv package where it is missing and we may.
set -eu
for name in python3.11 python3.12 python3.13 python3 python; do
    found=$(command -v "$name" 2>/dev/null) || continue
    "$found" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || continue
    if ! "$found" -c 'import ensurepip, venv' 2>/dev/null; then
        version=$("$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
            { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "python$version-venv"; } >&2 || continue
        else
            echo "Python $version cannot make environments; please install: sudo apt-get install python$version-venv" >&2
            continue
        fi
    fi
    echo "$found"
    exit 0
done
echo "dupfinder needs Python 3.11, 3.12 or 3.13 (with venv)." >&2
exit 1

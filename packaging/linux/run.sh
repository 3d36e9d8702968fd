#!/bin/sh
# Starts dupfinder from a checkout: the window where there is a display, else a scan from the command line with a report.
# usage: run.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-}
if [ "$(uname -s)" != "Linux" ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    "$here/packaging/linux/qt-libraries.sh" --window
    exec "$here/.venv/bin/dupfinder-gui" ${folder:+"$folder"}
fi
[ -n "$folder" ] || folder="$here/resources/samples/library"
report="$PWD/dupfinder-report.html"
echo "There is no display: scanning $folder from the command line."
"$here/.venv/bin/dupfinder" scan "$folder" --report "$report"
echo "The report is $report"

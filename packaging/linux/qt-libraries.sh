#!/bin/sh
# Installs what Qt needs from the system to run, where it is missing and we may (root and apt); else says what to install.
# usage: qt-libraries.sh [--window]     --window: also what a window on X11 needs
set -eu
common="libgl1 libegl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0 libfreetype6"
window="libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 \
libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxcb-xinerama0 libxcb-xkb1 libxkbcommon-x11-0 libx11-xcb1 libsm6 libice6 fonts-dejavu-core"
wanted="$common"
[ "${1:-}" = "--window" ] && wanted="$common $window"

[ "$(uname -s)" = "Linux" ] || exit 0
if ! command -v dpkg-query >/dev/null 2>&1; then
    exit 0 # another family of packages: the program says what is missing when it starts
fi
missing=""
for package in $wanted; do
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    # Debian 13 and Ubuntu 24.04 renamed some libraries for 64-bit time; the old name is then only provided.
    [ "$status" = "install ok installed" ] || dpkg-query -W -f='${Status}' "${package}t64" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing what Qt needs:$missing" >&2
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "Qt needs these packages of your system; please install them:" >&2
    echo "    sudo apt-get install$missing" >&2
    exit 1
fi

#!/bin/sh
# Runs the tests on each installed Python from 3.11 on, with the newest allowed version of everything, in an environment
# of its own. A version for which some dependency has no wheel is named and passed over. T: these tests alone. SHARED:
# options of pytest that share the tests among processes.
set -u
failed=0
for version in 3.11 3.12 3.13 3.14; do
    python=$(command -v "python$version") && "$python" -c '' 2>/dev/null || { echo "Python $version: not installed"; continue; }
    folder=.venv-$version
    "$python" -m venv "$folder" || continue
    if ! "$folder/bin/python" -m pip --quiet --disable-pip-version-check install --only-binary :all: --no-binary jieba \
        --use-pep517 --editable '.[dev]' > "$folder/install.txt" 2>&1; then
        echo "Python $version: cannot be set up: $(grep -m 1 -i 'error' "$folder/install.txt")"
        continue
    fi
    # shellcheck disable=SC2086 # both are lists of words
    if QT_QPA_PLATFORM=offscreen "$folder/bin/python" -m pytest -m "not slow" ${SHARED:-} ${T:-} > "$folder/tests.txt" 2>&1; then
        echo "Python $version: $(tail -n 1 "$folder/tests.txt")"
    else
        echo "Python $version: $(tail -n 1 "$folder/tests.txt"); see $folder/tests.txt"
        failed=1
    fi
done
exit $failed

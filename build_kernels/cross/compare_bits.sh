#!/bin/sh
# Compares the golden hashes of simulations with the wheel for this system: compare_bits.sh FOLDER_WITH_WHEELS.
# The tests are copied to a folder without the package's sources, so that they use the installed wheel.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
wheels=$(cd "$1" && pwd)
work=$(mktemp -d)
python -m venv "$work/venv"
python=$work/venv/bin/python
[ -x "$python" ] || python=$work/venv/Scripts/python
"$python" -m pip install -q --disable-pip-version-check --find-links "$wheels" ecs_collide pytest hypothesis
cp -r "$root/tests" "$root/pyproject.toml" "$work"
cd "$work"
"$python" -m pytest -q -p no:cacheprovider -k "golden and not elsewhere" tests/physics/test_same_bits_everywhere.py
rm -rf "$work"

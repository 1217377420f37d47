#!/bin/sh
# SPDX-License-Identifier: MIT
# Pictures of every view, in light, dark, high contrast, narrow and right-to-left, and of the way
# from a folder to a report:
#
#   tests/app/screenshots.sh [FOLDER]     (_build/screenshots)
#   tests/app/screenshots.sh FOLDER PROJECT RECORDING [NAME]
#
# With a project and a recording only their views are taken; NAME: only those with it in their names,
# as dark-timeline or flame.
#
# CALLSIGHT_BUILD names another build folder. Needs Xvfb, dbus, AT-SPI for Python, xdotool, ImageMagick.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
CALLSIGHT_BUILD=${CALLSIGHT_BUILD:-$top/_build}
export CALLSIGHT_BUILD
PYTHONPATH=$top/tests:$top/tests/app:$top/tests/workloads exec /usr/bin/python3 "$top/tests/app/screenshots.py" "$@"

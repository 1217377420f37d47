#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds Callsight, records the sample program and prints its report.
set -eu

cd "$(dirname "$0")/.."
. build-aux/dependencies.sh

display=${DISPLAY:-}${WAYLAND_DISPLAY:-}
if [ -n "$display" ]; then
  install_missing build app
  app=enabled
else
  install_missing build
  # What libsoup's packages bring along would do for the app, which nobody could see.
  app=disabled
fi

if [ ! -f _build/build.ninja ]; then
  meson setup _build -Dtests=false "-Dapp=$app"
elif [ -n "$display" ]; then
  meson configure _build -Dapp=enabled
fi
meson compile -C _build

sample=$PWD/_build/try
mkdir -p "$sample"
echo
echo "Building the sample program, tests/workloads/lab, with hooks …"
make -s -C tests/workloads/lab instrument \
  BUILDDIR="$sample/build" BINDIR="$sample/bin" RUNTIME="$PWD/runtime"

echo "Recording it …"
echo
./_build/src/cli/callsight-cli run --dir "$sample/traces" --top 15 -- "$sample/bin/lab.instr"

cat <<TEXT

The recording is in $sample/traces. To read it again:

  _build/src/cli/callsight-cli analyze _build/try/traces
  _build/src/cli/callsight-cli analyze _build/try/traces --format callers
  _build/src/cli/callsight-cli analyze _build/try/traces --format chrome --out trace.json   # for ui.perfetto.dev
TEXT

if [ -n "$display" ] && [ -x _build/src/app/callsight ]; then
  echo
  echo "Opening it in the app …"
  exec ./_build/src/app/callsight "$sample/traces"
fi

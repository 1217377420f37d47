#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs what is missing, builds Callsight with gcc and with clang, warnings being errors,
# and runs the whole test suite. Ends with the line "N passed, N failed".
#
#   build-aux/test.sh [NAME…]     only the tests with these names (see meson test --list)
set -u

cd "$(dirname "$0")/.." || exit 2
. build-aux/dependencies.sh

install_missing build app tests

passed=0
failed=0

# step NAME COMMAND…: a build that counts as a test.
step () {
  name=$1
  shift
  if "$@" >"_build/$name.log" 2>&1; then
    echo "ok - $name"
    passed=$((passed + 1))
  else
    echo "not ok - $name"
    tail -n 40 "_build/$name.log"
    failed=$((failed + 1))
  fi
}

# configure FOLDER COMPILER OPTIONS…
configure () {
  folder=$1
  compiler=$2
  shift 2
  if [ -f "$folder/build.ninja" ]; then
    meson configure "$folder" "$@"
  else
    CC=$compiler meson setup "$folder" "$@"
  fi
}

mkdir -p _build
step configure-gcc configure _build gcc -Dwerror=true -Dapp=enabled -Dtests=true -Dbench=true
step build-gcc meson compile -C _build
# For clang's warnings, which depend on no optimisation.
step configure-clang configure _build/clang clang -Dwerror=true -Dapp=enabled -Dtests=true -Dbench=true \
  -Doptimization=0 -Ddebug=false
step build-clang meson compile -C _build/clang

# One more at a time than there are processors, since some wait for most of their time. A busy machine has time.
meson test -C _build --no-rebuild --print-errorlogs --num-processes $(($(nproc) + 1)) --timeout-multiplier 3 "$@"
counts=$(python3 build-aux/count-tests.py _build/meson-logs/testlog.json tests/allowed-skips.txt) || exit 1
echo "$counts" | sed '$d'
last=$(echo "$counts" | tail -n 1)
passed=$((passed + ${last% *}))
failed=$((failed + ${last#* }))

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

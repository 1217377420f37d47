#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the tests of the runtime and of the launcher with both counting their lines, and prints which
# lines and branches were run. What a program has run until it is killed is not counted, and some tests
# fail here: those that look at what is compiled, and those in which files may not grow. The suite
# itself says whether they pass.
#
#   tests/coverage/runtime.sh [BUILD [OUT]]   BUILD: a build folder (_build); OUT: a folder for what
#                                             is counted (BUILD/coverage-runtime), emptied first
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$top/_build}" && pwd) || exit 2
out=${2:-$build/coverage-runtime}

[ -x "$build/src/cli/callsight-cli" ] || { echo "$0: $build: nothing is built there" >&2; exit 2; }

flags="--coverage -fprofile-update=atomic"
rm -rf "$out"
mkdir -p "$out/runtime"
out=$(cd "$out" && pwd)
# In place of the build folder: its command line, and a launcher that counts.
ln -s "$build/src" "$out/src"
# With -std=c11 the compiler would not see that execvp() is where counts must be written.
# shellcheck disable=SC2086
(cd "$out/runtime" && gcc -std=gnu11 -O2 $flags "$top/runtime/callsight-cc.c" -o callsight-cc &&
  gcc -std=c11 -O2 -fPIC -shared -pthread $flags "$top/runtime/trace.c" "$top/tests/coverage/last.c" \
    -o libcallsight-runtime.so) || exit 1

export CALLSIGHT_BUILD="$out" CALLSIGHT_TEST_CFLAGS="$flags" PYTHONPATH="$top/tests" PYTHONDONTWRITEBYTECODE=1
export XDG_CACHE_HOME="$out/cache" GCOV_ERROR_FILE="$out/gcov-errors"
jobs=$(nproc)
# shellcheck disable=SC2016
{
  printf '%s\n' "$top"/tests/launcher/test_*.py "$top"/tests/runtime/test_*.py
  echo "$top/tests/runtime/matrix/test_matrix.py"
} | xargs -P "$jobs" -I{} sh -c '
  name=$(basename "$1" .py)
  folder=$(basename "$(dirname "$1")")
  [ "$name" = test_matrix ] && set -- "$1" gcc
  export GCOV_PREFIX="$0/of/$folder-$name"
  timeout 900 python3 "$@" >"$0/$folder-$name.log" 2>&1' "$out" {}
# Each test has counts of its own, since one that kills programs may leave them damaged. gcov wants a
# unit's notes beside them.
find "$out/of" -name "*.gcda" | while read -r counts; do
  notes=${counts#"$out"/of/*/}
  cp "/${notes%.gcda}.gcno" "${counts%.gcda}.gcno"
done
echo "tests: $(cat "$out"/*-test_*.log | grep -c '^ok ') passed, $(cat "$out"/*-test_*.log | grep -c '^not ok ') failed"
grep -h '^not ok ' "$out"/*-test_*.log | sed 's/^not ok [0-9]* - /  failed: /'

python3 "$top/build-aux/coverage.py" "$top" "$out" runtime

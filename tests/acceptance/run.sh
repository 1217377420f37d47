#!/bin/sh
# SPDX-License-Identifier: MIT
# Judges what the product promises: see README.md beside this.
#
#   tests/acceptance/run.sh [NAME…]     exact hooks analysis packing choosing window pictures
#   tests/acceptance/run.sh suite sanitized looks     what takes longer, and is run by name only
#
# CALLSIGHT_BUILD names another build folder than _build, which is made if it isn't there. SIZE=small: small inputs, to
# see that the scripts work. ACCEPTANCE_DIR: where recordings are generated (6 GB at most), instead of TMPDIR.
# The exit status is 1 where a promise is not ok.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
CALLSIGHT_BUILD=${CALLSIGHT_BUILD:-$top/_build}
export CALLSIGHT_BUILD

[ $# -gt 0 ] || set -- exact hooks analysis packing choosing window pictures
for name in "$@"; do
  case $name in
    exact | hooks | analysis | packing | choosing | window | pictures | suite | sanitized | looks) ;;
    *)
      echo "run.sh: $name: there is no such script — exact, hooks, analysis, packing, choosing, window, pictures, suite, sanitized, looks" >&2
      exit 2
      ;;
  esac
done

if [ ! -f "$CALLSIGHT_BUILD/build.ninja" ]; then
  meson setup "$CALLSIGHT_BUILD" "$top" -Dapp=enabled -Dbench=true >/dev/null || exit 2
fi
# What is there already is told to build benches and the app as well.
meson configure "$CALLSIGHT_BUILD" -Dapp=enabled -Dbench=true >/dev/null || exit 2
meson compile -C "$CALLSIGHT_BUILD" >/dev/null || { echo "run.sh: the build fails: meson compile -C $CALLSIGHT_BUILD" >&2; exit 2; }

lines=$(mktemp) || exit 2
trap 'rm -f "$lines" "$lines.one"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
start=$(date +%s)
for name in "$@"; do
  began=$(date +%s)
  echo "# $name, load $(cut -d ' ' -f 1 /proc/loadavg)"
  PYTHONDONTWRITEBYTECODE=1 python3 -W ignore "$here/$name.py" | tee "$lines.one"
  # A script that ended before it judged anything has told why on standard error.
  grep -E '^(ok|not ok|slower|missing) ' "$lines.one" >>"$lines" || echo "not ok   $name.py ended without judging anything" | tee -a "$lines"
  echo "# $name: $(($(date +%s) - began)) s"
done

echo
cat "$lines"
echo
count () {
  grep -c "^$1 " "$lines"
}
echo "$(count ok) ok, $(count slower) slower, $(count 'not ok') not ok, $(count missing) missing; $((($(date +%s) - start + 59) / 60)) minutes"
[ "$(count 'not ok')" = 0 ]

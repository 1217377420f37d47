# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by try.sh and test.sh: installs the packages that are missing.
#
#   install_missing build         what the engine and callsight-cli need
#   install_missing build app     and what the desktop app needs
#   install_missing build app tests   and what the tests need besides

# Debian 12 is where this is tried.
debian_build="gcc libc6-dev make meson ninja-build pkg-config libglib2.0-dev libjson-glib-dev libdwarf-dev libelf-dev libsoup-3.0-dev zlib1g-dev libzstd-dev"
debian_app="libgtk-4-dev libadwaita-1-dev adwaita-icon-theme libglib2.0-dev-bin"
debian_tests="g++ dbus at-spi2-core python3-gi gir1.2-atspi-2.0 libglib2.0-bin git clang libclang-rt-14-dev lld cmake ccache musl-tools universal-ctags valgrind protobuf-compiler binutils python3 procps util-linux libc6-dbg llvm dwz elfutils qemu-user zstd \
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
  gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-powerpc-linux-gnu libc6-dev-powerpc-cross \
  gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross xvfb xauth xdotool"
# The same for Fedora and Arch: written down from their package lists, not tried.
fedora_build="gcc glibc-devel make meson ninja-build pkgconf-pkg-config glib2-devel json-glib-devel libdwarf-devel elfutils-libelf-devel libsoup3-devel zlib-devel libzstd-devel"
fedora_app="gtk4-devel libadwaita-devel adwaita-icon-theme"
fedora_tests="gcc-c++ git clang cmake ccache ctags valgrind protobuf-compiler binutils python3 procps-ng util-linux llvm dwz elfutils qemu-user zstd xorg-x11-server-Xvfb xdotool"
arch_build="gcc make meson ninja pkgconf glib2 glib2-devel json-glib libdwarf libelf libsoup3 zlib zstd"
arch_app="gtk4 libadwaita adwaita-icon-theme"
arch_tests="git clang cmake ccache ctags valgrind protobuf binutils python procps-ng util-linux llvm dwz elfutils qemu-user zstd xorg-server-xvfb xdotool"

as_root () {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "$0: packages are missing ($missing), and installing them takes root or sudo" >&2
    exit 2
  fi
}

install_missing () {
  if command -v apt-get >/dev/null; then
    wanted=""
    for group in "$@"; do
      eval "wanted=\"\$wanted \$debian_$group\""
    done
    missing=""
    for package in $wanted; do
      dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' ||
        missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    echo "Installing, which may take some minutes:$missing"
    as_root apt-get update -q >/dev/null
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
  elif command -v dnf >/dev/null; then
    wanted=""
    for group in "$@"; do
      eval "wanted=\"\$wanted \$fedora_$group\""
    done
    missing=$wanted
    # shellcheck disable=SC2086
    rpm -q $wanted >/dev/null 2>&1 || as_root dnf install -y -q $wanted
  elif command -v pacman >/dev/null; then
    wanted=""
    for group in "$@"; do
      eval "wanted=\"\$wanted \$arch_$group\""
    done
    missing=$wanted
    # shellcheck disable=SC2086
    pacman -Q $wanted >/dev/null 2>&1 || as_root pacman -S --needed --noconfirm $wanted
  else
    echo "$0: no apt-get, dnf or pacman here: see build-aux/dependencies.sh for what must be installed" >&2
  fi
}

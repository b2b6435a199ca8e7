#!/bin/sh
# Makes sure that what runc is built with is installed: runc starts the containers of a real node in tests and demo.
# As root, apt installs it after it is listed here, unless SYSTEM=0 forbids it; otherwise the command to do so is shown.
# Never fails: without these packages the stub kubelet takes over. Prints nothing when nothing is missing.
set -eu
[ "$(uname -s)" = Linux ] || exit 0

missing=
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v pkg-config >/dev/null 2>&1 || missing="$missing pkg-config"
pkg-config --exists libseccomp 2>/dev/null || missing="$missing libseccomp-dev"
[ -n "$missing" ] || exit 0

command="apt-get install -y --no-install-recommends$missing"
if [ "${SYSTEM:-1}" = 0 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "missing for a real node in tests and demo, which use a stub without it:$missing; as root on Debian or Ubuntu: $command" >&2
  exit 0
fi

echo "installing system packages for a real node in tests and demo:$missing (SYSTEM=0 forbids it)"
export DEBIAN_FRONTEND=noninteractive
if ! $command >/dev/null 2>&1; then # perhaps the lists of packages are not there yet, or old
  apt-get update -qq >/dev/null 2>&1 || true
  $command >/dev/null || echo "that failed, and tests and demo use a stub of the node; try: apt-get update && $command" >&2
fi

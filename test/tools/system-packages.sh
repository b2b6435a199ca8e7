#!/bin/sh
# Makes sure that what a real node in tests and demo asks of the system is installed: what runc, which starts containers, is
# built with, and nft, by which kube-proxy leads to Services.
# As root, apt installs it after it is listed here, unless SYSTEM=0 forbids it; otherwise the command to do so is shown.
# Never fails: without them tests use a stub of the node, or are skipped and say why. Prints nothing when nothing is missing.
set -eu
[ "$(uname -s)" = Linux ] || exit 0

missing=
command -v gcc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
command -v pkg-config >/dev/null 2>&1 || missing="$missing pkg-config"
pkg-config --exists libseccomp 2>/dev/null || missing="$missing libseccomp-dev"
command -v nft >/dev/null 2>&1 || missing="$missing nftables"
[ -n "$missing" ] || exit 0

command="apt-get install -y --no-install-recommends$missing"
if [ "${SYSTEM:-1}" = 0 ] || [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "missing for a real node in tests and demo, which do without or use a stub:$missing; as root on Debian or Ubuntu: $command" >&2
  exit 0
fi

echo "installing system packages for a real node in tests and demo:$missing (SYSTEM=0 forbids it)"
export DEBIAN_FRONTEND=noninteractive
if ! $command >/dev/null 2>&1; then # perhaps the lists of packages are not there yet, or old
  apt-get update -qq >/dev/null 2>&1 || true
  $command >/dev/null || echo "that failed, and tests and demo do without or use a stub of the node; try: apt-get update && $command" >&2
fi

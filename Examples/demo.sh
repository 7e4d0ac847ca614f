#!/usr/bin/env bash
# Installs what is needed, builds Hearth, and shows two machines of one home on this one.
set -euo pipefail
cd "$(dirname "$0")/.."
Tests/install-packages.sh
swift build --product hearth
exec "$(swift build --show-bin-path)/hearth" demo "$@"

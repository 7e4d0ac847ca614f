#!/usr/bin/env bash
# Installs what is needed, builds Hearth, and shows two machines of one home on this one.
#
#   Examples/demo.sh                 says before what it installs
#   Examples/demo.sh --no-install    installs nothing, and fails where something is missing
set -euo pipefail
cd "$(dirname "$0")/.."
install=()
if [[ ${1:-} == --no-install ]]; then
    install=("$1")
    shift
fi
Tests/install-packages.sh "${install[@]}"
# Built as Tests/run builds it, so that whoever runs one after the other compiles once.
export SWIFT_DETERMINISTIC_HASHING=1 HEARTH_OPTIMIZED_CORE=1
swift build --product hearth
exec "$(swift build --show-bin-path)/hearth" demo "$@"

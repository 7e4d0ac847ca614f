#!/usr/bin/env bash
# Installs what building Hearth needs on Debian or Ubuntu, and with the word "tests" what its tests need as well; says
# before what it installs and why. Swift itself has to be there.
#
#   Tests/install-packages.sh [tests] [--no-install]
#
# With --no-install it only says what is missing, and fails where anything is.
set -euo pipefail

purpose=build wants_tests='' installs=yes
for word in "$@"; do
    case $word in
    tests) wants_tests=yes purpose="build and test" ;;
    --no-install) installs='' ;;
    *)
        echo "usage: $0 [tests] [--no-install]" >&2
        exit 2
        ;;
    esac
done
packages=(libsqlite3-dev zlib1g-dev libyaml-dev libavahi-core-dev libavahi-compat-libdnssd-dev)
if [[ $wants_tests ]]; then
    packages+=(avahi-daemon binutils dbus dpkg-dev iproute2 util-linux procps hostname openssl git jq mawk patch python3
        strace systemd)
    # Ubuntu has no such package; there the tests of the page need a Chromium that is there already.
    ! grep -qx 'ID=debian' /etc/os-release || packages+=(chromium)
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
((${#missing[@]})) || exit 0
echo "To $purpose Hearth takes packages that are not here: ${missing[*]}."
if [[ ! $installs ]]; then
    echo "Install them, or leave out --no-install." >&2
    exit 1
fi
echo "apt-get installs them now, and nothing else; --no-install leaves that to you."
as_root=()
((EUID == 0)) || as_root=(sudo)
# A daemon that a package brings along is for the tests' own namespaces: it must not start on this machine.
policy=/usr/sbin/policy-rc.d
if [[ $wants_tests && ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
    trap '"${as_root[@]}" rm -f "$policy"' EXIT
fi
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"

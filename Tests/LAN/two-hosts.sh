#!/usr/bin/env bash
# Two agents on two hosts: network namespaces joined by a veth pair, nothing else. They pair, a profile is added on one
# and restored on the other, both sides play while the cable is unplugged, and come back together.
#
#   two-hosts.sh avahi|embedded|static HEARTH
#
# avahi:    dbus-daemon and avahi-daemon in each namespace, the agents use the system backend
# embedded: no daemon, the agents speak multicast DNS themselves
# static:   no discovery at all, only an address
#
# Needs root, iproute2, util-linux; for avahi also dbus-daemon and avahi-daemon. Touches no interface of the machine:
# the only addresses are 10.89.0.1 and 10.89.0.2 inside the two namespaces.
set -euo pipefail

mode=${1:?mode} hearth=$(readlink -f "${2:?path of hearth}")
here=$(readlink -f "$0")
work=$(mktemp -d) id=h$$
patience=40

# ---- inside a namespace ---------------------------------------------------------------------------------------------
if [[ $mode == __node ]]; then
    # $2 hearth, $3 kind, $4 home, $5.. agent arguments; private mounts, so that each host has its own buses
    kind=$3 home=$4
    rm -rf "$work"
    hostname "node-$(basename "$home")"
    if [[ $kind == avahi ]]; then
        mkdir -p /run/dbus /run/avahi-daemon
        mount -t tmpfs none /run/dbus
        mount -t tmpfs none /run/avahi-daemon
        cat >"$home/bus.conf" <<X
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
<allow send_type="method_return"/><allow send_type="error"/><allow receive_type="method_call"/>
  <allow receive_type="signal"/>
<allow receive_type="method_return"/><allow receive_type="error"/></policy></busconfig>
X
        printf '%s\n' '[server]' allow-interfaces=eth0 use-ipv6=no use-ipv4=yes '[publish]' publish-workstation=no \
            >"$home/avahi.conf"
        dbus-daemon --config-file="$home/bus.conf" --nofork --nopidfile >"$home/dbus.log" 2>&1 &
        for _ in $(seq 100); do [[ -S /run/dbus/system_bus_socket ]] && break; sleep 0.05; done
        avahi-daemon -f "$home/avahi.conf" --no-drop-root --no-chroot --no-rlimits >"$home/avahi.log" 2>&1 &
    fi
    shift 4
    "$hearth" agent --home "$home/hearth" --json "$@" >"$home/ready" 2>"$home/agent.log" &
    wait $!
    exit
fi

# ---- outside --------------------------------------------------------------------------------------------------------
cleanup() {
    local code=$? p
    for host in a b; do
        for p in $(ip netns pids "$id$host" 2>/dev/null); do kill -KILL "$p" 2>/dev/null || :; done
        ip netns del "$id$host" 2>/dev/null || :
    done
    if ((code != 0)); then
        echo "two-hosts.sh $mode failed; what the agents said:" >&2
        tail -n 30 "$work"/*/agent.log >&2 || :
        for host in a b; do
            [[ -d $work/$host/hearth ]] && HEARTH_HOME=$work/$host/hearth timeout 5 "$hearth" status >&2 || :
        done
    fi
    rm -rf "$work"
    exit $code
}
trap cleanup EXIT
trap 'exit 130' INT TERM

fail() { echo "two-hosts.sh $mode: $*" >&2; exit 1; }
at() { local host=$1; shift; ip netns exec "$id$host" "$hearth" "$@" --home "$work/$host/hearth"; }
# Waits until a command succeeds, at most $patience seconds.
until_ok() { local end=$((SECONDS + patience)); until "$@"; do ((SECONDS < end)) || return 1; sleep 0.1; done; }
value() { grep -o "\"$2\": *[0-9]*" "$work/$1/save.json" | grep -o '[0-9]*$'; }
holds() {
    local save="$work/$1/save.json"
    [[ $(value "$1" coins) == "$2" && $(value "$1" level) == "$3" ]] && grep -q alpha "$save" && grep -q beta "$save"
}
save() { printf '%s' "$2" >"$work/$1/save.new" && mv "$work/$1/save.new" "$work/$1/save.json"; }

for host in a b; do
    mkdir -p "$work/$host"
    ip netns add "$id$host"
    ip -n "$id$host" link set lo up
done
ip -n "${id}a" link add eth0 type veth peer name eth0 netns "${id}b"
ip -n "${id}a" addr add 10.89.0.1/24 dev eth0
ip -n "${id}b" addr add 10.89.0.2/24 dev eth0
for host in a b; do
    ip -n "$id$host" link set eth0 up
    ip -n "$id$host" route add 224.0.0.0/4 dev eth0
done

case $mode in
avahi) arguments=(--discovery system) ;;
embedded) arguments=(--discovery embedded) ;;
static) arguments=(--discovery off) ;;
*) fail "the mode is avahi, embedded or static" ;;
esac
for host in a b; do
    ip netns exec "$id$host" unshare --mount --uts --propagation private \
        bash "$here" __node "$hearth" "$mode" "$work/$host" --port 7411 "${arguments[@]}" &
    disown $!
done
for host in a b; do until_ok grep -qs ready "$work/$host/ready" || fail "agent $host did not start"; done

# Pair: a shows the code, b types it.
ip netns exec "${id}a" "$hearth" pair --json --home "$work/a/hearth" >"$work/a/pair" 2>&1 &
pairing=$!
until_ok grep -q '"code"' "$work/a/pair" || fail "no code was shown"
code=$(grep -o '"code":"[^"]*"' "$work/a/pair" | cut -d'"' -f4 | grep -v '^code$' | head -1)
if [[ $mode == static ]]; then
    at b pair "$code" --address 10.89.0.1:7411 >/dev/null || fail "pairing failed"
else
    at b pair "$code" >/dev/null || fail "pairing failed"
fi
wait $pairing || fail "the showing side did not learn of the pairing"

cat >"$work/rules.yaml" <<X
profile: demo
rules:
  /coins: counter
  /level: max
  /themes: union
X
save a '{"coins": 100, "level": 1, "themes": []}'
at a add "$work/a/save.json" --rules "$work/rules.yaml" --name demo >/dev/null || fail "add failed"
at b restore demo --to "$work/b/save.json" >/dev/null || fail "restore failed"
until_ok grep -q 100 "$work/b/save.json" || fail "the save did not arrive"

# Apart: unplugged, both play.
ip -n "${id}a" link set eth0 down
save a '{"coins": 150, "level": 3, "themes": ["alpha"]}'
save b '{"coins": 80, "level": 5, "themes": ["beta"]}'
sleep 2
for host in a b; do # each agent has taken up its own side alone
    at $host status --json >"$work/$host/status" || fail "status failed on host $host"
done
ip -n "${id}a" link set eth0 up
ip -n "${id}a" route replace 224.0.0.0/4 dev eth0
start=$SECONDS
until_ok holds a 130 5 || fail "host a holds $(cat "$work/a/save.json")"
until_ok holds b 130 5 || fail "host b holds $(cat "$work/b/save.json")"
echo "two-hosts.sh $mode: together again after $((SECONDS - start)) s: $(cat "$work/b/save.json")"

# Players of a game for the terminal, for scripts that source this: what a player types comes through a pipe, what it sees
# goes into the file NAME.seen in the folder $work. A player who does not see what it waits for ends the script.
declare -A keys pids

# Starts a player with the command line that a text shows.
start() {
    local name=$1 command=$2
    rm -f "$work/$name.keys"
    mkfifo "$work/$name.keys"
    (cd "$work" && exec bash -c "exec $command") <"$work/$name.keys" >"$work/$name.seen" 2>&1 &
    pids[$name]=$!
    exec {keys[$name]}>"$work/$name.keys"
}

types() { echo "${2:-}" >&"${keys[$1]}"; }

fails() {
    echo "$1" >&2
    shift
    for name in "$@"; do
        echo "-- what $name saw:" >&2
        cat "$work/$name.seen" >&2
    done
    exit 1
}

# Waits until so many lines (one, if it is not said) are as the pattern has it.
sees() {
    local _
    for _ in $(seq 1000); do
        (($(grep -cE -- "$2" "$work/$1.seen") < ${3:-1})) || return 0
        sleep 0.1
    done
    fails "$1 never saw \"$2\"${3:+ $3 times}" "$1"
}

# Waits for what is no line on a screen.
until_true() {
    local _
    for _ in $(seq 1000); do
        ! "$@" || return 0
        sleep 0.1
    done
    fails "never true: $*" "${!pids[@]}"
}

# Waits for the end of a program that ends well.
ended() {
    wait "${pids[$1]}" || fails "$1 ended with an error" "$1"
    exec {keys[$1]}>&-
    unset "pids[$1]"
}

ends() {
    types "$1" q
    ended "$1"
}

killed() {
    kill -9 "${pids[$1]}"
    wait "${pids[$1]}" 2>/dev/null || :
    exec {keys[$1]}>&-
    unset "pids[$1]"
}

all_killed() {
    local pid
    for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || :; done
    wait 2>/dev/null || :
}

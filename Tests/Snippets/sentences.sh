# What is done at each sentence of the tutorial; Tests/Snippets/newcomer reads it. Commands and keys are taken out of the
# sentence.

follow() {
    local said=$1
    case $said in
    # A game that remembers
    'Make a folder `Lucky` with this `Package.swift`') [[ -f $work/Lucky/Package.swift ]] || fails "it is not shown" ;;
    '`hearth` is a checkout of Hearth beside it') read_package ;;
    'Say in `Sources/Lucky/main.swift` what the game remembers, and open it') [[ -x $work/program ]] || fails "it is not shown" ;;
    'Opening reads a file, no more: it waits for no agent and no network')
        plays alone "unshare --net $here"
        ended alone
        sees alone '^0 coins, best roll 0, kept in '
        [[ ! -e $(kept alone) ]] || fails "opening wrote a save" alone
        ;;
    'Roll the dice at every Return')
        plays alone "$here"
        roll alone 2
        (($(rolls alone) == 2 && $(had alone) >= 2)) || fails "two Returns are not two rolls that earn" alone
        ends alone
        ;;
    *' comes back once the coins are on the disk for good: end the game with SIGKILL right after, and they are there')
        plays alone "$here"
        roll alone
        killed alone
        coins=$(had alone)
        plays alone "$here"
        sees alone "^$coins coins, best roll "
        ends alone
        ;;
    'Start it with `'*'`, roll some dice, kill it, start it again')
        cp "$(kept alone)" "$work/before.json"
        plays alone "$(quoted "$said")"
        roll alone 3
        killed alone
        coins=$(had alone)
        plays alone "$(quoted "$said")"
        sees alone "^$coins coins, best roll "
        ends alone
        ;;
    'Then look at the file it names: plain JSON, with a new line for every new field and nothing else changed') look ;;

    # Another device joins
    'Show what comes in, the moment it comes')
        # There is no other device yet. What another program writes into the file is news as well, taken up with a roll.
        plays alone "$here"
        coins=$(had alone)
        edited "$(kept alone)" $((coins + 500))
        roll alone
        sees alone "^/coins: $coins became $((coins + 500))$"
        ends alone
        ;;
    'Every change says where it was made, by which rule it merged, and what it was before; a record that was beaten is an event of its own')
        HOME=$work/guest plays guest "$here"
        roll guest
        sees guest "^A new best: $(grep -oE '^[1-6] and [1-6]' "$work/guest.seen" | awk '{ print $1 + $3 }')\$"
        ends guest
        variant 's/print\(change\)/print(change.origin, change.rule.merge, change.oldText ?? "none")/'
        plays alone "$here"
        coins=$(had alone)
        edited "$(kept alone)" $((coins + 5))
        roll alone
        sees alone "^file counter $coins\$"
        ends alone
        ;;
    'Ask the player what to do where another device has this game already: go on with that progress and what is here, or begin anew')
        # Who is alone is asked nothing. This player joins when there are two, with what it has by then.
        plays third "$here ~/third"
        roll third 2
        ends third
        ! grep -q 'begins anew' "$work/third.seen" || fails "asked about nobody" third
        asking=$current
        ;;
    # Both are played when there are two: a_third_begins_anew.
    'That may turn out at the start, or right after two devices were paired; until it is answered what is played stays here') ;;
    'A fresh start never takes the place of anything') ;;
    'Let one device show a code, and the other type it') ;;
    'Run `'*'` in one terminal and `'*'` in another: two homes, two devices')
        on_first=$(quoted "$said" 1)
        on_second=$(quoted "$said" 2)
        [[ $on_first != "$on_second" ]] || fails "that is one home"
        plays first "$on_first"
        plays second "$on_second"
        ;;
    'Roll some dice in the first, then type `'*'` there, and `'*'` with that code in the second')
        code=$(quoted "$said" 1)
        join=$(quoted "$said" 2)
        roll first 3
        pairs first second
        ;;
    'The second says how many coins the first has: type `'*'`')
        sees second "has $(had first) coins: "
        types second "$(quoted "$said")"
        sees second "^$(had first) coins now\\."
        ;;
    'Now roll on both')
        coins=$(had first)
        roll first
        earned=$(($(had first) - coins))
        ;;
    'Each shows what the other earned without being asked, and both count all the coins')
        sees second "^/coins: $coins became $((coins + earned))\$"
        roll second
        sum=$(had second)
        sees first "^/coins: $((coins + earned)) became $sum\$"
        until_true both_have "$sum"
        a_third_begins_anew
        ends second
        ends first
        ;;

    # The game grows
    'Give the profile a version and say what became of the field') ;;
    'Opening an old save makes a backup, migrates a copy, checks it, and only then takes its place')
        jq -e '.version == "1" and .best' "$(kept first)" >/dev/null || fails "this is no save of version 1" first
        best=$(jq .best "$(kept first)")
        backups=$(backups first)
        plays first "$on_first"
        sees first "^$sum coins, best roll $best, "
        [[ $(comm -13 <(echo "$backups") <(backups first)) ]] || fails "no backup of the old save" first
        roll first
        jq -e '.version == "2" and .bestRoll and (has("best") | not)' "$(kept first)" >/dev/null || fails "not migrated" first
        ends first
        ;;
    'A player may want the older build back, which refuses a save of version 2')
        newer=$current
        ln -sfn "$work/$former.program" "$work/program"
        start first "$on_first"
        sees first 'the save is of version "2", and this game knows "1"; update the game'
        ! wait "${pids[first]}" 2>/dev/null || fails "the older build took the save" first
        unset "pids[first]"
        ;;
    '`'*'` in the newer one makes the save what the older one reads, with all that was played since, and closes the store')
        ln -sfn "$work/$newer.program" "$work/program"
        variant "s/^try await saves\.close\(\)\$/try await $(quoted "$said")/"
        plays first "$on_first"
        roll first 2
        coins=$(had first)
        best=$(jq .bestRoll "$(kept first)")
        ends first
        ln -sfn "$work/$former.program" "$work/program"
        plays first "$on_first"
        sees first "^$coins coins, best roll $best, "
        ends first
        ;;
    *) fails "step $step says \"$said\", which this test does not know: let it follow that" ;;
    esac
}

# The command of the first section.
here=$(grep -oE '`swift run [^`]*`' "$text" | head -1 | tr -d '`')

# The program of the step with another line in it.
variant() {
    local main=$work/Lucky/Sources/Lucky/main.swift
    cp "$main" "$work/main.swift"
    sed -E -i "$1" "$main"
    ! cmp -s "$main" "$work/main.swift" || fails "no line of the program is as in $1"
    compile variant
    cp "$work/main.swift" "$main"
}

# A field a line, and no line touched but those of what was played.
look() {
    local file changed
    file=$(kept alone)
    [[ $(jq -r 'keys_unsorted[]' "$file") == "$(sed -nE 's/^  "([a-z]+)": .*/\1/p' "$file")" ]] \
        || fails "not a line for every field: $(cat "$file")"
    changed=$(diff "$work/before.json" "$file" | grep -E '^[<>]' | grep -vE '^[<>] +("(coins|best)": [0-9]+,|[1-6],?)$' || :)
    [[ ! $changed ]] || fails "more than what was played changed: $changed"
}

# One player shows a code, and another types it.
pairs() {
    local name=$1 other=$2 codes
    # The codes of earlier pairings do not count.
    codes=$(grep -cE "^Type this on the other device: $join " "$work/$name.seen" || :)
    types "$name" "$code"
    sees "$name" "^Type this on the other device: $join " $((codes + 1))
    types "$other" "$(grep -oE "$join [A-Z0-9-]+" "$work/$name.seen" | tail -1)"
    sees "$other" "^One household with .*$name now, (in step|not in step yet: .*)\\."
    sees "$name" "^One household with .*$other now, (in step|not in step yet: .*)\\."
}

backups() { find "$(dirname "$(kept "$1")")/backups" -name '*.backup' | sort; }
both_have() { [[ $(file_coins first) == "$1" && $(file_coins second) == "$1" ]]; }

# Whoever is asked right after pairing, plays on, ends without an answer, and is asked again at the start begins anew: what
# it had is its own, and the household has what it had.
a_third_begins_anew() {
    plays third "$here ~/third"
    pairs first third
    sees third "has $sum coins: y goes on with them too, n begins anew\\."
    roll third
    coins=$(had third)
    ends third
    ln -sfn "$work/$asking.program" "$work/program"
    plays third "$here ~/third"
    sees third "has $sum coins: y goes on with them too, n begins anew\\."
    types third n
    sees third "^$coins coins now\\."
    ends third
    ln -sfn "$work/$current.program" "$work/program"
    roll second
    sees first "^/coins: $sum became $(had second)\$"
    sum=$(had second)
    until_true both_have "$sum"
    [[ $(file_coins third) == "$coins" ]] || fails "the third has not what it had" third
}

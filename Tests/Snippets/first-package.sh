# The way that README shows to a first package; Tests/Snippets/newcomer reads it.

follow_readme() {
    local under='### A first package' asked needed version
    # What it says to install is what the build asks for.
    asked=$(block README.md 1 "$under")
    needed=$(sed -nE 's/^packages=\((.*)\)$/\1/p' Tests/install-packages.sh)
    [[ $asked == "sudo apt install $needed" ]] || fails "README has \"$asked\" installed, and the build needs $needed"

    mkdir -p "$work/MyGame/Sources/MyGame"
    block README.md 2 "$under" > "$work/MyGame/Package.swift"
    block README.md 3 "$under" > "$work/MyGame/Sources/MyGame/main.swift"
    reads_package MyGame
    version=$(sed -nE 's/^ *version: "([0-9.]+)",$/\1/p' Sources/HearthCLI/Hearth.swift)
    grep -q "from: \"$version\"" "$work/MyGame/Package.swift" || fails "README's package is not of version $version"
    # Without an agent it is a package as well, and one that asks for one trait alone.
    grep -qF '`.package(path: "../hearth", traits: ["Store"])`' README.md || fails "README says no more how to leave the agent out"
    mkdir -p "$work/Light/Sources/MyGame"
    sed 's|\.package(path: "../hearth")|.package(path: "../hearth", traits: ["Store"])|' "$work/MyGame/Package.swift" \
        > "$work/Light/Package.swift"
    cp "$work/MyGame/Sources/MyGame/main.swift" "$work/Light/Sources/MyGame"
    reads_package Light
    jq -e '.dependencies[0].fileSystem[0].traits | map(.name) == ["Store"]' "$work/Light.json" >/dev/null ||
        fails "it asks for other traits"

    builds MyGame "$work/MyGame/Sources/MyGame/main.swift"
    local coins
    for coins in 0 5 10; do
        start beginner "$work/MyGame.program"
        ended beginner
        sees beginner "^$coins coins, kept in /.*\\.json\$"
    done
    [[ $(jq .coins "$(kept beginner)") == 15 ]] || fails "the file does not hold 15 coins" beginner
}

# What players had elsewhere comes along as the pages for those who come from there show it, and is there when the slot is
# opened; the second start finds what the first one left.
follow_from_elsewhere() {
    local saves='try await ProfileStore<Player>.open(game: "universe-rpg", slot: "player", options)'
    {
        grep -E '^import |^struct PlayerV1' Tests/Snippets/Prelude.swift
        printf 'import Foundation\nenum Theme: String, Codable, Hashable, Sendable { case neon, forest }\n'
        printf 'enum Ending: String, Codable, Hashable, Sendable { case king, hermit }\n'
        block "$catalog/FromGameKit.md" 1 | sed '/^for /,$d'
        block "$catalog/FromGameKit.md" 2 | sed "/^let path = /d; s|^saves = |let saves = |"
    } | comes GameKit 480 480

    # The other pages show how values are brought along, and leave the opening to the reader.
    opening() {
        printf 'try bringAlong(%s to: path)\nvar options = StoreOptions()\noptions.file = path\nlet saves = %s\n' "$1" "$saves"
    }
    {
        cat Tests/Snippets/Prelude.swift
        block "$catalog/FromKeyValueStore.md" 3
        opening '["level": 7, "coins": 480, "name": "Ada"],'
        printf 'guard saves.profile.displayName == "Ada" else { fatalError("the name is lost") }\n'
    } | comes KeyValueStore 480 480
    {
        grep -v '^struct Hero' Tests/Snippets/Prelude.swift
        block "$catalog/FromSwiftData.md" 2
        opening 'level: 7, coins: 480,'
        block "$catalog/FromSwiftData.md" 1
        printf 'guard heroes.profile.results["forest"]?.stars == 3 else { fatalError("no stars") }\ntry await heroes.close()\n'
    } | comes SwiftData 480 480
    # What its transaction buys costs 80.
    {
        cat Tests/Snippets/Prelude.swift
        block "$catalog/FromGRDB.md" 2
        opening 'PlayerV1(level: 7, coins: 480),'
        block "$catalog/FromGRDB.md" 1
    } | comes GRDB 400 320
}

# Compiles a program that is read, with a `path` at which no file is yet, and starts it twice in a home of its own. It has
# to say these coins.
comes() {
    local from=$1 home=$work/from-$1 coins
    mkdir -p "$home/Games"
    {
        printf 'let path = "%s"\n' "$home/Games/player.json"
        cat
        printf 'print("%s")\ntry await saves.close()\n' '\(saves.profile.coins) coins, level \(saves.profile.level)'
    } > "$home/main.swift"
    builds "from-$from" "$home/main.swift" Elsewhere
    for coins in "${@:2}"; do
        HOME=$home start comer "$work/from-$from.program"
        ended comer
        sees comer "^$coins coins, level 7\$"
    done
}

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

# What players had elsewhere comes along as the page for GameKit shows it, and is there when the slot is opened.
follow_from_gamekit() {
    local page=$catalog/FromGameKit.md
    mkdir -p "$work/Elsewhere" "$work/Games"
    {
        grep -E '^import |^struct PlayerV1' Tests/Snippets/Prelude.swift
        printf 'import Foundation\nenum Theme: String, Codable, Hashable, Sendable { case neon, forest }\n'
        printf 'enum Ending: String, Codable, Hashable, Sendable { case king, hermit }\n'
        block "$page" 1 | sed '/^for /,$d'
        block "$page" 2 | sed "s|\"/home/ada/Games/.*\"|\"$work/Games/player.json\"|; s|^saves = |let saves = |"
        printf 'print("%s")\ntry await saves.close()\n' '\(saves.profile.coins) coins, level \(saves.profile.level)'
    } > "$work/Elsewhere/main.swift"
    builds Elsewhere "$work/Elsewhere/main.swift"
    local _
    for _ in 1 2; do
        start comer "$work/Elsewhere.program"
        ended comer
        sees comer '^480 coins, level 7$'
    done
}

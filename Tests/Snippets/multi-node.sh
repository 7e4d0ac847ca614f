# The way that the article "Testing your game across devices" shows; Tests/Snippets/newcomer reads it.

follow_testing() {
    local article=Sources/HearthTesting/HearthTesting.docc/TestingYourGame.md saga=$work/Saga
    # Its line for the tests goes into the package that README shows.
    mkdir -p "$saga/Sources/Saga" "$saga/Tests/SagaTests"
    awk -v line="$(block "$article" 1)" '
        /^ *\.executableTarget/ { sub(/\.executableTarget/, ".target"); gsub(/MyGame/, "Saga"); print $0 ","; print line; next }
        { print }' "$work/MyGame/Package.swift" > "$saga/Package.swift"
    # The profile of the example, with the energy that the article speaks of.
    sed 's|^    public init() {}|    @Counter public var energy = 0\n&|' Examples/MultiNodeTest/Sources/Saga/Hero.swift \
        > "$saga/Sources/Saga/Hero.swift"
    reads_package Saga

    {
        block "$article" 2
        # What must always hold: the article says that it does not.
        printf '\n@Test func energyIsTooMuch() throws {\n'
        block "$article" 3
        cat <<-'END'
			    home.laptop.plays { $0.energy = 50 }
			    home.settle()
			    home.partition("laptop", "deck")
			    home.laptop.plays { $0.energy = 100 }
			    home.deck.plays { $0.energy = 100 }
			    home.heal()
			    home.settle()
			    #expect(home.laptop.profile.energy == 150)
			    #expect(home.findings.contains { $0.kind == .invariant })
			}
		END
        # A thousand seeds are for an optimised build.
        block "$article" 4 | sed 's/1\.\.\.1_000/1...20/'
        block "$article" 5
        # The pages that show how a household begins.
        local page
        for page in HearthTesting.docc/HearthTesting.md Household/Household.swift Household/PlainHousehold.swift; do
            printf '\n@Test func %s() throws {\n' "$(basename "$page" | tr . _)"
            block <(sed -E 's|^ */// ?||' "Sources/HearthTesting/$page") 1
            printf '}\n'
        done
        # Everything of the table can be written.
        printf '\nfunc whatCanHappen(_ home: Household<Hero>) {\n'
        sed -n '/^## What can happen/,/^## What is checked/p' "$article" | grep '^| `' | cut -d '|' -f 2 \
            | grep -oE '`[^`]+`' | tr -d '`' | sed 's/{ … }/{ $0.coins += 1 }/; s/^/    /'
        printf '}\n'
    } > "$saga/Tests/SagaTests/SagaTests.swift"
    (($(grep -c '^    home\.' "$saga/Tests/SagaTests/SagaTests.swift") > 15)) || fails "the article's table was not found"
    cat > "$saga/runner.swift" <<-'END'
		import Testing

		@main struct Runner {
		    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
		}
	END

    # The folder of this test comes first: that of the build may hold a Saga of the example.
    local libraries=(-swift-version 6 -I "$work" -I "$build/Modules" "${maps[@]}")
    swiftc "${libraries[@]}" -enable-upcoming-feature InternalImportsByDefault -parse-as-library -module-name Saga \
        -emit-module -emit-module-path "$work/Saga.swiftmodule" -emit-object -whole-module-optimization -o "$work/Saga.o" \
        "$saga/Sources/Saga/Hero.swift"
    swiftc "${libraries[@]}" -parse-as-library -module-name SagaTests -L "$work" -lEverything -Xlinker -rpath="$work" \
        -o "$work/SagaTests" "$saga/Tests/SagaTests/SagaTests.swift" "$saga/runner.swift" "$work/Saga.o"
    "$work/SagaTests" --testing-library swift-testing > "$work/tests.seen" 2>&1 \
        || { cat "$work/tests.seen" >&2; fails "the tests of the article fail"; }
    grep -q 'Test run with 7 tests' "$work/tests.seen" || { cat "$work/tests.seen" >&2; fails "not all tests of the article ran"; }

    # The command, on saves of a game that is not written in Swift; the same seeds give the same digest.
    local command times digests=() mine=Examples/AnyEngine
    command=$(block "$article" 6)
    cp "$mine/rules.yaml" "$work/rules.yaml"
    for times in early:3 late:40; do
        printf '%s\n' down $(seq "${times#*:}" | sed s/.*/dig/) up sell \
            | python3 "$mine/mine.py" --save "$work/${times%:*}.json" --seed 1 >/dev/null
    done
    command=${command/1..1000/1..5}
    [[ $command == 'hearth simulate '*'--seeds 1..5 --devices 5' ]] || fails "the article's command is another one: $command"
    for _ in 1 2; do
        digests+=("$(cd "$work" && eval "\"$build/\"$command --json" 2>/dev/null | tail -1 | jq -er 'select(.ok) | .digest')")
    done
    [[ ${digests[0]} && ${digests[0]} == "${digests[1]}" ]] || fails "hearth simulate says ${digests[*]}"
}

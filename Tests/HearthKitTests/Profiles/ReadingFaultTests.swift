import HearthKit
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Saves that a type cannot read, and values that no save can hold.
struct ReadingFaultTests {
    static let refused: [(String, String)] = [
        (
            #"{"coins": 9223372036854775808}"#,
            "Player.coins: is 9223372036854775808 in the save, and Int holds whole numbers from -9223372036854775808 "
                + "to 9223372036854775807; declare a type that holds it"
        ),
        (
            #"{"coins": 1e999999}"#,
            "Player.coins: is 1e999999 in the save, and Int holds whole numbers from -9223372036854775808 "
                + "to 9223372036854775807; declare a type that holds it"
        ),
        (
            #"{"level": 1.5}"#,
            "Player.level: is 1.5 in the save, and Int holds whole numbers from -9223372036854775808 "
                + "to 9223372036854775807; declare a type that holds it"
        ),
        (#"{"level": "many"}"#, "Player.level: is \"many\" in the save, and Int needs a whole number"),
        (#"{"bestTime": 1e400}"#, "Player.bestTime: is 1e400 in the save, which is more than Double holds"),
        (
            #"{"levels": {"3": {"stars": []}}}"#,
            "Player.levels.3.stars: is a list in the save, and Int needs a whole number"
        ),
        (#"{"levels": [1]}"#, "Player.levels: is a list in the save, where an object belongs"),
        (#"{"themes": "neon"}"#, "Player.themes: is \"neon\" in the save, where a list belongs"),
        (#"{"theme": "lava"}"#, "Player.theme: cannot be read: Cannot initialize Theme from invalid String value lava"),
        (
            #"{"firstWin": "soon"}"#,
            "Player.firstWin: is \"soon\" in the save, and Date needs a date such as \"2026-01-31T10:20:30Z\""
        ),
        (
            #"{"history": [{"score": 1}]}"#,
            "Player.history.0.playedAt: is missing in the save; give the field a value to begin with, or make it "
                + "optional"
        ),
        ("[]", "Player: is a list in the save, where an object belongs"),
    ]

    @Test("the sentence names the field and says what is there", arguments: refused)
    func reading(save: String, sentence: String) {
        #expect(refusal { _ = try read(Player.self, save) } == sentence)
    }

    @Test("what no save can hold is refused when it is written, and the save stays") func writing() {
        #expect(
            refusal { _ = try edit(Player.self, "{}") { $0.volume = .nan } }
                == "Player.volume: is nan, which no save can hold; set a finite number"
        )
        #expect(
            refusal { _ = try edit(Player.self, "{}") { $0.position.x = .infinity } }
                == "Player.position.x: is inf, which no save can hold; set a finite number"
        )
        #expect(
            refusal {
                _ = try edit(Player.self, "{\"inventory\": []}") { $0.inventory = [Item(id: "a"), Item(id: "a")] }
            }
                == "Player.inventory: two elements have the id \"a\", which tells them apart; give each its own"
        )
        #expect(
            refusal { _ = try fresh(Signed(bits: -1)) }
                == "Signed.bits: is -1, and a number whose digits are unlocks is never below 0"
        )
    }

    @Test(
        "a Decimal is exact or refused",
        arguments: ["1e999999", "1e-999999", "1234567890123456789012345678901234567890.5"]
    )
    func decimals(number: String) {
        struct Purse: Profile { @Counter var coins: Decimal = 0 }
        #expect(
            refusal { _ = try read(Purse.self, "{\"coins\": \(number)}") }
                == "Purse.coins: is \(number) in the save, which is more than Decimal holds"
        )
    }

    struct Signed: Profile { @Bits var bits = 0 }
}

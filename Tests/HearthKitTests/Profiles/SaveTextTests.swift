import HearthKit
import Testing

/// Profiles from and to the text of a save, without any store.
struct SaveTextTests {
    @Test("a profile comes back from its text") func there() throws {
        let player = Player(level: 7, coins: 12, themes: [.neon])
        #expect(try Player(save: player.saveText) == player)
        #expect(try Player(coins: 12).saveText == "{\n  \"version\": \"1\",\n  \"coins\": 12\n}\n")
    }

    @Test("written over a former save, what the type does not know stays") func over() throws {
        let former = #"{ "version": "1", "coins" : 12.0, "mods": ["x"] }"#
        var player = try Player(save: former)
        #expect(try player.saveText(over: former) == former)
        player.level = 3
        #expect(
            try player.saveText(over: former) == #"{ "version": "1", "coins" : 12.0, "mods": ["x"], "level": 3 }"#)
    }

    @Test("a save of an earlier version is migrated, and one of a later refused") func versions() throws {
        #expect(try Versioned(save: #"{"version": "1.1", "vigour": 3}"#) == Versioned(health: 3))
        do {
            _ = try Versioned(save: #"{"version": "7"}"#)
            Issue.record("it is newer")
        } catch {
            #expect(error.code == .newer)
        }
    }

    @Test("a text that is no save says what is wrong", arguments: ["", "{", #"{"coins": "many"}"#])
    func wrong(text: String) {
        do {
            _ = try Player(save: text)
            Issue.record("it was read")
        } catch {
            #expect(error.code == .save, "\(error)")
        }
    }

    @Test("a value that no save can hold is named") func value() {
        do {
            _ = try Player(volume: .nan).saveText
            Issue.record("it was written")
        } catch {
            #expect(error.code == .value && error.place == "Player.volume")
        }
    }
}

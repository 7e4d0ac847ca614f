import HearthKit
import TestSupport
import Testing

/// A store with only its file.
@Suite struct StoreFileTests {
    let desk = Desk()

    @Test func anUpdateIsInTheFileWhenItReturns() async throws {
        let saves = try await desk.open()
        #expect(!desk.exists(saves.path))
        let left = try await saves.update { hero in
            hero.coins += 5
            return hero.coins
        }
        #expect(left == 5)
        #expect(try desk.text(of: saves.path).contains(#""coins": 5"#))
        let again = try await desk.open()
        #expect(again.path == saves.path)
        #expect(again.profile.coins == 5)
    }

    /// The id is made once, and the file is named after it.
    @Test func theFileIsNamedByAnIdThatIsNoted() async throws {
        let saves = try await desk.open()
        let other = try await desk.open(slot: "second")
        #expect(saves.path != other.path)
        let book = try desk.text(of: desk.saves + "/profiles.json")
        let name = try #require(saves.path.split(separator: "/").last?.dropLast(".json".count))
        #expect(book.contains("\"rpg/player\"") && book.contains("\"rpg/second\"") && book.contains(name))
    }

    @Test func nothingIsWrittenBeforeTheFirstEdit() async throws {
        let saves = try await desk.open()
        try await saves.save()
        try await saves.close()
        #expect(!desk.exists(saves.path))
    }

    @Test func aBodyThatThrowsChangesNothing() async throws {
        let saves = try await desk.open()
        try await saves.update { $0.coins = 7 }
        await #expect(throws: Failure.self) {
            try await saves.update { hero in
                hero.coins = 99
                throw Failure("no")
            }
        }
        #expect(saves.profile.coins == 7)
    }

    /// Members that the type does not know stay, and so does every byte that no change touches.
    @Test func whatTheGameDoesNotKnowStays() async throws {
        let path = desk.folder + "/own/hero.json"
        try desk.write("{ \"version\": \"1\",\n  \"coins\":  3, \"mods\": {\"x\": 1.0} }", to: path)
        var options = desk.options()
        options.file = path
        let saves = try await desk.open(options)
        #expect(saves.path == path)
        try await saves.update { $0.coins += 4 }
        #expect(try desk.text(of: path) == "{ \"version\": \"1\",\n  \"coins\":  7, \"mods\": {\"x\": 1.0} }")
    }

    /// 1,000 concurrent updates all count, and share saves.
    @Test func aThousandUpdatesAtOnce() async throws {
        let saves = try await desk.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { try await saves.update { $0.coins += 1 } } }
            try await group.waitForAll()
        }
        #expect(saves.profile.coins == 1_000)
        #expect(try await desk.open().profile.coins == 1_000)
    }

    /// Two stores of one slot, like two processes: each takes over what the other saved.
    @Test func twoStoresOfOneSlotLoseNothing() async throws {
        let (one, two) = (try await desk.open(), try await desk.open())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for saves in [one, two] {
                group.addTask {
                    for number in 0..<50 {
                        try await saves.update { hero in
                            hero.coins += 1
                            hero.themes.insert("\(number % 7)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let last = try await desk.open()
        #expect(last.profile.coins == 100)
        #expect(last.profile.themes.count == 7)
    }

    /// Another program edits the file by hand.
    @Test func whatAnotherProgramWroteIsMergedWithWhatIsUnsaved() async throws {
        let saves = try await desk.open()
        try await saves.update { $0.coins = 100 }
        saves.edit { $0.coins += 10 }
        let text = try desk.text(of: saves.path)
        try desk.write(text.replacing("100", with: "500"), to: saves.path)
        try await saves.save()
        #expect(saves.profile.coins == 510)
        #expect(try desk.text(of: saves.path).contains(#""coins": 510"#))
    }

    @Test func aDeletedFileIsWrittenAgain() async throws {
        let saves = try await desk.open()
        try await saves.update { $0.coins = 100 }
        try #require(remove(saves.path))
        try await saves.update { $0.level = 3 }
        let again = try await desk.open()
        #expect(again.profile.coins == 100 && again.profile.level == 3)
    }

    @Test func aClosedStoreSaysSo() async throws {
        let saves = try await desk.open()
        saves.edit { $0.coins = 3 }
        try await saves.close()
        #expect(try await desk.open().profile.coins == 3)
        await #expect(throws: StoreError.self) { try await saves.update { $0.coins = 4 } }
    }

    @Test(arguments: ["", "a/b", "..", String(repeating: "x", count: 65), "a\nb"])
    func aNameThatIsNone(name: String) async throws {
        do {
            _ = try await desk.open(slot: name)
            Issue.record("it was opened")
        } catch let error as StoreError {
            #expect(error.code == .name)
        }
    }
}

extension StoreFileTests {
    @Test func withoutAnAgentThisDeviceStartsOver() async throws {
        let saves = try await desk.open()
        try await saves.update { hero in
            hero.coins = 50
            hero.level = 3
            hero.name = "Ada"
            hero.volume = 9
        }
        saves.edit { $0.coins += 1 }
        try await saves.reset(.scope("progress"))
        #expect(saves.profile.coins == 0 && saves.profile.level == 1 && saves.profile.name == "Ada")
        let again = try await desk.open()
        #expect(again.profile == saves.profile)
        do {
            try await again.reset(.scope("nothing"))
            Issue.record("there is no such scope")
        } catch let error as StoreError {
            #expect(error.message.contains("progress"))
        }
        // The save from before is in a backup.
        try desk.write("{", to: saves.path)
        var options = desk.options()
        options.damagedSave = .restoreNewestBackup
        let restored = try await desk.open(options)
        #expect(restored.profile.coins == 51)
        try await restored.update { $0.coins += 2 }
        #expect(restored.profile.coins == 53)
    }

    /// A store that was released without `close()`.
    @Test func aStoreThatIsDroppedSavesWhatIsUnsaved() async throws {
        var saves: ProfileStore<Hero>? = try await desk.open()
        saves?.edit { $0.coins = 9 }
        saves = nil
        let desk = desk
        #expect(try await eventually { try await desk.open().profile.coins == 9 })
    }
}

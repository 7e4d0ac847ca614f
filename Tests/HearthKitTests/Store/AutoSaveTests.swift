import TestSupport
import Testing

@testable import HearthKit

/// When edits are saved automatically, in virtual time.
@Suite struct AutoSaveTests {
    private let desk = Desk()
    private let clock = HandClock()

    private func open(_ policy: AutoSavePolicy = .default) async throws -> ProfileStore<Hero> {
        var options = desk.options()
        options.autoSave = policy
        options.autoSave.onTermination = false
        return try await ProfileStore<Hero>.open(game: "rpg", slot: "player", options, clock: clock)
    }

    private func coins() async throws -> Int { try await desk.open().profile.coins }

    @Test func editsWithinASecondShareASave() async throws {
        let saves = try await open()
        for _ in 0..<1_000 { saves.edit { $0.coins += 1 } }
        #expect(saves.profile.coins == 1_000 && saves.hasUnsavedEdits)
        #expect(await eventually { clock.sleepers == 1 })
        clock.advance(by: .milliseconds(999))
        #expect(saves.hasUnsavedEdits && !desk.exists(saves.path))
        clock.advance(by: .milliseconds(1))
        #expect(await eventually { !saves.hasUnsavedEdits })
        #expect(try await coins() == 1_000)
        // The next edit waits a second of its own.
        saves.edit { $0.coins += 1 }
        #expect(await eventually { clock.sleepers == 1 })
        clock.advance(by: .seconds(1))
        #expect(await eventually { !saves.hasUnsavedEdits })
        #expect(try await coins() == 1_001)
    }

    /// Edits that never pause must not keep a save from happening.
    @Test func aStreamOfEditsIsSavedEverySecond() async throws {
        let saves = try await open()
        for second in 1...3 {
            for _ in 0..<10 {
                saves.edit { $0.coins += 1 }
                #expect(await eventually { clock.sleepers == 1 })
                clock.advance(by: .milliseconds(100))
            }
            #expect(try await eventually { try await coins() >= second * 9 })
        }
    }

    @Test func withoutCoalescingTheIdleTimeCounts() async throws {
        var policy = AutoSavePolicy.default
        policy.coalesce = nil
        let saves = try await open(policy)
        saves.edit { $0.coins += 1 }
        #expect(await eventually { clock.sleepers == 1 })
        clock.advance(by: .seconds(29))
        saves.edit { $0.coins += 1 }
        clock.advance(by: .seconds(1))
        // There was an edit a second ago, so the save waits another 30 seconds.
        #expect(await eventually { clock.sleepers == 1 })
        #expect(saves.hasUnsavedEdits)
        clock.advance(by: .seconds(30))
        #expect(await eventually { clock.sleepers == 1 || !saves.hasUnsavedEdits })
        #expect(await eventually { !saves.hasUnsavedEdits })
        #expect(try await coins() == 2)
    }

    @Test func byHandNothingHappensByItself() async throws {
        let saves = try await open(.manual)
        saves.edit { $0.coins += 1 }
        clock.advance(by: .seconds(3_600))
        try await Task.sleep(for: .milliseconds(50))
        #expect(saves.hasUnsavedEdits)
        try await saves.save(.named("level finished"))
        #expect(try await coins() == 1)
    }

    /// A failed save is tried again, and the edits stay in memory.
    @Test func aSaveThatFailsIsTriedAgain() async throws {
        let saves = try await open()
        try await saves.update { $0.coins = 10 }
        // Put a folder in place of the save.
        let path = saves.path
        try #require(remove(path))
        try desk.write("x", to: path + "/in-the-way")
        do {
            try await saves.update { $0.coins += 5 }
            Issue.record("it was saved into a folder")
        } catch let error as StoreError {
            #expect(error.code == .disk, "\(error)")
        }
        #expect(saves.profile.coins == 15 && saves.saveTrouble != nil)
        try #require(remove(path))
        #expect(await eventually { clock.sleepers == 1 })
        clock.advance(by: .seconds(30))
        #expect(await eventually { !saves.hasUnsavedEdits })
        #expect(saves.saveTrouble == nil)
        #expect(try await coins() == 15)
    }

    /// An edit that cannot be saved is undone, and the former value stays and is saved.
    @Test func aValueThatCannotBeSavedIsTakenBack() async throws {
        let saves = try await ProfileStore<Flags>.open(game: "rpg", slot: "flags", desk.options(), clock: clock)
        try await saves.update { $0.bits = 5 }
        do {
            try await saves.update { $0.bits = -1 }
            Issue.record("it was saved")
        } catch let error as StoreError {
            #expect(error.code == .value && error.message.contains("bits"))
        }
        #expect(saves.profile.bits == 5)
        try await saves.update { $0.bits = 7 }
        #expect(saves.profile.bits == 7)
    }

    private struct Flags: Profile {
        @Bits var bits = 0
    }
}

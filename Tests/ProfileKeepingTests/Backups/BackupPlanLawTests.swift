import HouseholdSimulation
import ProfileKeeping
import TestSupport
import Testing

/// What holds for backups whatever happens in whatever order, the clock jumping as it likes.
@Suite struct BackupPlanLawTests {
    @Test(arguments: 1...400 as ClosedRange<UInt64>) func poolsHoldWhatTheyPromise(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var clock = BackupClock((2026, 11, 21, 12, 0))
        var content = 0
        for step in 0..<150 {
            let before = clock
            move(&clock, &random)
            if Int.random(in: 0..<3, using: &random) > 0 { content += 1 }
            let place = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: clock.change(content)
            case 5..<8: clock.look(content)
            case 8 where !clock.stored.isEmpty:
                clock.pin(Int.random(in: 0..<clock.stored.count, using: &random), Bool.random(using: &random))
                continue
            case 9 where !clock.stored.isEmpty && Int.random(in: 0..<8, using: &random) == 0:
                clock.damage(Int.random(in: 0..<clock.stored.count, using: &random))
                continue
            default: continue
            }
            check(before, clock, place)
        }
    }

    private func check(_ before: BackupClock, _ after: BackupClock, _ place: String) {
        let gone = Set(after.removed.dropFirst(before.removed.count))
        // What was there, with what was made or marked: of that each pool's newest must be there.
        var all = before.stored.map { old in after.stored.first { $0.name == old.name } ?? old }
        all += after.stored.filter { new in !before.stored.contains { $0.name == new.name } }
        for pool in [.changes, .sessions, .daily] as [BackupPools] {
            let due = BackupPlan.held(by: pool, in: all).map { all[$0].name }
            #expect(gone.isDisjoint(with: due), "\(place): removed what \(pool) holds")
            let held = BackupPlan.held(by: pool, in: after.stored).map { after.stored[$0].name }
            #expect(held == due, "\(place): \(pool)")
        }
        for backup in before.stored where gone.contains(backup.name) {
            #expect(!backup.note.isPinned && backup.condition == .good, "\(place): \(backup)")
        }
        // The newest is never removed, and nothing that no pool holds stays.
        if let newest = after.stored.last { #expect(all.last?.name == newest.name, "\(place)") }
        let good = after.stored.filter { $0.condition == .good && !$0.note.isPinned }
        if before.stored != after.stored { #expect(good.count <= 5 + 5 + 7, "\(place)") }
        let days = BackupPlan.held(by: .daily, in: after.stored).map { after.stored[$0].note.day }
        #expect(Set(days).count == days.count, "\(place): a day twice")
    }

    private func move(_ clock: inout BackupClock, _ random: inout SeededRandom) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: clock.now -= Int64.random(in: 0..<(800 * BackupClock.day), using: &random)
        case 1: clock.now += Int64.random(in: 0..<(800 * BackupClock.day), using: &random)
        case 2:
            let offset = Int64.random(in: -720...840, using: &random)
            clock.offset = { _ in offset }
        case 3..<6: clock.now += Int64.random(in: 0..<(2 * BackupClock.day), using: &random)
        default: clock.now += Int64.random(in: 0..<BackupClock.hour, using: &random)
        }
    }
}

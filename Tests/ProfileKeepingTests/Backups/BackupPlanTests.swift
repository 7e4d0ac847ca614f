import MergeCore
import ProfileKeeping
import Testing

/// Which backups are made before changes and which go, with a clock moved by hand.
@Suite struct BackupPlanTests {
    // MARK: Changes and sessions

    @Test func everyChangeIsPrecededByABackupAndTheFiveNewestStay() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        for number in 1...9 {
            clock.change(number)
            clock.now += 1
        }
        #expect(clock.contents(.changes) == [5, 6, 7, 8, 9])
        // The first change began a session, and that pool has room.
        #expect(clock.contents(.sessions) == [1])
        #expect(clock.stored.count == 6)
    }

    @Test func aSessionBeginsAfterHalfAnHourWithoutAChange() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        #expect(clock.change(1) == [.changes, .sessions])
        clock.now += BackupPlan.quietTime.wholeMilliseconds - 1
        #expect(clock.change(2) == .changes)
        clock.now += BackupPlan.quietTime.wholeMilliseconds
        #expect(clock.change(3) == [.changes, .sessions])
        // A daily backup is no change.
        clock.now += BackupPlan.quietTime.wholeMilliseconds - 1
        clock.look(4)
        clock.now += 1
        #expect(clock.change(5) == [.changes, .sessions])
        #expect(clock.contents(.sessions) == [1, 3, 5])
    }

    /// What was put aside stays as long as a session, also where saves go on; where one save after the other is put aside,
    /// former sessions stay as well.
    @Test func whatWasPutAsideStaysAsLongAsASession() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        clock.change(1)
        #expect(clock.keep(.putAside, 2, day: nil) == [.changes, .sessions])
        for number in 3...20 {
            clock.now += 1_000
            clock.change(number)
        }
        #expect(clock.contents(.sessions) == [1, 2])
        for session in 1...2 {
            clock.now += BackupPlan.quietTime.wholeMilliseconds
            clock.change(session * 100)
            for number in 1...20 {
                clock.now += 1_000
                clock.keep(.putAside, session * 100 + number, day: nil)
            }
        }
        #expect(clock.contents(.sessions) == [2, 100, 101, 200, 201])
    }

    @Test func oneMovePerSecondDoesNotPushOutFormerSessions() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        for session in 1...8 {
            for move in 0..<100 {
                clock.change(session * 1_000 + move)
                clock.now += 1_000
            }
            clock.now += BackupClock.hour
        }
        #expect(clock.contents(.sessions) == [4_000, 5_000, 6_000, 7_000, 8_000])
        #expect(clock.contents(.changes) == (8_095...8_099).map { $0 })
        #expect(clock.stored.count == 10)
    }

    @Test func aStateThatIsTheNewestBackupIsNotKeptTwice() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        for _ in 0..<9 {
            clock.change(1)
            clock.now += BackupClock.minute
        }
        #expect(clock.stored.count == 1)
        #expect(clock.look(1) == true)
        #expect(clock.stored.map(\.note.pools) == [.all])
        clock.now += BackupClock.day
        // The next day has a backup of its own, though nothing changed.
        #expect(clock.look(1) == true)
        #expect(clock.stored.map(\.note.pools) == [.all, .daily])
    }

    @Test func oneFileStaysUntilNoPoolHoldsIt() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        clock.change(1)
        clock.look(1)
        for day in 1...7 {
            for move in 1...6 { clock.change(day * 10 + move) }
            #expect(clock.stored.first?.name == "1", "day \(day)")
            clock.now += BackupClock.day
            clock.look(1_000 + day)
        }
        // Now seven other days have one, five later sessions and five later changes as well.
        #expect(clock.stored.allSatisfy { $0.name != "1" })
    }

    @Test func pinnedOnesStayAndDoNotCount() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        for number in 1...3 { clock.change(number) }
        clock.pin(0)
        clock.pin(1)
        for number in 4...9 { clock.change(number) }
        #expect(clock.contents(.changes) == [5, 6, 7, 8, 9])
        #expect(clock.stored.map(\.name) == ["1", "2", "5", "6", "7", "8", "9"])
        // Let go, it leaves with the others of its age; one of them is a session's.
        clock.pin(0, false)
        clock.pin(1, false)
        clock.change(10)
        #expect(clock.stored.map(\.name) == ["1", "6", "7", "8", "9", "10"])
    }

    @Test func aPinnedBackupOfTheSameStateIsNoSubstitute() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        clock.change(1)
        clock.pin(0)
        clock.change(1)
        #expect(clock.contents(.changes) == [1])
        #expect(clock.stored.count == 2)
    }

    @Test func damagedAndNewerOnesStayAndDoNotCount() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        for number in 1...5 { clock.change(number) }
        clock.damage(4)
        clock.damage(2)
        // Not even the newest, with the same content, stands in for a good one.
        clock.change(5)
        #expect(clock.contents(.changes) == [1, 2, 4, 5])
        for number in 6...20 { clock.change(number) }
        #expect(clock.contents(.changes) == [16, 17, 18, 19, 20])
        #expect(clock.stored.map(\.name).prefix(3) == ["1", "3", "5"])
    }
}

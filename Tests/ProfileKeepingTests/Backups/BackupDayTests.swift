import MergeCore
import ProfileKeeping
import Testing

/// Daily backups, and clocks that are wrong, with a clock and a calendar moved by hand.
@Suite struct BackupDayTests {
    @Test func midnightMakesOneBackupADayAndSevenStay() {
        var clock = BackupClock((2026, 11, 14, 23, 59))
        #expect(clock.look() == true)
        #expect(clock.look() == false)
        clock.now += BackupClock.minute - 1
        #expect(clock.look() == false)
        clock.now += 1
        #expect(clock.look() == true)
        for _ in 0..<(8 * 24 * 60) {
            clock.now += BackupClock.minute
            clock.look()
        }
        #expect(clock.days == [1117, 1118, 1119, 1120, 1121, 1122, 1123])
        #expect(clock.stored.count == 7)
    }

    @Test func aWeekOffCostsNoBackup() {
        var clock = BackupClock((2026, 11, 1, 12, 0))
        for _ in 0..<7 {
            clock.look()
            clock.now += BackupClock.day
        }
        clock.now += 7 * BackupClock.day
        #expect(clock.look() == true)
        // The seven last days that have one, not the seven last days.
        #expect(clock.days == [1102, 1103, 1104, 1105, 1106, 1107, 1115])
        #expect(clock.look() == false)
    }

    @Test func aChangeAfterMidnightMayStandForTheDayWhereTheDayIsKnown() {
        var clock = BackupClock((2026, 11, 21, 0, 0))
        #expect(clock.keep(.change, 1, day: clock.today) == .all)
        #expect(clock.keep(.change, 2, day: clock.today) == .changes)
        #expect(clock.look(3) == false)
        #expect(clock.contents(.daily) == [1])
    }

    /// Berlin in 2026: UTC+1, and UTC+2 from 29 March 01:00 UTC to 25 October 01:00 UTC.
    @Test(arguments: [(2026, 3, 27, 12, 0), (2026, 10, 23, 12, 0)])
    func aDayOf23Or25HoursHasOneBackup(_ start: (Int, Int, Int, Int, Int)) {
        var clock = BackupClock(start)
        let (spring, autumn) = (BackupClock.time((2026, 3, 29, 1, 0)), BackupClock.time((2026, 10, 25, 1, 0)))
        clock.offset = { $0 >= spring && $0 < autumn ? 120 : 60 }
        var made = 0
        for _ in 0..<(4 * 24 * 60) {
            made += clock.look() ? 1 : 0
            clock.now += BackupClock.minute
        }
        #expect(made == 5)
        #expect(clock.days == (0..<5).map { start.1 * 100 + start.2 + $0 })
        // Each but the first at the very first minute of its day.
        for backup in clock.stored.dropFirst() {
            let time = backup.note.time.milliseconds
            let local = time + clock.offset(time) * BackupClock.minute
            #expect(local % BackupClock.day == 0)
        }
    }

    /// Where clocks go back at midnight, a day ends twice.
    @Test func clocksThatGoBackAtMidnightMakeNoSecondBackupOfADay() {
        var clock = BackupClock((2026, 2, 21, 12, 0))
        let back = BackupClock.time((2026, 2, 22, 0, 0))
        clock.offset = { $0 < back ? 0 : -60 }
        for _ in 0..<(36 * 60) {
            clock.look()
            clock.now += BackupClock.minute
        }
        #expect(clock.days == [221, 222])
        #expect(clock.stored.count == 2)
    }

    @Test func aFlightOverTheDateLineRepeatsOrSkipsADay() {
        // Auckland to Honolulu: the 21st comes twice.
        var clock = BackupClock((2026, 11, 20, 12, 0))
        clock.offset = { _ in 13 * 60 }
        #expect(clock.look() == true)
        clock.now += 9 * BackupClock.hour
        #expect(clock.look() == false)
        clock.offset = { _ in -10 * 60 }
        #expect(clock.today.day == 20)
        #expect(clock.look() == true)
        clock.now += 13 * BackupClock.hour
        #expect(clock.today.day == 21)
        #expect(clock.look() == false)
        // And back: the 22nd is hardly there.
        clock.now += 12 * BackupClock.hour
        clock.offset = { _ in 13 * 60 }
        #expect(clock.look() == true)
        #expect(clock.stored.map(\.note.day?.day) == [21, 20, 22])
    }

    // MARK: Wrong clocks

    @Test func aClockSetBackRemovesNothingNew() {
        var clock = BackupClock((2026, 11, 21, 12, 0))
        for number in 1...5 {
            clock.change(number)
            clock.look(number)
            clock.now += BackupClock.day
        }
        clock.now -= 400 * BackupClock.day
        for number in 6...8 {
            // What the clock says now is long before everything stored, and still the newest.
            let pools = clock.change(number)
            #expect(pools.contains(.sessions) == (number == 6))
            #expect(clock.contents(.changes).last == number)
            #expect(clock.stored.last.map { clock.contents[$0.name] } == number)
        }
        #expect(clock.contents(.changes) == [4, 5, 6, 7, 8])
        #expect(clock.look(8) == true)
        #expect(clock.contents(.daily) == [1, 2, 3, 4, 5, 8])
    }

    @Test func aClockTenYearsAheadThatIsCorrectedLeavesNoTrace() {
        var clock = BackupClock((2026, 11, 1, 12, 0))
        for number in 1...7 {
            clock.look(number)
            clock.now += BackupClock.day
        }
        clock.now += 3_650 * BackupClock.day
        #expect(clock.change(100) == [.changes, .sessions])
        #expect(clock.look(100) == true)
        clock.now -= 3_650 * BackupClock.day
        #expect(clock.change(101) == [.changes, .sessions])
        #expect(clock.change(102) == .changes)
        #expect(clock.contents(.daily) == [2, 3, 4, 5, 6, 7, 100])
        for number in 8...14 {
            #expect(clock.look(number) == true, "the day \(clock.today) has no backup")
            clock.now += BackupClock.day
        }
        #expect(clock.contents(.daily) == [8, 9, 10, 11, 12, 13, 14])
    }

    @Test func timesAtTheEdgeOfTheirTypeDoNoHarm() {
        var clock = BackupClock((2026, 11, 1, 12, 0))
        clock.now = .min
        clock.change(1)
        clock.now = .max
        #expect(clock.change(2) == [.changes, .sessions])
        clock.now = .min
        #expect(clock.change(3) == [.changes, .sessions])
        #expect(clock.contents(.changes) == [1, 2, 3])
    }

    @Test func aDayIsADayOfTheCalendar() {
        #expect(LocalDay(year: 2026, month: 3, day: 9)?.description == "2026-03-09")
        #expect(LocalDay(year: 2026, month: 3, day: 9)?.number == 20_260_309)
        #expect(LocalDay(number: 20_260_309) == LocalDay(year: 2026, month: 3, day: 9))
        for number in [0, 20_261_301, 20_260_032, 20_260_100, 1_231, .max] as [UInt32] {
            #expect(LocalDay(number: number) == nil, "\(number)")
        }
        #expect(LocalDay(year: 0, month: 1, day: 1) == nil)
    }
}

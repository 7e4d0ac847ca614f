import MergeCore
import Testing

@testable import ProfileKeeping

/// Which copies of other devices' backups are made, and which go.
@Suite struct CopyPlanTests {
    private let laptop = DeviceID(high: 1, low: 1)
    private let deck = DeviceID(high: 2, low: 2)

    private func day(_ day: Int, _ year: Int = 2026) -> LocalDay { LocalDay(year: year, month: 11, day: day)! }

    private func copy(
        _ number: Int64, _ day: LocalDay, of owner: DeviceID, _ condition: StoredBackup.Condition = .good
    ) -> StoredCopy {
        let note = BackupNote(time: WallTime(milliseconds: number), pools: .daily, day: day)
        return StoredCopy(
            number: number, owner: owner, day: day, checksum: [UInt8](repeating: 1, count: 32),
            backup: StoredBackup(name: "copy", note: note, size: 1, condition: condition))
    }

    private func week(_ first: Int = 1) -> [StoredCopy] {
        (0..<7).map { copy(Int64($0 + 1), day(first + $0), of: laptop) }
    }

    // MARK: What is offered

    @Test func theSevenLastDaysAreOfferedInTheirOrder() {
        func backup(_ name: Int, _ pools: BackupPools, _ day: LocalDay?, isPinned: Bool = false) -> StoredBackup {
            let note = BackupNote(time: 0, pools: pools, day: day, isPinned: isPinned)
            return StoredBackup(name: "\(name)", note: note, size: 1)
        }
        var stored = (1...9).map { backup($0, .daily, day($0)) }
        stored.append(backup(10, .changes, nil))
        stored[4].note.isPinned = true
        #expect(CopyPlan.offered(stored).map(\.backup.name) == ["3", "4", "5", "6", "7", "8", "9"])
        // What cannot be read is nobody's backup, and of two of a day the later stands for it.
        stored[8].condition = .damaged("torn")
        stored[7].condition = .locked("no key")
        stored.append(backup(11, [.daily, .changes], day(7)))
        #expect(CopyPlan.offered(stored).map(\.backup.name) == ["1", "2", "3", "4", "5", "6", "11"])
    }

    // MARK: What is lacking

    @Test func aDayIsCopiedOnce() {
        let kept = [copy(1, day(20), of: laptop), copy(2, day(21), of: laptop, .damaged("torn"))]
        #expect(!CopyPlan.lacks(day(20), of: laptop, in: kept, today: nil))
        // The same day of another device, a day whose copy is damaged, and a new day.
        #expect(CopyPlan.lacks(day(20), of: deck, in: kept, today: nil))
        #expect(CopyPlan.lacks(day(21), of: laptop, in: kept, today: nil))
        #expect(CopyPlan.lacks(day(22), of: laptop, in: kept, today: nil))
        // One whose key is not here is as good as any.
        #expect(!CopyPlan.lacks(day(22), of: laptop, in: [copy(3, day(22), of: laptop, .locked("no key"))], today: nil))
    }

    @Test func whatIsOlderThanAWholeWeekIsNotFetched() {
        #expect(!CopyPlan.lacks(day(1), of: laptop, in: week(2), today: day(9)))
        #expect(CopyPlan.lacks(day(9), of: laptop, in: week(2), today: day(9)))
        #expect(CopyPlan.lacks(day(1), of: laptop, in: Array(week(2).dropLast()), today: day(9)))
    }

    /// A clock that was set to 2099 for a while does not end the copying.
    @Test func daysThatAWrongClockDreamtUpLeaveAgain() {
        var kept = (1...7).map { copy(Int64($0), day($0, 2099), of: laptop) }
        for number in 1...7 {
            #expect(CopyPlan.lacks(day(number), of: laptop, in: kept, today: day(number)), "day \(number)")
            kept.append(copy(Int64(7 + number), day(number), of: laptop))
            let surplus = CopyPlan.surplus(kept, of: laptop)
            #expect(surplus.map(\.number) == [Int64(number)])
            kept.removeAll { surplus.contains($0) }
        }
        #expect(kept.map(\.day) == (1...7).map { day($0) })
    }

    // MARK: What goes

    @Test func theEighthDayTakesThePlaceOfTheFirst_andOfItsOwnDeviceAlone() {
        let others = (1...7).map { copy(Int64($0), day($0), of: deck) }
        #expect(CopyPlan.surplus(week() + others, of: laptop).isEmpty)
        let kept = others + week() + [copy(8, day(8), of: laptop)]
        #expect(CopyPlan.surplus(kept, of: laptop) == [copy(1, day(1), of: laptop)])
    }

    @Test func aDamagedOneTakesNobodysPlace() {
        var kept = week()
        kept[6].backup.condition = .damaged("torn")
        kept.append(copy(8, day(8), of: laptop))
        #expect(CopyPlan.surplus(kept, of: laptop).isEmpty)
        // Until its day is here again.
        kept.append(copy(9, day(7), of: laptop))
        #expect(CopyPlan.surplus(kept, of: laptop).map(\.number) == [7, 1])
    }

    // MARK: Room

    @Test(arguments: [(0, 1_024), (20 << 30, 1_024), (21 << 30, 1_075), (1 << 40, 52_428)] as [(Int64, Int64)])
    func aDiskKeepsAGiBOrATwentieth(total: Int64, megabytes: Int64) {
        let room = DiskRoom(free: 0, total: total)
        #expect(room.reserve >> 20 == megabytes)
        #expect(DiskRoom(free: room.reserve + 9, total: total).takes(9))
        #expect(!DiskRoom(free: room.reserve + 8, total: total).takes(9))
        #expect(!DiskRoom(free: -1, total: .max).takes(.max))
    }

    @Test func whatGivesWayMakesRoom() {
        var kept = week()
        for index in kept.indices { kept[index].fileSize = 10 * (index + 1) }
        #expect(CopyPlan.growth(100, on: day(8), of: laptop, in: Array(kept.dropLast())) == 100)
        // The oldest of seven goes; and one of the same day.
        #expect(CopyPlan.growth(100, on: day(8), of: laptop, in: kept) == 90)
        #expect(CopyPlan.growth(5, on: day(7), of: laptop, in: kept) == -65)
        #expect(CopyPlan.growth(100, on: day(8), of: deck, in: kept) == 100)
    }
}

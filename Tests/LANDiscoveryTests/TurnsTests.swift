import Testing

@testable import LANDiscovery

/// Who is followed where more instances are known than can be followed at the same time.
@Suite struct TurnsTests {
    private let start = ContinuousClock.now

    @Test func whereThereIsRoomAllAreFollowed() {
        var turns = Turns<Int>(places: 4)
        for key in 0..<4 { turns.join(key) }
        let (begin, end) = turns.next(start) { _ in .stranger }
        #expect(begin == [0, 1, 2, 3] && end == [])
        #expect(turns.deadline { _ in .stranger } == nil, "nobody waits")
        let later = turns.next(start + .seconds(100)) { _ in .stranger }
        #expect(later.begin == [] && later.end == [])
    }

    /// Of ten thousand, one is a device of the household. Each that turns out a stranger makes room at once.
    @Test(arguments: [0, 5_000, 9_999])
    func amongTenThousandAMemberIsFollowed_andStays(member: Int) {
        var turns = Turns<Int>(places: 16)
        for key in 0..<10_000 { turns.join(key) }
        var (known, rounds): (Set<Int>, Int) = ([], 0)
        func standing(_ key: Int) -> InstanceStanding {
            known.contains(key) ? (key == member ? .member : .stranger) : .unknown
        }
        while !known.contains(member), rounds < 700 {
            known.formUnion(turns.next(start, standing).begin)
            rounds += 1
            #expect(turns.followed.count <= 16)
        }
        for _ in 0..<700 { known.formUnion(turns.next(start, standing).begin) }
        #expect(turns.followed[member] != nil)
        #expect(known.count == 10_000, "each had its turn")
    }

    @Test func whoSaysNothingHasAShortTurn() {
        var turns = Turns<Int>(places: 1)
        for key in 0..<3 { turns.join(key) }
        var turn = turns.next(start) { _ in .unknown }
        #expect(turn.begin == [0])
        #expect(turns.deadline { _ in .unknown } == start + .seconds(3))
        turn = turns.next(start + .seconds(2)) { _ in .unknown }
        #expect(turn.begin == [] && turn.end == [])
        turn = turns.next(start + .seconds(3)) { _ in .unknown }
        #expect(turn.begin == [1] && turn.end == [0])
        turn = turns.next(start + .seconds(6)) { _ in .unknown }
        #expect(turn.begin == [2] && turn.end == [1], "who had a turn comes last")
    }

    /// Where strangers alone wait, nothing is hurried: they are only asked now and then whether they are still strangers.
    @Test func strangersAmongThemselvesTakeLongTurns() {
        var turns = Turns<Int>(places: 1)
        for key in 0..<2 { turns.join(key) }
        var turn = turns.next(start) { _ in .stranger }
        turn = turns.next(start) { _ in .stranger }
        #expect(turn.begin == [1] && turn.end == [0], "the other one was not known yet")
        #expect(turns.deadline { _ in .stranger } == start + .seconds(30))
        turn = turns.next(start + .seconds(29)) { _ in .stranger }
        #expect(turn.begin == [])
        turn = turns.next(start + .seconds(30)) { _ in .stranger }
        #expect(turn.begin == [0] && turn.end == [1])
    }

    /// One that is not known yet takes one place of a stranger, and the others stay.
    @Test func aNewcomerMovesOneStranger() {
        var turns = Turns<Int>(places: 3)
        for key in 0..<6 { turns.join(key) }
        for _ in 0..<2 { _ = turns.next(start) { _ in .stranger } }
        #expect(Set(turns.followed.keys) == [3, 4, 5], "each had its turn")
        turns.join(6)
        let (begin, end) = turns.next(start + .seconds(1)) { $0 == 6 ? .unknown : .stranger }
        #expect(begin == [6] && end.count == 1 && turns.followed.count == 3)
    }

    /// A household of many devices leaves places for those that are not known yet.
    @Test func membersKeepThreeQuartersOfThePlaces() {
        var turns = Turns<Int>(places: 4)
        for key in 0..<6 { turns.join(key) }
        var turn = turns.next(start) { _ in .member }
        #expect(turn.begin == [0, 1, 2, 3])
        turn = turns.next(start + .seconds(3)) { _ in .member }
        #expect(turn.end.count == 1 && turn.begin == [4])
    }

    @Test func whoIsGoneNeitherWaitsNorIsFollowed() {
        var turns = Turns<Int>(places: 1)
        for key in 0..<3 { turns.join(key) }
        _ = turns.next(start) { _ in .unknown }
        let (first, second) = (turns.leave(0), turns.leave(1))
        #expect(first && !second)
        let turn = turns.next(start) { _ in .unknown }
        #expect(turn.begin == [2] && turn.end == [])
        // Coming and going a hundred thousand times leaves nothing behind.
        for key in 0..<100_000 {
            turns.join(key + 10)
            turns.leave(key + 10)
        }
        #expect(turns.deadline { _ in .unknown } == nil)
    }
}

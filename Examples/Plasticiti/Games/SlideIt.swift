/// Slide the tiles until they stand in order, before the time is up.
struct SlideIt: Codable, Hashable, Sendable {
    /// Which way a tile slides.
    enum Direction: CaseIterable, Sendable {
        case up, down, left, right

        var opposite: Direction {
            switch self {
            case .up: .down
            case .down: .up
            case .left: .right
            case .right: .left
            }
        }
    }

    static let sides = 3...5

    let level: Int
    let side: Int
    /// Row by row; 0 is the gap.
    private(set) var tiles: [Int]
    private(set) var moves = 0
    /// Time that was played, up to the last move.
    private(set) var milliseconds = 0

    /// A board in order, shuffled by moves that a player could take back, so that it can be solved.
    init(level: Int, using dice: inout Dice) {
        let rules = Ladder.slideIt(level)
        self.init(level: level, side: rules.side, tiles: Self.order(rules.side))
        var last: Direction?
        var count = 0
        while count < rules.shuffle || isSolved {
            let ways = Direction.allCases.filter { $0 != last?.opposite && tile(sliding: $0) != nil }
            guard let way = ways.randomElement(using: &dice) else { break }
            slide(way)
            last = way
            count += 1
        }
        moves = 0
    }

    init(level: Int, side: Int, tiles: [Int]) { (self.level, self.side, self.tiles) = (level, side, tiles) }

    /// 1, 2, 3 … and the gap last.
    static func order(_ side: Int) -> [Int] { Array(1..<side * side) + [0] }

    /// In milliseconds.
    var limit: Int { Ladder.slideIt(level).seconds * 1_000 }
    var isSolved: Bool { tiles == Self.order(side) }
    var isTimeUp: Bool { milliseconds >= limit && !isSolved }

    /// Whether this can be played: a save may have been written by anybody.
    var isSound: Bool {
        (1...Ladder.top).contains(level) && Self.sides.contains(side) && tiles.sorted() == Array(0..<side * side)
            && canBeSolved && moves >= 0 && milliseconds >= 0
    }

    /// Half of all orders of the tiles cannot be reached by sliding. With an odd side every move keeps whether the
    /// number of inversions is even; with an even side a move between rows changes that.
    var canBeSolved: Bool {
        guard let gap = tiles.firstIndex(of: 0) else { return false }
        let numbers = tiles.filter { $0 != 0 }
        let inversions = numbers.indices.reduce(0) { sum, first in
            sum + numbers[first...].count { $0 < numbers[first] }
        }
        return side % 2 == 1 ? inversions % 2 == 0 : (inversions + gap / side) % 2 == (side - 1) % 2
    }

    // MARK: Moves

    /// Where the tile is that could slide this way.
    func tile(sliding direction: Direction) -> Int? {
        guard let gap = tiles.firstIndex(of: 0) else { return nil }
        let (row, column) = (gap / side, gap % side)
        switch direction {
        case .up: return row + 1 < side ? gap + side : nil
        case .down: return row > 0 ? gap - side : nil
        case .left: return column + 1 < side ? gap + 1 : nil
        case .right: return column > 0 ? gap - 1 : nil
        }
    }

    /// Slides a tile into the gap. Returns whether there is one to slide.
    @discardableResult
    mutating func slide(_ direction: Direction) -> Bool {
        guard let tile = tile(sliding: direction), let gap = tiles.firstIndex(of: 0) else { return false }
        tiles.swapAt(tile, gap)
        moves += 1
        return true
    }

    /// Counts time that was played since the last move.
    mutating func pass(_ time: Int) { milliseconds = min(limit, milliseconds.adding(time)) }
}

extension Int {
    /// The sum, or the largest number there is: what stands in a save may be any number.
    func adding(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }
}

/// A sliding puzzle: bring the tiles in order before the time is up.
struct SlideIt: Codable, Hashable, Sendable {
    /// The direction in which a tile slides.
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
    /// The tiles row by row; 0 is the gap.
    private(set) var tiles: [Int]
    private(set) var moves = 0
    /// The time played up to the last move, in milliseconds.
    private(set) var milliseconds = 0

    /// Makes a board that can be solved: it starts in order and is shuffled by legal moves.
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

    /// The solved order: 1, 2, 3 … and the gap last.
    static func order(_ side: Int) -> [Int] { Array(1..<side * side) + [0] }

    /// The time limit in milliseconds.
    var limit: Int { Ladder.slideIt(level).seconds * 1_000 }
    var isSolved: Bool { tiles == Self.order(side) }
    var isTimeUp: Bool { milliseconds >= limit && !isSolved }

    /// Whether the board can be played. A save may contain anything, because other programs can write it.
    var isSound: Bool {
        (1...Ladder.top).contains(level) && Self.sides.contains(side) && tiles.sorted() == Array(0..<side * side)
            && canBeSolved && moves >= 0 && milliseconds >= 0
    }

    /// Half of all orders of the tiles cannot be solved by sliding. With an odd side no move changes whether the number
    /// of inversions is even; with an even side a move between rows does.
    var canBeSolved: Bool {
        guard let gap = tiles.firstIndex(of: 0) else { return false }
        let numbers = tiles.filter { $0 != 0 }
        let inversions = numbers.indices.reduce(0) { sum, first in
            sum + numbers[first...].count { $0 < numbers[first] }
        }
        return side % 2 == 1 ? inversions % 2 == 0 : (inversions + gap / side) % 2 == (side - 1) % 2
    }

    // MARK: Moves

    /// The index of the tile that could slide in this direction.
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

    /// Slides a tile into the gap. Returns false where no tile can slide in this direction.
    @discardableResult
    mutating func slide(_ direction: Direction) -> Bool {
        guard let tile = tile(sliding: direction), let gap = tiles.firstIndex(of: 0) else { return false }
        tiles.swapAt(tile, gap)
        moves += 1
        return true
    }

    /// Adds the time played since the last move, in milliseconds.
    mutating func pass(_ time: Int) { milliseconds = min(limit, milliseconds.adding(time)) }
}

extension Int {
    /// The sum, or the largest or smallest number where it overflows: a save may contain any number.
    func adding(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other > 0 ? .max : .min) : sum
    }
}

import Testing

@testable import Plasticiti

@Suite struct SlideItTests {
    /// The boards of every level can be solved, and are not solved yet.
    @Test func shuffledBoardsCanBeSolved() {
        for level in 1...14 {
            for seed in 0..<40 as Range<UInt64> {
                var dice = Dice(seed: seed)
                let board = SlideIt(level: level, using: &dice)
                #expect(board.isSound && !board.isSolved && board.moves == 0, "level \(level), seed \(seed)")
            }
        }
    }

    /// A board counts as solvable exactly if sliding reaches it: half of the 362,880 orders of a 3 × 3 board.
    @Test func whatCanBeSolvedIsWhatCanBeReached() {
        var seen: Set<[Int]> = [SlideIt.order(3)]
        var edge = [SlideIt(level: 1, side: 3, tiles: SlideIt.order(3))]
        for _ in 0..<13 {
            var next: [SlideIt] = []
            for board in edge {
                for direction in SlideIt.Direction.allCases {
                    var other = board
                    if other.slide(direction), seen.insert(other.tiles).inserted { next.append(other) }
                }
            }
            edge = next
        }
        for tiles in seen {
            var twisted = tiles
            let pair = tiles.indices.filter { tiles[$0] != 0 }.prefix(2)
            twisted.swapAt(pair[0], pair[1])
            if !SlideIt(level: 1, side: 3, tiles: tiles).canBeSolved { Issue.record("\(tiles) can be solved") }
            if SlideIt(level: 1, side: 3, tiles: twisted).canBeSolved { Issue.record("\(twisted) cannot be solved") }
        }
        #expect(seen.count > 2_000)
    }

    /// Sliding never changes whether a board can be solved, also with an even side.
    @Test(arguments: [3, 4, 5]) func slidingKeepsIt(side: Int) {
        var dice = Dice(seed: 3)
        for isSolvable in [true, false] {
            var tiles = SlideIt.order(side)
            if !isSolvable { tiles.swapAt(0, 1) }
            var board = SlideIt(level: 1, side: side, tiles: tiles)
            for _ in 0..<500 {
                guard let way = SlideIt.Direction.allCases.randomElement(using: &dice) else { return }
                board.slide(way)
                #expect(board.canBeSolved == isSolvable)
            }
        }
    }

    @Test func aMoveAndItsOppositeAreNone() {
        var dice = Dice(seed: 1)
        let board = SlideIt(level: 4, using: &dice)
        for way in SlideIt.Direction.allCases where board.tile(sliding: way) != nil {
            var other = board
            #expect(other.slide(way) && other.tiles != board.tiles && other.slide(way.opposite))
            #expect(other.tiles == board.tiles && other.moves == 2)
        }
    }

    @Test func timeIsUpAtTheLimitAndNotWhenItIsSolved() {
        var board = SlideIt(level: 1, side: 3, tiles: [1, 2, 3, 4, 5, 6, 7, 0, 8])
        board.pass(89_999)
        #expect(!board.isTimeUp)
        board.pass(.max)
        #expect(board.isTimeUp && board.milliseconds == 90_000)
        board.slide(.left)
        #expect(board.isSolved && !board.isTimeUp)
    }

    @Test(arguments: [
        SlideIt(level: 1, side: 3, tiles: [1, 2, 3]), SlideIt(level: 1, side: .max, tiles: [0]),
        SlideIt(level: 1, side: 3, tiles: [1, 2, 3, 4, 5, 6, 8, 7, 0]),
        SlideIt(level: -1, side: 3, tiles: SlideIt.order(3)),
        SlideIt(level: 1, side: 3, tiles: [1, 1, 3, 4, 5, 6, 7, 8, 0]),
    ])
    func whatCannotBePlayedIsNoGame(board: SlideIt) { #expect(!board.isSound) }
}

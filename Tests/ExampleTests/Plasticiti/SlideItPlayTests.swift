import Testing

@testable import Plasticiti

/// SlideIt, played on a terminal.
@Suite(.serialized, .enabled(if: Table.isSet, "Plasticiti was not built")) struct SlideItPlayTests {
    private static let arrows: [SlideIt.Direction: String] = [
        .up: "\u{1B}[A", .down: "\u{1B}[B", .right: "\u{1B}[C", .left: "\u{1B}[D",
    ]

    /// The tiles that the screen shows, row by row.
    private func tiles(_ screen: TerminalScreen) -> [Int] {
        screen.lines.filter { $0.contains("[ ") && $0.contains(" ]") }.flatMap { line -> [Int] in
            let cells = Array(line + String(repeating: " ", count: 80)).dropFirst(29)
            return (0..<3).map { Int(String(cells.dropFirst(7 * $0).prefix(6)).filter(\.isNumber)) ?? 0 }
        }
    }

    /// The shortest solution, found breadth first from what the screen shows.
    private func solution(of tiles: [Int]) -> [SlideIt.Direction]? {
        var seen: Set<[Int]> = [tiles]
        var edge: [(board: SlideIt, way: [SlideIt.Direction])] = [(SlideIt(level: 1, side: 3, tiles: tiles), [])]
        for _ in 0..<20 {
            var next: [(board: SlideIt, way: [SlideIt.Direction])] = []
            for (board, way) in edge {
                if board.isSolved { return way }
                for direction in SlideIt.Direction.allCases {
                    var other = board
                    guard other.slide(direction), seen.insert(other.tiles).inserted else { continue }
                    next.append((other, way + [direction]))
                }
            }
            edge = next
        }
        return nil
    }

    @Test(.timeLimit(.minutes(5))) func promise1_aBoardIsSolvedByArrowsAndSurvivesAKill() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("2")
        try await game.see("moves 0")
        let way = try #require(solution(of: tiles(game.screen)))
        try #require(way.count >= 4)
        for (number, direction) in way.dropLast().enumerated() {
            try game.type(Self.arrows[direction] ?? "")
            try await game.see("moves \(number + 1) ")
            guard number == 2 else { continue }
            let board = tiles(game.screen)
            game.kill()
            game = try table.play(seed: 99)
            #expect(try await game.menu().contains("continue after 3 moves"))
            try game.type("2")
            try await game.see("moves 3 ")
            #expect(tiles(game.screen) == board)
        }
        try game.type(Self.arrows[way[way.count - 1]] ?? "")
        let end = try await game.see("VICTORY")
        #expect(end.contains("of 90 seconds") && end.contains("Trophy: First slide"))
        try game.type("x")
        #expect(try await game.menu().contains("SlideIt \(end.contains("Level 3") ? 3 : 2)"))
    }

    /// The clock runs while the board is shown.
    @Test(.timeLimit(.minutes(5))) func theClockRuns() async throws {
        let table = try Table()
        let game = try table.play()
        try await game.menu()
        try game.type("2")
        try await game.see("time left 1:30")
        try await game.see("time left 1:28")
    }

    /// The played time is saved without a move.
    @Test(.timeLimit(.minutes(5))) func promise30_theClockGoesOnAfterAKill() async throws {
        let table = try Table()
        var game = try table.play()
        try await game.menu()
        try game.type("2")
        try await game.see("time left 1:27")
        game.kill()
        game = try table.play()
        try await game.menu()
        try game.type("2")
        let board = try await game.see("time left")
        #expect(board.contains("moves 0") && !board.contains("time left 1:30"))
    }
}

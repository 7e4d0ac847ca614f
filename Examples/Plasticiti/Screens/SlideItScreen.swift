extension Frame {
    mutating func slideIt(_ game: SlideIt, played: Int) {
        let left = (max(0, game.limit - game.milliseconds.adding(played)) + 999) / 1_000
        let clock = "\(left / 60):" + (left % 60 < 10 ? "0" : "") + "\(left % 60)"
        add("SLIDEIT  level \(game.level)", right: "moves \(game.moves)   time left \(clock)", .strong)
        add()
        add()
        for row in 0..<game.side {
            add(
                centered: (0..<game.side).flatMap { column -> [Span] in
                    let tile = game.tiles[row * game.side + column]
                    let text = tile == 0 ? "      " : "[ \(String(tile).padded(left: 2)) ]"
                    return [Span(text: text, tone: tile == 0 ? .plain : .tile), Span(text: " ", tone: .plain)]
                })
            add()
        }
        fill(to: 17)
        add(centered: [Span(text: "Bring the tiles in order, the gap last.", tone: .faint)])
        add(centered: [Span(text: "Arrows slide a tile that way, Esc for the menu (the clock stops)", tone: .faint)])
    }
}

import LosslessJSON
import MergeCore

/// What happened since all was quiet for the last time: a ledger of what each game read and wrote, kept apart from
/// everything that the agents know.
struct Round {
    /// One save of a game.
    struct Play {
        let device: Int
        /// What the game had read, or held in memory.
        var read: ParsedSave
        /// What its file held by then.
        let shown: ParsedSave?
        let written: ParsedSave
        let time: Int64

        /// Whether the file held something else by then.
        var isFromMemory: Bool { shown !== read && shown?.value != read.value }
    }

    /// What each file held when the round began.
    let before: [ParsedSave?]
    var plays: [Play] = []
    /// What was done beside play: an undo, a reset, a restored backup.
    var acts: [String] = []
    /// The rules whose places are not judged by value: those of counters where one owes, since it shows 0 until that is
    /// earned, and those of choices where one is open, since each device keeps its own meanwhile.
    var unjudged: Set<MergeRule.Merge> = []

    /// The devices that played, in order, each once.
    var writers: [Int] { plays.map(\.device).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// The last save of a device; `nil` where its game wrote nothing.
    func last(of device: Int) -> ParsedSave? { plays.last { $0.device == device }?.written }

    init(before: [ParsedSave?]) { self.before = before }

    /// The most saves from memory of which both readings are tried.
    private static let unsureLimit = 4

    /// Whether there are more ways to read the round than are tried, so that nothing can be said of its values.
    var isUnsure: Bool { plays.filter(\.isFromMemory).count > Self.unsureLimit }

    /// The round as it may have been as well: nobody but the game knows whether it had read what its file held by then.
    /// The first one is how it was.
    var readings: [Round] {
        let unsure = plays.indices.filter { plays[$0].isFromMemory }.prefix(Self.unsureLimit)
        return (0..<(1 << unsure.count)).map { chosen in
            var round = self
            for (bit, play) in unsure.enumerated() where chosen & (1 << bit) != 0 {
                round.plays[play].read = plays[play].shown ?? plays[play].read
            }
            return round
        }
    }
}

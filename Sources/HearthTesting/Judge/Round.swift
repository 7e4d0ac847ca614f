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
        /// The contents that its file had before this save, from the last save of a game before the round on.
        var earlier: [[UInt8]] = []

        /// Whether the file held something else by then.
        var isFromMemory: Bool { shown !== read && shown?.value != read.value }

        /// Whether what it wrote tells that its game had not read what its file held by then: several places are as the
        /// game held them and not as in the file, and none is the other way.
        var isClearlyFromMemory: Bool {
            guard let shown, isFromMemory else { return false }
            let places = places(like: read, and: shown)
            return places.one >= 2 && places.other == 0
        }

        /// Whether what it wrote tells which of the contents of its file the game had read.
        ///
        /// - Parameter earlier: ``earlier``, as saves.
        func isClear(among earlier: [ParsedSave]) -> Bool {
            guard let shown else { return false }
            if isFromMemory, !isClearlyFromMemory { return false }
            let base = isFromMemory ? read : shown
            return earlier.allSatisfy { former in
                let places = places(like: base, and: former)
                return places.other == 0 && (places.one > 0 || places.all == 0) && !grows(from: former, butFrom: base)
            }
        }

        /// Whether a number that only grows is further in what it wrote than in one save, and not as far as in the other.
        /// Then a game that had read the other one lowered it, and it may as well have read the first.
        private func grows(from former: ParsedSave, butFrom base: ParsedSave) -> Bool {
            base.leaves.unlike(former.leaves).contains { leaf in
                guard leaf.rule.merge == .max || leaf.rule.merge == .min, let held = leaf.value.decimal,
                    let value = written.leaves[leaf.place]?.decimal, let before = former.leaves[leaf.place]?.decimal
                else { return false }
                return leaf.rule.merge == .max ? before <= value && value < held : held < value && value <= before
            }
        }

        /// How much two saves differ in, counted by places and by elements of sets, and how much of that it wrote as the
        /// one has it and as the other one.
        fileprivate func places(like one: ParsedSave, and other: ParsedSave) -> (one: Int, other: Int, all: Int) {
            var (seen, result) = (Set<SavePlace>(), (one: 0, other: 0, all: 0))
            for leaf in one.leaves.unlike(other.leaves) + other.leaves.unlike(one.leaves)
            where leaf.rule.merge != .local && seen.insert(leaf.place).inserted {
                let (first, second) = (one.leaves[leaf.place], other.leaves[leaf.place])
                let value = written.leaves[leaf.place]
                guard leaf.rule.isOfElements, let firsts = first.elements, let seconds = second.elements else {
                    result = (
                        result.one + (value == first ? 1 : 0), result.other + (value == second ? 1 : 0), result.all + 1
                    )
                    continue
                }
                for element in firsts.symmetricDifference(seconds) {
                    let isLikeOne = (value.elements ?? []).contains(element) == firsts.contains(element)
                    result = (result.one + (isLikeOne ? 1 : 0), result.other + (isLikeOne ? 0 : 1), result.all + 1)
                }
            }
            return result
        }
    }

    /// What each file held when the round began.
    let before: [ParsedSave?]
    var plays: [Play] = []
    /// Which dates of what is played say nothing.
    var clocks = WrongClocks()
    /// The sides that each place under `furthest` had in earlier rounds. A side that a further one hid is still known: it comes up
    /// again where a game that had never read it sets the further one back.
    private(set) var hiddenSides: [SavePlace: Set<JSONValue>] = [:]
    /// What was done beside play: an undo, a reset, a restored backup.
    var acts: [String] = []
    /// Whether a device without a record brought its file in again. What that holds is written once more then: an element that
    /// another device removes meanwhile is back.
    var isBroughtAgain = false
    /// The rules whose places are not judged by value: those of counters where one owes, since it shows 0 until that is
    /// earned, and those of choices where one is open, since each device keeps its own meanwhile.
    var unjudged: Set<MergeRule.Merge> = []

    /// The devices that played, in order, each once.
    var writers: [Int] { plays.map(\.device).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// The last save of a device; `nil` where its game wrote nothing.
    func last(of device: Int) -> ParsedSave? { plays.last { $0.device == device }?.written }

    init(before: [ParsedSave?]) { self.before = before }

    /// The round that comes after this one.
    ///
    /// - Parameter devices: The devices whose clock is wrong when it begins.
    func next(before: [ParsedSave?], wrongClocks devices: Set<Int>) -> Round {
        var next = Round(before: before)
        next.clocks = clocks.after(self, devices)
        next.hiddenSides = hiddenSides
        for save in self.before.compactMap({ $0 }) + plays.flatMap({ [$0.read, $0.written] }) {
            for leaf in save.leaves.all where leaf.rule.merge == .furthest {
                next.hiddenSides[leaf.place, default: []].insert(leaf.value)
            }
        }
        return next
    }

    /// The most saves from memory of which more than one reading is tried.
    private static let unsureLimit = 4

    /// Whether there are more ways to read the round than are tried, so that nothing can be said of its values.
    var isUnsure: Bool {
        plays.count { $0.isFromMemory && !$0.isClearlyFromMemory } > Self.unsureLimit
    }

    /// The round as it may have been as well, where only the games know what they had read.
    ///
    /// - Parameter parse: Reads one of the contents that a file had.
    func otherReadings(_ parse: ([UInt8]) -> ParsedSave?) -> [Round] {
        var (rounds, unsure) = ([self], 0)
        for index in plays.indices where unsure < Self.unsureLimit {
            let others = plays[index].otherReads(among: plays[index].earlier.compactMap(parse))
            guard !others.isEmpty else { continue }
            unsure += 1
            rounds += rounds.flatMap { round in
                others.map { read in
                    var other = round
                    other.plays[index].read = read
                    return other
                }
            }
        }
        return Array(rounds.dropFirst())
    }
}

extension Round.Play {
    /// The most contents that are tried beside what was read.
    private static let otherLimit = 3

    /// What the game may have read as well, by all that its save tells: what its file held, where the save does not say that
    /// this was unknown to it, and contents of the file that the save is as much like as what was read.
    fileprivate func otherReads(among earlier: [ParsedSave]) -> [ParsedSave] {
        var others: [ParsedSave] = []
        if isFromMemory, !isClearlyFromMemory, let shown { others.append(shown) }
        others += earlier.filter { content in
            let places = places(like: read, and: content)
            return content !== shown && places.other > 0 && places.other >= places.one
        }.suffix(Self.otherLimit)
        return others
    }
}

extension JSONValue? {
    /// The elements of a list, each once; none where there is nothing, and `nil` where this is no list.
    fileprivate var elements: Set<JSONValue>? {
        switch self {
        case .array(let elements): Set(elements)
        case nil: []
        default: nil
        }
    }
}

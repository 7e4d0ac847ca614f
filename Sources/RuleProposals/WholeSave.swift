import LosslessJSON
import MergeCore

/// Finds out whether a save only makes sense as a whole, taken from one machine or the other.
///
/// - A checksum: a member near the root with such a name, whose text or number looks like a checksum. A game that
///   checks it refuses a merged save.
/// - A story: at least ``switchLimit`` switches with different names, and at least as many switches as all other values
///   together. Events from two machines cannot be combined to one story. Achievements and settings are no story, and
///   many things with the same switch ("done") count as one name.
struct WholeSave {
    private(set) var checksums: [RulePattern] = []
    /// Whether the player can start over and keep a part: some member is named after that.
    private(set) var startsOver = false
    private var names: Set<[UInt8]> = []
    private var switches: Set<[UInt8]> = []
    private var listed = 0
    private var playTime: JSONString?

    private static let switchLimit = 12
    /// The greatest depth and the most values that are looked at.
    private static let depthLimit = 12
    private static let valueLimit = 200_000

    init(_ document: JSONDocument) {
        guard document.kind(document.root) == .object else { return }
        var visit = Visit(document)
        while let item = visit.next() { look(document, item) }
    }

    /// The one rule for the whole save; `nil` where the save need not stay whole.
    var guess: Guess? {
        let why: String
        if !checksums.isEmpty {
            why = "the save holds a checksum of itself: a merged one would be refused"
        } else if isStory {
            why = "a story: what happened on two machines cannot be put together"
        } else {
            return nil
        }
        guard let playTime else { return Guess(MergeRule(.choice, whole: true), why) }
        return Guess(MergeRule(.furthest, whole: true, by: [playTime]), why)
    }

    private var isStory: Bool {
        let count = switches.count + listed
        return count >= Self.switchLimit && count * 2 >= names.count + listed
    }

    private mutating func look(_ document: JSONDocument, _ item: Visit.Item) {
        let name = NameWords(item.key)
        if name.words.count <= 2, name.has(GuessWords.prestige) { startsOver = true }
        switch document.kind(item.node) {
        case .object: return
        case .array:
            let elements = Array(document.elements(item.node))
            // Null is allowed, because a list of numbered switches often begins with an unused one.
            guard item.isStory, elements.count >= Self.switchLimit,
                elements.allSatisfy({ [.true, .false, .null].contains(document.kind($0)) })
            else { return }
            listed += elements.count
        default:
            if item.depth <= 2, isChecksum(document, item.node, name) {
                checksums.append(RulePattern(steps: item.steps))
                return
            }
            if item.depth == 1, document.kind(item.node) == .number, isPlayTime(name) { playTime = item.key }
            guard !item.isApart else { return }
            names.insert(item.key.bytes)
            if isSwitch(document, item.node, name, item) { switches.insert(item.key.bytes) }
        }
    }

    private func isSwitch(_ document: JSONDocument, _ node: JSONNode, _ name: NameWords, _ item: Visit.Item) -> Bool {
        switch document.kind(node) {
        case .true, .false: return true
        case .number:
            guard let value = document.number(node)?.decimal?.int, value == 0 || value == 1 else { return false }
            return item.isStory || name.has(GuessWords.storySwitches)
        default: return false
        }
    }

    private func isPlayTime(_ name: NameWords) -> Bool {
        ["playtime", "play time", "total play time", "time played", "total time played", "play seconds"]
            .contains(name.words.joined(separator: " "))
    }

    private func isChecksum(_ document: JSONDocument, _ node: JSONNode, _ name: NameWords) -> Bool {
        guard !name.has(GuessWords.hashed) else { return false }
        let isSalt = name.ends(GuessWords.salts)
        guard isSalt || name.ends(GuessWords.checksums) else { return false }
        switch document.kind(node) {
        case .number:
            guard !isSalt, let value = document.number(node)?.decimal?.int else { return false }
            return value.magnitude >= 1_000
        case .string:
            guard let text = document.string(node)?.bytes, text.count >= (isSalt ? 8 : 4), text.count <= 1_024 else {
                return false
            }
            // Only ASCII letters, digits and the marks that hexadecimal and base 64 texts contain.
            return text.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "+/=-_:".utf8.contains(byte)
            }
        default: return false
        }
    }

    /// A walk over every value of a document, with the names of members.
    private struct Visit {
        struct Item {
            var key: JSONString
            var node: JSONNode
            var steps: [RulePattern.Step]
            /// Whether the value is inside settings or achievements.
            var isApart = false
            /// Whether the value is inside a container that is named after a story or switches.
            var isStory = false
            var depth: Int { steps.count }
        }

        private let document: JSONDocument
        private var waiting: [Item] = []
        private var seen = 0

        init(_ document: JSONDocument) {
            self.document = document
            add(document.root, [], isApart: false, isStory: false)
        }

        mutating func next() -> Item? {
            guard seen < WholeSave.valueLimit, let item = waiting.popLast() else { return nil }
            seen += 1
            guard item.depth < WholeSave.depthLimit else { return item }
            let name = NameWords(item.key)
            let isApart = item.isApart || name.ends(GuessWords.settings) || name.has(GuessWords.achievements)
            let isStory = item.isStory || name.has(GuessWords.stories)
            switch document.kind(item.node) {
            case .object: add(item.node, item.steps, isApart: isApart, isStory: isStory)
            case .array:
                for element in document.elements(item.node) where document.kind(element) == .object {
                    add(element, item.steps + [.any], isApart: isApart, isStory: isStory)
                }
            default: break
            }
            var asked = item
            (asked.isApart, asked.isStory) = (isApart, isStory)
            return asked
        }

        private mutating func add(_ node: JSONNode, _ steps: [RulePattern.Step], isApart: Bool, isStory: Bool) {
            for (key, value) in document.members(node).reversed() {
                waiting.append(
                    Item(key: key, node: value, steps: steps + [.literal(key)], isApart: isApart, isStory: isStory))
            }
        }
    }
}

import TestSupport

/// What a game did to a tree: which values it changed, and which members or elements came or went.
struct LeafEdits {
    /// Names from the root down, as ``CutText`` has them.
    typealias Path = [String]

    var changed: Set<Path> = []
    var added: Set<Path> = []
    var removed: Set<Path> = []

    var count: Int { changed.count + added.count + removed.count }

    /// Whether a path lies at, below or above anything that was edited.
    func touches(_ path: Path) -> Bool {
        changed.union(added).union(removed).contains { $0.starts(with: path) || path.starts(with: $0) }
    }

    /// Whether anything directly in a container was removed.
    func removes(from container: Path) -> Bool { removed.contains { $0.dropLast().elementsEqual(container) } }
}

/// Makes trees, and edits them.
struct TreeMaker {
    var random: SeededRandom

    /// An object with a few members of every shape the rules take apart: plain ones, `inv[id]`, `row/*`, `coins`.
    mutating func document() -> SpelledTree {
        guard case .object(var members) = object(depth: 3) else { return .object([]) }
        members.append(.init(key: Array("coins".utf16), value: number(below: 500)))
        if random.chance(60) {
            let elements = ["a", "b/", "\u{E9}"].prefix(1 + random.below(3)).map { element(Array($0.utf16)) }
            members.append(.init(key: Array("inv".utf16), value: .list(elements)))
        }
        if random.chance(40) {
            members.append(.init(key: Array("row".utf16), value: .list((0...random.below(3)).map { _ in scalar() })))
        }
        return .object(members)
    }

    private mutating func element(_ id: [UInt16]) -> SpelledTree {
        guard case .object(let members) = object(depth: 1) else { return .object([]) }
        return .object([.init(key: SpelledTree.idKey, value: .text(id))] + members)
    }

    private mutating func object(depth: Int) -> SpelledTree {
        let names = ["k", "e\u{301}", "\u{E9}", "", "a/b~", "\u{1F3AE} x", "\"q\"\n", "K"].shuffled(using: &random)
        return .object(
            names.prefix(random.below(5)).map { .init(key: Array($0.utf16), value: value(depth: depth - 1)) })
    }

    private mutating func value(depth: Int) -> SpelledTree {
        switch random.below(10) {
        case 0...2 where depth > 0: object(depth: depth)
        case 3: .list((0..<random.below(4)).map { _ in scalar() })
        default: scalar()
        }
    }

    private mutating func number(below bound: Int) -> SpelledTree {
        var (digits, exponent) = (1 + random.below(bound), 0)
        while digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
        return .number(negative: false, digits: "\(digits)", exponent: exponent)
    }

    private mutating func scalar() -> SpelledTree {
        switch random.below(8) {
        case 0: return .word(random.pick(["null", "true", "false"]))
        case 1: return .number(negative: random.chance(30), digits: "0", exponent: 0)
        case 2:
            let digits = "\(1 + random.below(999))7"
            return .number(negative: random.chance(30), digits: digits, exponent: random.below(9) - 4)
        case 3:
            let digits = (0..<30).map { _ in String(1 + random.below(9)) }.joined()
            return .number(negative: false, digits: digits, exponent: random.pick([0, -15, 400]))
        case 4, 5:
            let pieces = ["a", "text ", "\"", "\\", "/", "\n", "\u{0}", "e\u{301}", "\u{E9}", "\u{1F600}", "\u{2028}"]
            var units = (0..<random.below(5)).flatMap { _ in Array(random.pick(pieces).utf16) }
            if random.chance(5) { units.append(random.pick([0xD800, 0xDC00])) }
            return .text(units)
        default: return number(below: 1_000)
        }
    }

    // MARK: Edits

    private static let named = ["coins", "inv", "row"].map { Array($0.utf16) }

    /// Edits about `count` places of a tree; none that touches what `others` did. The two do not remove from the same
    /// container: emptied from both sides it goes as a whole, which is no question of bytes.
    mutating func edited(_ tree: SpelledTree, count: Int, beside others: LeafEdits) -> (SpelledTree, LeafEdits) {
        var (result, edits) = (tree, LeafEdits())
        for _ in 0..<count {
            var next = edits
            if let new = step(result, [], &next, others) { (result, edits) = (new, next) }
        }
        return (result, edits)
    }

    /// One edit at or below a place; nil where it would touch another.
    private mutating func step(
        _ tree: SpelledTree, _ path: LeafEdits.Path, _ edits: inout LeafEdits, _ others: LeafEdits
    ) -> SpelledTree? {
        func isFree(_ path: LeafEdits.Path) -> Bool { !edits.touches(path) && !others.touches(path) }
        switch tree {
        case .object(var members):
            let index = random.below(members.count + 1)
            if index == members.count || members[index].key == SpelledTree.idKey {
                let key = Array("new \(random.below(1_000))".utf16)
                let place = path + [CutText.name(key)]
                guard isFree(place), !members.contains(where: { $0.key == key }) else { return nil }
                edits.added.insert(place)
                return .object(members + [.init(key: key, value: value(depth: 2))])
            }
            let place = path + [CutText.name(members[index].key)]
            // Counters and the containers that rules name stay what they are.
            if path.count > 0 || !Self.named.contains(members[index].key), random.chance(20) {
                guard isFree(place), !others.removes(from: path) else { return nil }
                edits.removed.insert(place)
                members.remove(at: index)
                return .object(members)
            }
            guard let new = step(members[index].value, place, &edits, others) else { return nil }
            members[index].value = new
            return .object(members)
        case .list(var elements) where tree.isKeyed:
            let index = random.below(elements.count + 1)
            let id = index < elements.count ? elements[index].id ?? [] : Array("new \(random.below(1_000))".utf16)
            let place = path + ["#" + CutText.name(id)]
            if index == elements.count {
                guard isFree(place) else { return nil }
                edits.added.insert(place)
                return .list(elements + [element(id)])
            }
            if elements.count > 1, random.chance(20) {
                guard isFree(place), !others.removes(from: path) else { return nil }
                edits.removed.insert(place)
                elements.remove(at: index)
                return .list(elements)
            }
            guard let new = step(elements[index], place, &edits, others) else { return nil }
            elements[index] = new
            return .list(elements)
        case .list(var elements) where path == [CutText.row]:
            let index = random.below(elements.count)
            guard let new = step(elements[index], path + ["\(index)"], &edits, others) else { return nil }
            elements[index] = new
            return .list(elements)
        default:
            guard isFree(path) else { return nil }
            let isCounter = path == [CutText.coins]
            let new = isCounter ? number(below: 500) : random.chance(85) ? scalar() : value(depth: 2)
            guard new != tree, !new.isZeroTwin(of: tree) else { return nil }
            edits.changed.insert(path)
            return new
        }
    }
}

extension SpelledTree {
    /// Both are zero, whatever their signs.
    fileprivate func isZeroTwin(of other: SpelledTree) -> Bool {
        guard case .number(_, "0", _) = self, case .number(_, "0", _) = other else { return false }
        return true
    }
}

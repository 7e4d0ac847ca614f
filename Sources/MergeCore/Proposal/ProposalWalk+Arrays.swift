import LosslessJSON

extension ProposalWalk {
    mutating func visitArrays(_ nodes: [JSONNode], _ place: Place) {
        if !place.isCollected, let local = Guess.local(place.name, isContainer: true) { return add(place.steps, local) }
        let elements = nodes.flatMap { Array(document.elements($0)) }
        let kinds = elements.map(document.kind)
        if kinds.allSatisfy({ $0 == .object }), !kinds.isEmpty { return visitObjects(in: nodes, elements, place) }
        guard kinds.allSatisfy({ $0 != .object && $0 != .array }) else { return }
        visitScalars(in: nodes, elements, place)
    }

    // MARK: Scalars

    private mutating func visitScalars(in nodes: [JSONNode], _ elements: [JSONNode], _ place: Place) {
        let facts = ValueFacts(document, elements)
        let isUnlocked = place.name.has(GuessWords.unlocked)
        switch facts.kind {
        case .truth:
            guard isUnlocked || place.name.has(GuessWords.done) else { return }
            return add(place.steps + [.any], Guess(MergeRule(.flag), "once true, it stays true"))
        case .number, .numericText:
            if place.name.ends(GuessWords.bits) {
                guard place.name.has(GuessWords.unlocked.union(["secret"])),
                    elements.allSatisfy({ BitField(document.value($0)) != nil })
                else { return }
                let reason = "bits of numbers; once 1, it stays 1"
                return add(place.steps + [.any], Guess(MergeRule(.union, as: .bits), reason))
            }
            let isSlot =
                place.name.has(["stars", "medals"])
                || place.name.has(GuessWords.bestOrLeast)
                    && place.name.has(GuessWords.lowIsGood)
            if isSlot, let guess = Guess.scalar(place.name, facts, place.context, isCollected: true) {
                return add(place.steps + [.any], guess)
            }
        case .mixed where !elements.allSatisfy({ [.number, .string].contains(document.kind($0)) }): return
        case .nothing where !elements.isEmpty: return
        default: break
        }
        guard isUnlocked || place.name.has(GuessWords.removable), isDistinct(nodes) else { return }
        // What the player sorts out wins over what is found: "blockedThemes" can lose a member again.
        if place.name.has(GuessWords.removable) {
            add(place.steps, Guess(MergeRule(.set), "a list; members can be added and removed anywhere"))
        } else {
            add(place.steps, Guess(MergeRule(.union), "a list that only grows; nothing in it is lost"))
        }
    }

    /// Whether no array has the same value twice, which a set would lose.
    private func isDistinct(_ nodes: [JSONNode]) -> Bool {
        nodes.allSatisfy { node in
            var seen = Set<[UInt8]>()
            return document.elements(node).allSatisfy { seen.insert(document.value($0).canonicalBytes).inserted }
        }
    }

    // MARK: Objects

    private mutating func visitObjects(in nodes: [JSONNode], _ elements: [JSONNode], _ place: Place) {
        if place.name.has(GuessWords.logs), let moment = moment(in: elements) {
            let rule = MergeRule(.union, sort: moment)
            return add(place.steps, Guess(rule, "a log; both machines' entries, the latest first"))
        }
        guard let key = key(of: nodes, elements), key.isNameable else { return }
        let keyed = place.collected(.keyed(key))
        guard RulePattern(steps: keyed.steps).isSpelled else { return }
        add(keyed.steps, Guess(MergeRule(.latest), "elements are told apart by \"\(key)\", and merge one by one"))
        if isOpaque(place) { return }
        visitMembers(of: elements, keyed, except: key)
    }

    private func isOpaque(_ place: Place) -> Bool { place.name.has(GuessWords.opaque) }

    /// Members that every element has, in the order of the first.
    private func common(_ elements: [JSONNode]) -> [(key: JSONString, nodes: [JSONNode])] {
        guard let first = elements.first, document.count(first) <= 64 else { return [] }
        var nodes: [JSONString: [JSONNode]] = [:]
        let keys = document.members(first).map(\.key)
        for key in keys { nodes[key] = [] }
        for element in elements {
            for (key, value) in document.members(element) { nodes[key]?.append(value) }
        }
        return keys.compactMap { key in nodes[key].flatMap { $0.count == elements.count ? (key, $0) : nil } }
    }

    /// The member that says when an entry of a log was made.
    private func moment(in elements: [JSONNode]) -> JSONString? {
        let dates = common(elements).filter { member in
            let facts = ValueFacts(document, member.nodes)
            return facts.kind == .date || facts.kind == .number && facts.isTimestamp
        }
        return (dates.first { NameWords($0.key).has(GuessWords.moments) } ?? dates.first)?.key
    }

    /// The member that tells the elements apart.
    private func key(of nodes: [JSONNode], _ elements: [JSONNode]) -> JSONString? {
        let members = common(elements)
        func rank(_ key: JSONString) -> Int? {
            if let index = GuessWords.keys.firstIndex(of: key.string.lowercased()) { return index }
            return NameWords(key).ends(["id", "uuid"]) ? GuessWords.keys.count : nil
        }
        var best: (rank: Int, key: JSONString)?
        for member in members {
            guard let rank = rank(member.key), best.map({ rank < $0.rank }) ?? true else { continue }
            // One element tells nothing of a slug, a code or a name.
            if (9..<GuessWords.keys.count).contains(rank), elements.count < 2 { continue }
            if nodes.allSatisfy({ keyedElements(document, $0, by: member.key) != nil }),
                member.nodes.allSatisfy({ [.string, .number].contains(document.kind($0)) })
            {
                best = (rank, member.key)
            }
        }
        return best?.key
    }
}

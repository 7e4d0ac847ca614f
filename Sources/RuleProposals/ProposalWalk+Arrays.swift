import LosslessJSON
import MergeCore

extension ProposalWalk {
    mutating func visitArrays(_ nodes: [JSONNode], _ place: Place) {
        let elements = nodes.flatMap { Array(document.elements($0)) }
        let kinds = elements.map(document.kind)
        if place.name.has(GuessWords.opaque) { return }
        if kinds.allSatisfy({ $0 == .object }), !kinds.isEmpty { return visitObjects(in: nodes, elements, place) }
        guard kinds.allSatisfy({ [.number, .string].contains($0) }), isUnlocked(place.name), isDistinct(nodes) else {
            return
        }
        add(place.steps, Guess(MergeRule(.union), "a list that only grows; nothing in it is lost"))
    }

    /// Whether a list of this name only grows: achievements, or things whose name says that they are unlocked. In a
    /// game with prestige only cosmetic things count. The bare name "unlocked" does not count, because it may list what
    /// can be built now.
    private func isUnlocked(_ name: NameWords) -> Bool {
        if name.has(GuessWords.passing) || name.begins(GuessWords.switches) { return false }
        if name.ends(GuessWords.achievements) || name.begins(["unlocked"]) && name.has(GuessWords.achievements) {
            return true
        }
        guard name.words.count >= 2, name.begins(GuessWords.unlocked) || name.ends(GuessWords.unlocked) else {
            return false
        }
        return !startsOver || name.has(GuessWords.looks)
    }

    /// Whether no array contains a value twice. A set would lose the second one.
    private func isDistinct(_ nodes: [JSONNode]) -> Bool {
        nodes.allSatisfy { node in
            var seen = Set<[UInt8]>()
            return document.elements(node).allSatisfy { seen.insert(document.value($0).canonicalBytes).inserted }
        }
    }

    // MARK: Objects

    private mutating func visitObjects(in nodes: [JSONNode], _ elements: [JSONNode], _ place: Place) {
        guard let key = key(of: nodes, elements), key.isNameable else { return }
        let keyed = place.collected(.keyed(key))
        guard RulePattern(steps: keyed.steps).isSpelled else { return }
        add(keyed.steps, Guess(MergeRule(.latest), "elements are told apart by \"\(key)\", and merge one by one"))
        visitMembers(of: elements, keyed, except: key)
    }

    /// The members that all elements have, in the order of the first element.
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

    /// The member that identifies the elements: an id that is different in each of at least two elements. The name or
    /// type of a thing does not count, because it may occur twice in the next save.
    private func key(of nodes: [JSONNode], _ elements: [JSONNode]) -> JSONString? {
        guard elements.count >= 2 else { return nil }
        let members = common(elements).filter { member in
            nodes.allSatisfy { keyedElements(document, $0, by: member.key) != nil }
                && member.nodes.allSatisfy { [.string, .number].contains(document.kind($0)) }
        }
        for name in GuessWords.keys {
            if let member = members.first(where: { $0.key.string.lowercased() == name }) { return member.key }
        }
        return nil
    }
}

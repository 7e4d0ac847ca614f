import LosslessJSON
import MergeCore

extension ProposalWalk {
    mutating func visitArrays(_ nodes: [JSONNode], _ place: Place) {
        let elements = nodes.flatMap { Array(document.elements($0)) }
        let kinds = elements.map(document.kind)
        if kinds.allSatisfy({ $0 == .object }), !kinds.isEmpty { return visitObjects(in: nodes, elements, place) }
        if place.name.has(GuessWords.opaque) { return }
        // In a game with prestige the bits of achievements may start over with the run, and lists of bits are of such games.
        if !startsOver, !elements.isEmpty, isBits(elements, place.name) { return add(place.steps + [.any], Self.bits) }
        guard kinds.allSatisfy({ [.number, .string].contains($0) }), isUnlocked(place.name) || isBook(place.name),
            isDistinct(nodes)
        else { return }
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

    /// Whether a game keeps a book of such things: "visitedMaps", "mailReceived".
    private func isBook(_ name: NameWords) -> Bool {
        guard !startsOver, name.words.count == 2, !name.has(GuessWords.passing) else { return false }
        return name.begins(GuessWords.gathered) && name.ends(GuessWords.kept)
            || name.begins(GuessWords.kept) && name.ends(GuessWords.gathered)
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
        // Of the lists in which nothing is guessed, only that of the runs is told apart: they are over.
        let isOver = place.name.words == ["runs"]
        guard isOver || !place.name.has(GuessWords.opaque), let identity = identity(of: nodes, elements, place.name)
        else { return }
        guard case .member(let key, let isSlot) = identity else { return add(place.steps, Self.together) }
        var keyed = place.collected(.keyed(key))
        guard key.isNameable, RulePattern(steps: keyed.steps).isSpelled else { return }
        if isOver || isSlot {
            let reason = "elements are told apart by \"\(key)\", and each is one value"
            return add(keyed.steps, Guess(MergeRule(.latest, whole: true), reason))
        }
        add(keyed.steps, Guess(MergeRule(.latest), "elements are told apart by \"\(key)\", and merge one by one"))
        if place.name.ends(GuessWords.things) { keyed.context = .stacks }
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

    /// What tells the elements of a list apart.
    private enum Identity {
        /// A member, and whether it is the fixed slot of an element: what lies there is one value.
        case member(JSONString, isSlot: Bool)
        /// Nothing does; the list is one value.
        case nothing
    }

    /// What tells the elements apart: a member that differs in each of at least two elements. `nil` where nobody knows.
    ///
    /// The name or type of a thing does not count, because it may occur twice in the next save, and a list in which it
    /// does is not synced. So may the id of a stack that lies in a slot: another slot holds what the first one has no
    /// room for. Nor does a numbered slot tell stacks apart, since they move: a bag that is sorted on one machine while
    /// the other one uses something would hold some things twice, and others not at all.
    private func identity(of nodes: [JSONNode], _ elements: [JSONNode], _ collection: NameWords) -> Identity? {
        guard elements.count >= 2 else { return nil }
        let all = common(elements)
        let members = all.filter { member in
            nodes.allSatisfy { keyedElements(document, $0, by: member.key) != nil }
                && member.nodes.allSatisfy { [.string, .number].contains(document.kind($0)) }
        }
        func first(_ isKey: (NameWords) -> Bool) -> JSONString? {
            members.first { isKey(NameWords($0.key)) }?.key
        }
        if let key = first({ GuessWords.identities.contains($0.words) }) { return .member(key, isSlot: false) }
        let slot = first { GuessWords.slots.contains($0.words) }
        if slot != nil, all.contains(where: { Guess.isAmount(NameWords($0.key)) }) { return Identity.nothing }
        if let key = first({ $0.words == ["id"] }) ?? first({ $0.isID(of: collection) }) {
            return .member(key, isSlot: false)
        }
        let isNamed = members.contains { $0.key == slot && $0.nodes.allSatisfy { document.kind($0) == .string } }
        return isNamed ? slot.map { .member($0, isSlot: true) } : nil
    }
}

extension NameWords {
    /// Whether it is the id of what a collection of this name holds: "questId" of "quests", "itemId" of "inventory".
    /// Another id ("ownerId") is that of something else, and may occur twice.
    fileprivate func isID(of collection: NameWords) -> Bool {
        guard words.count == 2, words[1] == "id", let last = collection.words.last else { return false }
        let own = words[0]
        return last == own + "s" || last == own + "es" || own.last == "y" && last == own.dropLast() + "ies"
            || own == "item" && GuessWords.things.contains(last)
    }
}

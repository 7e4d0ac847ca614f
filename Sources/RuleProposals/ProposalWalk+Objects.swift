import LosslessJSON
import MergeCore

extension ProposalWalk {
    /// All members with one name, from all objects at a place.
    private struct Group {
        let key: JSONString
        var nodes: [JSONNode]
    }

    mutating func visitObjects(_ nodes: [JSONNode], _ place: Place) {
        if !place.isCollected, !place.steps.isEmpty, let guess = container(nodes, place) {
            return add(guess.rule.merge == .local ? place.steps + [.anyDepth] : place.steps, guess)
        }
        if place.name.has(GuessWords.opaque) { return }
        if place.isCollected, isCoordinates(nodes) { return add(place.steps, Self.together) }
        visitMembers(of: nodes, place, except: nil)
    }

    static let together = Guess(
        MergeRule(.latest, whole: true),
        "one value: its parts only make sense together"
    )

    /// A guess for the object as a whole; `nil` where its members are looked at one by one.
    private func container(_ nodes: [JSONNode], _ place: Place) -> Guess? {
        if isSettings(nodes, place.name) { return .local }
        let words = place.name.words
        let isRun = words == ["run"] || words.count == 2 && ["this", "current", "ongoing"].contains(words[0])
        if isRun, GuessWords.games.contains(words[words.count - 1]) {
            return Guess(MergeRule(.latest, whole: true), "the run in progress; its parts only make sense together")
        }
        let isSmall = nodes.allSatisfy { document.count($0) <= 16 && document.range($0).count <= 1_024 }
        let isTogether = isSmall && words.count <= 2 && place.name.ends(GuessWords.together) && hasOnlyScalars(nodes)
        return isTogether || isCoordinates(nodes) ? Self.together : nil
    }

    private func hasOnlyScalars(_ nodes: [JSONNode]) -> Bool {
        nodes.allSatisfy { node in
            document.members(node).allSatisfy { ![.object, .array].contains(document.kind($0.value)) }
        }
    }

    /// Whether a container holds settings: its name says so, a member has a name that only settings have, and no member
    /// has one of progress. All three are needed, because settings never leave the device.
    private func isSettings(_ nodes: [JSONNode], _ name: NameWords) -> Bool {
        guard let last = name.words.last, GuessWords.settings.contains(last) || GuessWords.devices.contains(last),
            name.words.dropLast().allSatisfy(GuessWords.settingOwners.contains)
        else { return false }
        var isFound = GuessWords.devices.contains(last)
        var waiting = nodes
        var count = 0
        while let node = waiting.popLast() {
            count += 1
            guard count <= Self.settingLimit else { return false }
            switch document.kind(node) {
            case .object:
                for (key, value) in document.members(node) {
                    let name = NameWords(key)
                    if name.has(GuessWords.progress) { return false }
                    isFound = isFound || name.has(GuessWords.settingMembers)
                    waiting.append(value)
                }
            case .array: waiting.append(contentsOf: document.elements(node))
            default: break
            }
        }
        return isFound
    }

    /// The most values in a container of settings.
    private static let settingLimit = 2_000

    /// Whether every object is a point or a colour.
    private func isCoordinates(_ nodes: [JSONNode]) -> Bool {
        nodes.allSatisfy { node in
            guard (2...4).contains(document.count(node)) else { return false }
            return document.members(node).allSatisfy {
                document.kind($0.value) == .number && GuessWords.coordinates.contains($0.key.string.lowercased())
            }
        }
    }

    // MARK: Members

    /// - Parameter except: The member that identifies elements; it is skipped.
    mutating func visitMembers(of nodes: [JSONNode], _ place: Place, except: JSONString?) {
        var groups: [Group] = []
        var indexes: [JSONString: Int] = [:]
        for node in nodes {
            for (key, value) in document.members(node) where key != except {
                if let index = indexes[key] {
                    groups[index].nodes.append(value)
                } else {
                    indexes[key] = groups.count
                    groups.append(Group(key: key, nodes: [value]))
                }
            }
        }
        var place = place
        if let context = context(groups, place) { place.context = context }
        let folded = foldedMembers(groups, nodes.count, place)
        var star = place.collected(.any)
        if let prefix = commonPrefix(groups), !isNamed(groups, place) {
            star.name = NameWords(JSONString(bytes: prefix))
            star.context = GuessContext(star.name) ?? place.context
        }
        // In statistics whose members are resource names such as "minecraft:stone", every value is a count. In other
        // statistics the values may be anything, and only their own names say more.
        if star.context == .statistics, !folded.allSatisfy({ groups[$0].key.bytes.contains(UInt8(ascii: ":")) }) {
            star.context = .none
        }
        var named = groups
        if !folded.isEmpty {
            let before = candidates.count
            visit(folded.flatMap { groups[$0].nodes }, star)
            let isRuled = candidates.dropFirst(before).contains { $0.steps == star.steps }
            for index in folded where isRuled && NameWords(groups[index].key).has(["since", "current", "streak"]) {
                addStandard(place.steps + [.literal(groups[index].key)], groups[index].key)
            }
            let isFolded = Set(folded)
            named = groups.indices.filter { !isFolded.contains($0) }.map { groups[$0] }
            for group in named where group.key.isNameable {
                let before = candidates.count
                let member = place.member(group.key)
                visit(group.nodes, member)
                let isScalar = group.nodes.allSatisfy { ![.object, .array].contains(document.kind($0)) }
                if isRuled, isScalar, candidates.count == before { addStandard(member.steps, group.key) }
            }
            return
        }
        for group in named where group.key.isNameable { visit(group.nodes, place.member(group.key)) }
    }

    /// What members say about the ones beside them: an object with criteria that have dates is an achievement, and a level
    /// with the fewest moves has its shortest time.
    private func context(_ groups: [Group], _ place: Place) -> GuessContext? {
        if place.context == .levels, groups.contains(where: { hasFewest(NameWords($0.key)) }) {
            return .solvedLevels
        }
        let isAchievement = groups.contains { group in
            GuessContext(NameWords(group.key)) == .criteria && hasOnlyScalars(group.nodes)
                && ValueFacts(document, group.nodes.flatMap { document.members($0).map(\.value) }).kind == .date
        }
        return isAchievement ? .achievements : nil
    }

    private func hasFewest(_ name: NameWords) -> Bool { Guess.isLeast(name) && name.ends(GuessWords.fewIsGood) }

    private mutating func addStandard(_ steps: [RulePattern.Step], _ key: JSONString) {
        if key.isNameable { add(steps, .standard) }
    }

    /// The members that are entries of a dictionary, whose names are data. They share one rule.
    private func foldedMembers(_ groups: [Group], _ count: Int, _ place: Place) -> [Int] {
        if place.context == .criteria { return Array(groups.indices) }
        let ids = groups.indices.filter { groups[$0].key.looksLikeID }
        if !ids.isEmpty, ids.count * 5 >= groups.count * 4, ids.count > 1 || groups.count == 1 { return ids }
        if commonPrefix(groups) != nil { return Array(groups.indices) }
        if hasOneShape(groups, isRoot: place.steps.isEmpty) { return Array(groups.indices) }
        return place.steps.isEmpty || place.isCollected ? [] : foldedScalars(groups, place)
    }

    /// The common prefix of numbered names, such as `level` of level1, level2, level3; `nil` where the names do not
    /// share one.
    private func commonPrefix(_ groups: [Group]) -> [UInt8]? {
        guard groups.count >= 3, let prefix = groups[0].key.numberedPrefix else { return nil }
        return groups.allSatisfy { $0.key.numberedPrefix == prefix && !$0.key.looksLikeID } ? prefix : nil
    }

    /// Whether the name of the collection says what its scalars are, as in `bestTimes: {level1: …}`.
    private func isNamed(_ groups: [Group], _ place: Place) -> Bool {
        let facts = ValueFacts(document, groups.flatMap(\.nodes))
        return guess(place.name, facts, place.context, true) != nil
    }

    /// Whether there are many objects with mostly the same member names.
    private func hasOneShape(_ groups: [Group], isRoot: Bool) -> Bool {
        guard groups.count >= (isRoot ? 8 : 3) else { return false }
        var names = Set<JSONString>()
        var (members, values) = (0, 0)
        for group in groups {
            for node in group.nodes {
                guard document.kind(node) == .object else { return false }
                for (key, _) in document.members(node) { names.insert(key) }
                members += document.count(node)
                values += 1
            }
        }
        guard names.count >= (groups.count < 8 ? 2 : 1) else { return false }
        let similarity = groups.count < 8 ? 100 : 60
        return members * 100 >= names.count * values * similarity
    }

    /// The scalars of one kind for which the name of their collection says more than their own. Scalars with another
    /// guess of their own, or with a name that no total has, are skipped.
    private func foldedScalars(_ groups: [Group], _ place: Place) -> [Int] {
        guard groups.count >= 2 else { return [] }
        let all = ValueFacts(document, groups.flatMap(\.nodes))
        // The name "statistics" says nothing about a value; the value's own name does.
        let context = place.context == .statistics ? .none : place.context
        guard all.kind != .mixed, all.kind != .text, let common = guess(place.name, all, context, true) else {
            return []
        }
        return groups.indices.filter { index in
            let facts = ValueFacts(document, groups[index].nodes)
            let name = NameWords(groups[index].key)
            let own = guess(name, facts, place.context, false)
            return own.map { $0.rule == common.rule } ?? !Guess.isApart(name)
        }
    }
}

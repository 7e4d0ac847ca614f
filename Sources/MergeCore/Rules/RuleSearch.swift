import LosslessJSON

/// A search of a document for the places of one pattern after another. It reads the document where it stands and copies
/// none of it.
struct RuleSearch {
    enum Outcome {
        /// A place matches, or may match once a container that is empty now holds something.
        case fits
        /// No place matches. `near` is the spelling that was probably meant.
        case nowhere(near: String?)
        /// A place matches, but the rule cannot read its value: the place, and the reason.
        case unreadable(String, String)
        /// A `**` would match a place in a list that the rules do not take apart: the list, and the pattern that reaches
        /// the place.
        case unreached(list: String, inside: String)
        /// No place matches among those that could be looked at.
        case notCompared
    }

    /// One step of the place that is looked at. A name is read only for a message.
    enum Crumb {
        case step(RulePattern.Step)
        case member(JSONNode)
        case index(Int, in: JSONNode)
    }

    /// The way in which the rules treat an array: they take it apart, name it as one value, or do not mention it.
    enum List {
        case takenApart, meant, unknown
    }

    /// How many values every rule may look at, whatever the others took: enough for a pattern of names.
    private static let least = 200
    /// Most keys that are compared with the words of one rule that were not found.
    private static let comparedKeys = 2_000
    /// The cost of comparing one key with a word. The unit is one value that is looked at.
    private static let costOfKey = 8

    let document: JSONDocument
    let rules: RuleMatcher
    /// Arrays for which it is known what the rules do to them.
    var lists: [JSONNode: List] = [:]
    /// The arrays that were looked at by their key, once for all rules that tell their elements apart.
    private var keyed = Set<JSONNode>()
    /// How many values all rules together may still look at.
    private var left: Int

    // The state of the search for one rule, set anew by `look`:
    var rule = MergeRule.standard
    /// How many values this rule may still look at.
    var budget = 0
    /// The number of steps from the first `**` on, that one included; 0 without one. With fewer steps left the search
    /// is past `**`, where an empty container says nothing.
    private var stepsAfterAnyDepth = 0
    private var endsInAnyDepth = false
    var place: [Crumb] = []
    private var isFound = false
    private var isOpen = false
    private var unreadable: (place: String, reason: String)?
    private var unreached: (list: String, inside: String)?
    /// The members by which the rule compares and that no value had until now, and a name like one of them.
    var missing: [JSONString] = []
    var nearMissing: (JSONString, String)?
    var comparesSome = false
    private var near: String?
    /// How many keys may still be compared with words that were not found.
    private var keysLeft = 0

    init(_ document: JSONDocument, _ rules: RuleSet, limit: Int) {
        (self.document, left) = (document, limit)
        self.rules = RuleMatcher(rules)
    }

    mutating func look(for entry: RuleSet.Entry, rulesLeft: Int) -> Outcome {
        (rule, place, isFound, isOpen, unreadable, near) = (entry.rule, [], false, false, nil, nil)
        (unreached, missing, nearMissing, comparesSome) = (nil, rule.comparedMembers, nil, false)
        // What names alone cost is known to be little, so they need not keep to a share.
        let share = max(entry.pattern.isLiteral ? left : left / max(1, rulesLeft), Self.least)
        (budget, keysLeft) = (share, Self.comparedKeys)
        defer { left = max(0, left - (share - max(0, budget))) }
        let steps = entry.pattern.steps
        endsInAnyDepth = steps.last == .anyDepth
        stepsAfterAnyDepth = steps.firstIndex(of: .anyDepth).map { steps.count - $0 } ?? 0
        visit(document.root, steps[...])
        if let unreadable { return .unreadable(unreadable.place, unreadable.reason) }
        if let unreached { return .unreached(list: unreached.list, inside: unreached.inside) }
        if comparesSome, budget > 0, let missingMember {
            return .unreadable(entry.pattern.description, missingMember)
        }
        if isFound || isOpen { return .fits }
        if budget <= 0 { return .notCompared }
        return .nowhere(near: near ?? elsewhere(entry.pattern))
    }

    /// Whether nothing that is still to be looked at can change the outcome.
    private var isDecided: Bool {
        if unreadable != nil { return true }
        // A `**` that was found to match may still stop at a list.
        return isFound && rule.readsEverything && missing.isEmpty && (stepsAfterAnyDepth < 2 || unreached != nil)
    }

    private mutating func visit(_ node: JSONNode, _ steps: ArraySlice<RulePattern.Step>) {
        budget -= 1
        guard budget > 0, !isDecided else { return }
        guard let step = steps.first else { return check(node) }
        let rest = steps.dropFirst()
        let kind = document.kind(node)
        switch (step, kind) {
        case (.literal, _) where isEmpty(node), (.any, _) where isEmpty(node), (.keyed, _) where isEmpty(node):
            if steps.count >= stepsAfterAnyDepth { isOpen = true }
        case (.anyDepth, _):
            visit(node, rest)
            visitChildren(of: node, steps)
        case (.any, _): visitChildren(of: node, rest)
        case (.literal(let name), .object):
            // Finding a member compares the keys one after another.
            budget -= document.count(node) / 16
            if let member = document.member(node, named: name) {
                visit(member, rest, at: .step(step))
            } else {
                suggest(name, node, rest)
            }
        case (.literal(let name), .array):
            guard let index = Int(name.string), index >= 0 else { break }
            guard index < document.count(node) else { return isOpen = true }
            budget -= index / 16
            if let element = document.element(node, at: index) { visit(element, rest, at: .index(index, in: node)) }
        case (.keyed(let key), .array): visitElements(of: node, by: key, rest)
        case (.literal(let name), _): suggest(name, nil, rest)
        default: break
        }
    }

    private mutating func visit(_ node: JSONNode, _ steps: ArraySlice<RulePattern.Step>, at crumb: Crumb) {
        place.append(crumb)
        visit(node, steps)
        place.removeLast()
    }

    private mutating func visitChildren(of node: JSONNode, _ steps: ArraySlice<RulePattern.Step>) {
        let isObject = document.kind(node) == .object
        for (index, child) in document.children(node).enumerated() {
            visit(child, steps, at: isObject ? .member(child) : .index(index, in: node))
            if budget <= 0 || isDecided { return }
        }
    }

    private mutating func visitElements(
        of node: JSONNode, by key: JSONString, _ rest: ArraySlice<RulePattern.Step>
    ) {
        var other: JSONNode?
        var isKeyed = false
        for element in document.elements(node) {
            budget -= 1
            if budget <= 0 { return }
            if isDecided { break }
            guard document.kind(element) == .object else { continue }
            budget -= document.count(element) / 16
            if document.member(element, named: key) != nil {
                isKeyed = true
                visit(element, rest, at: .step(.keyed(key)))
            } else if other == nil {
                other = element
            }
        }
        if isKeyed { checkKeys(of: node, by: key) }
        guard near == nil, let other, let word = nearKey(to: key, of: other) else { return }
        suggest(spelled + [.keyed(JSONString(word))] + rest)
    }

    /// Handles an array some of whose elements have the member by which a rule tells them apart.
    private mutating func checkKeys(of node: JSONNode, by key: JSONString) {
        guard unreadable == nil, !keyed.contains(node) else { return }
        budget -= document.count(node)
        let matcher = matcher(at: place[...])
        guard budget > 0, matcher.arrayShape == .keyed(key), !matcher.keepsElements else { return }
        keyed.insert(node)
        guard let reason = whyNotKeyed(document, node, by: key) else { return }
        unreadable = (RulePattern(steps: spelled + [.keyed(key)]).description, reason)
    }

    /// Handles a place that the pattern matches: notes whether the rule can read the value there.
    private mutating func check(_ node: JSONNode) {
        if stepsAfterAnyDepth > 1, let (barrier, isMeant) = firstBarrier() {
            if isMeant { isOpen = true }
            if !isMeant, unreached == nil {
                let steps = spelled
                let inside = zip(place, steps).dropFirst(barrier).map { crumb, step in
                    if case .index = crumb { RulePattern.Step.any } else { step }
                }
                unreached = (
                    RulePattern(steps: Array(steps.prefix(barrier))).description,
                    RulePattern(steps: steps.prefix(barrier) + inside).description
                )
            }
            return
        }
        isFound = true
        compareMembers(of: node)
        guard !rule.readsEverything, !isTakenApart(node) else { return }
        if !rule.none.isEmpty {
            budget -= document.text(node).count / 16
            let bytes = document.value(node).jsonBytes
            if rule.none.contains(where: { $0.jsonBytes == bytes }) { return }
        }
        let pattern = RulePattern(steps: spelled)
        if let reason = rule.misreading(outline(node), at: pattern) ?? repetition(in: node) {
            unreadable = (pattern.description, reason)
        }
    }

    /// Whether the rule is for what is in a container that its pattern matches as well, since that ends in `**`.
    private func isTakenApart(_ node: JSONNode) -> Bool {
        endsInAnyDepth && !rule.takesElements && [.object, .array].contains(document.kind(node)) && !isEmpty(node)
    }

    private mutating func repetition(in node: JSONNode) -> String? {
        guard rule.takesElements, document.kind(node) == .array else { return nil }
        budget -= document.text(node).count / 16
        return budget > 0 ? rule.repetition(in: document.elements(node).map { document.value($0) }) : nil
    }

    // MARK: What was meant

    /// Notes the member or the place that was probably meant by a name.
    ///
    /// - Parameter object: The object that lacks the member; `nil` where there is no object.
    private mutating func suggest(_ name: JSONString, _ object: JSONNode?, _ rest: ArraySlice<RulePattern.Step>) {
        guard near == nil else { return }
        if name.bytes.isEmpty, rest.isEmpty {
            // The pattern "/coins/" ends in an empty name; "/coins" was meant.
            if !place.isEmpty { near = RulePattern(steps: spelled).description }
        } else if let object, let word = nearKey(to: name, of: object) {
            suggest(spelled + [.literal(JSONString(word))] + rest)
        }
    }

    private mutating func suggest(_ steps: [RulePattern.Step]) {
        if near == nil { near = RulePattern(steps: steps).description }
    }

    mutating func nearKey(to name: JSONString, of object: JSONNode) -> String? {
        // Something of the budget stays, so that a lack of words is not taken for a lack of comparing.
        let most = max(0, min(keysLeft, (budget - 1) / Self.costOfKey))
        let keys = document.members(object).prefix(most).map { $0.key.string }
        keysLeft -= keys.count
        budget -= keys.count * Self.costOfKey
        return NearWord.of(name.string, in: keys)
    }

    /// The first place of the document, in breadth-first order, whose last name is the last name of a pattern.
    private mutating func elsewhere(_ pattern: RulePattern) -> String? {
        guard case .literal(let name)? = pattern.steps.last, !name.bytes.isEmpty else { return nil }
        var waiting = [document.root]
        var next = 0
        while next < waiting.count {
            let node = waiting[next]
            next += 1
            guard document.kind(node) == .object else { continue }
            for member in document.children(node) {
                budget -= 1
                guard waiting.count < 10_000, budget > 0 else { return nil }
                if document.keyEquals(member, name) {
                    return RulePattern(literally: document.pointer(to: member)).description
                }
                waiting.append(member)
            }
        }
        return nil
    }

    // MARK: Values

    /// The steps of the place that is looked at.
    private var spelled: [RulePattern.Step] {
        place.map { crumb in
            switch crumb {
            case .step(let step): step
            case .member(let node): .literal(document.key(of: node) ?? "")
            case .index(let index, _): .literal(JSONString(String(index)))
            }
        }
    }

    private func isEmpty(_ node: JSONNode) -> Bool {
        switch document.kind(node) {
        case .null: true
        case .array, .object: document.count(node) == 0
        default: false
        }
    }

    /// A value; of an object or an array only whether it is empty.
    private func outline(_ node: JSONNode) -> JSONValue {
        switch document.kind(node) {
        case .array: .array(isEmpty(node) ? [] : [.null])
        case .object: .object(isEmpty(node) ? [] : [JSONMember(key: "", value: .null)])
        default: document.value(node)
        }
    }
}

public import LosslessJSON

extension ThreeWayMerge {
    /// The result of the merge at one place that both sides changed.
    public struct Decision: Hashable, Sendable, CustomStringConvertible {
        /// The place in the document.
        public let path: DocumentPath
        /// The rule that decided. It is ``MergeRule/Merge/set`` for an element of an array of objects that one side
        /// removed and the other changed.
        public let rule: MergeRule
        /// The value of the ancestor there; `nil` if it has none, or if there is no ancestor.
        public let base: JSONValue?
        /// The value of A there; `nil` for none.
        public let a: JSONValue?
        /// The value of B there; `nil` for none.
        public let b: JSONValue?
        /// The value of the result there; `nil` for none.
        public let merged: JSONValue?

        /// A sentence for people, on one line: `/coins (counter): 100 became 120 in A and 130 in B; the result is 150`.
        public var description: String {
            let name = path.encoded.isEmpty ? "the whole document" : "\(path)"
            let before = base.map { "\(Self.text($0)) became " } ?? ""
            return "\(name) (\(rule.merge.rawValue)): \(before)\(Self.text(a)) in A and \(Self.text(b)) in B; "
                + "the result is \(Self.text(merged))"
        }

        /// Most characters shown of one value.
        private static let shown = 60

        private static func text(_ value: JSONValue?) -> String {
            guard let value else { return "nothing" }
            let text = String(decoding: value.jsonBytes, as: UTF8.self)
            return text.count <= shown ? text : text.prefix(shown) + "…"
        }
    }
}

/// The places that both sides changed.
struct BothChanged {
    private var rules: [DocumentPath: MergeRule] = [:]
    /// The places that are elements of arrays of objects. Such a place is a decision only if one side removed the
    /// element and the other kept it.
    private var elements = Set<DocumentPath>()

    /// - Parameters:
    ///   - left: The changes of A; `nil` without an ancestor: then every place counts that both have.
    init(_ left: [LeafChange]?, _ right: [LeafChange]?, a: JSONDocument, b: JSONDocument, rules set: RuleSet) {
        guard let left, let right else {
            for change in DocumentDiff(from: a, to: b, rules: set).changes {
                switch change.change {
                case .value(.some, .some), .elements: rules[change.path] = change.rule
                default: continue
                }
            }
            return
        }
        var mine: [DocumentPath: MergeRule] = [:]
        for change in left { Self.place(change).map { mine[change.path] = $0.rule } }
        for change in right {
            guard let place = Self.place(change), mine[change.path] != nil else { continue }
            rules[change.path] = place.rule
            if place.isElement { elements.insert(change.path) }
        }
    }

    private static func place(_ change: LeafChange) -> (rule: MergeRule, isElement: Bool)? {
        switch change.change {
        case .value, .elements: (change.rule, false)
        case .elementAppeared, .elementVanished, .elementTouched: (MergeRule(.set), true)
        default: nil
        }
    }

    func decisions(
        a: JSONDocument,
        b: JSONDocument,
        base: JSONDocument?,
        merged: JSONDocument,
        rules set: RuleSet
    ) -> [ThreeWayMerge.Decision] {
        if rules.isEmpty { return [] }
        let tree = PlaceTree(rules.keys)
        let (inA, inB) = (tree.values(of: a, set), tree.values(of: b, set))
        let (inBase, result) = (base.map { tree.values(of: $0, set) } ?? [:], tree.values(of: merged, set))
        return rules.sorted { $0.key < $1.key }.compactMap { path, rule in
            let isSame = Self.same(inA[path], inB[path], rule) && Self.same(inA[path], result[path], rule)
            if isSame || (elements.contains(path) && inA.keys.contains(path) == inB.keys.contains(path)) { return nil }
            return ThreeWayMerge.Decision(
                path: path,
                rule: rule,
                base: inBase[path],
                a: inA[path],
                b: inB[path],
                merged: result[path]
            )
        }
    }

    /// Whether two values are equal under a rule. The order of a set's elements does not count, since it is only
    /// presentation.
    private static func same(_ a: JSONValue?, _ b: JSONValue?, _ rule: MergeRule) -> Bool {
        if case .array(let first)? = a, case .array(let second)? = b, rule.takesElements {
            return Set(first) == Set(second)
        }
        return a == b
    }
}

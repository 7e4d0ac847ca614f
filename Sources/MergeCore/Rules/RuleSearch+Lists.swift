import LosslessJSON

/// The members by which a rule compares, and the arrays on the way to a place.
extension RuleSearch {
    // MARK: Members to compare by

    /// Notes which of the members by which the rule compares are there.
    mutating func compareMembers(of node: JSONNode) {
        guard !missing.isEmpty else { return }
        guard rule.takesElements else { return compareMembers(in: node) }
        guard document.kind(node) == .array else { return }
        for element in document.elements(node) {
            budget -= 1
            if budget <= 0 || missing.isEmpty { return }
            compareMembers(in: element)
        }
    }

    private mutating func compareMembers(in node: JSONNode) {
        guard document.kind(node) == .object, document.count(node) > 0 else { return }
        comparesSome = true
        budget -= document.count(node) / 16
        missing = missing.filter { document.member(node, named: $0) == nil }
        guard nearMissing == nil else { return }
        for name in missing {
            if let word = nearKey(to: name, of: node) {
                nearMissing = (name, word)
                return
            }
        }
    }

    /// That no value has a member by which the rule compares; `nil` where each has been found.
    var missingMember: String? {
        guard let name = nearMissing.map(\.0).flatMap({ missing.contains($0) ? $0 : nil }) ?? missing.first else {
            return nil
        }
        let what = rule.takesElements ? "element of the list" : "value there"
        let meant = nearMissing.flatMap { $0.0 == name ? "; did you mean \"\($0.1)\"?" : nil } ?? ""
        return "no \(what) has the member \"\(name.string)\" by which \(rule.merge.rawValue) compares\(meant)"
    }

    // MARK: Lists

    /// The number of steps to the first array on the way that the rules do not take apart, and whether a rule says that.
    mutating func firstBarrier() -> (depth: Int, isMeant: Bool)? {
        for (depth, crumb) in place.enumerated() {
            guard case .index(_, let array) = crumb else { continue }
            if lists[array] == nil {
                let matcher = matcher(at: place[..<depth])
                budget -= depth * (1 + matcher.width / 16)
                lists[array] = matcher.arrayShape != .leaf ? .takenApart : matcher.isListMeant ? .meant : .unknown
            }
            if lists[array] != .takenApart { return (depth, lists[array] == .meant) }
        }
        return nil
    }

    func matcher(at crumbs: ArraySlice<Crumb>) -> RuleMatcher {
        crumbs.reduce(rules) { matcher, crumb in
            switch crumb {
            case .step(.literal(let name)): return matcher.stepping(.member(name))
            case .member(let node): return matcher.stepping(.member(document.key(of: node) ?? ""))
            case .step: return matcher.stepping(.element([]))
            case .index(let index, _):
                if case .keyed = matcher.arrayShape { return matcher.stepping(.element([])) }
                return matcher.stepping(.index(index))
            }
        }
    }
}

import LosslessJSON

/// Which of two rule sets stands: first the one with more versions of the save behind it, then the later one.
///
/// Rules that lead to a later version must not lose against an edit of the old rules that somebody made meanwhile, be
/// it later by the clock: their writer may have lifted his file, and an old game must not bring it back. So the count
/// of versions goes before the stamp. It stands in the atom, because which of two versions is the later one can be
/// asked of either rule set, and they need not agree; a join needs one order that all devices share.
enum RulesOrder {
    /// The count that the content of a `#rules` atom tells; 0 where it tells none, whatever else it holds.
    static func generation(of content: ArraySlice<UInt8>) -> UInt64 {
        guard content.count > 8, let value = try? JSONValue(parsing: Array(content.dropFirst(8))),
            let version = value["version"]
        else { return 0 }
        return generation(ofVersion: version) ?? 0
    }

    static func generation(ofVersion version: JSONValue) -> UInt64? {
        guard case .number(let number)? = version["generation"] else { return nil }
        return UInt64(number.text)
    }

    /// The count for rules that come after others. Rules that go over several versions at once count them all, so that
    /// they stand over others that go over one.
    static func generation(of rules: RuleSet, after former: TravellingRules?) -> UInt64 {
        let own = VersionLabel(rules) == .none ? 0 : UInt64(rules.migrations.count)
        guard let former else { return own }
        if VersionLabel(rules) == VersionLabel(former.rules) { return former.generation }
        let order = VersionOrder(rules)
        let start = former.rules.version.flatMap(order.index(of:)) ?? order.versions.count
        let passed = UInt64(max(1, order.versions.count - 1 - start))
        let (sum, overflow) = former.generation.addingReportingOverflow(passed)
        return overflow ? .max : max(sum, own)
    }
}

extension RuleSet {
    /// How the version that these rules describe stands to that of others.
    public enum VersionChange: Hashable, Sendable {
        /// The same one.
        case none
        /// A later one, or one that the others know nothing of.
        case later
        /// An earlier one.
        case earlier
    }

    /// How the version that these rules describe stands to that of the rules in force.
    public func versionChange(from former: RuleSet) -> VersionChange {
        let (own, other) = (VersionLabel(self), VersionLabel(former))
        if own == other { return .none }
        guard own != .none, other != .none, let version, let before = former.version else { return .later }
        let order = VersionOrder(self)
        if order.index(of: before) != nil { return .later }
        if VersionOrder(former).index(of: version) != nil { return .earlier }
        return order.isBeyond(before) ? .earlier : .later
    }
}

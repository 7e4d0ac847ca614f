import LosslessJSON

/// The order that decides which of two rule sets is in force: first the one that comes after more versions of the save,
/// then the one with the later stamp.
///
/// Rules that lead to a later version must not lose against a concurrent edit of the old rules, even if that edit is
/// later by the clock. Their writer may have upcast the save file to the new version already, and an old game must not
/// bring the old version back. So the count of versions (the generation) is compared before the stamp.
///
/// The count is stored in the atom. Either rule set could say which of the two versions is later, but the two may
/// disagree; a join needs one order that all devices share.
enum RulesOrder {
    /// The largest generation of rules. No save has so many versions; rules beyond that are refused.
    static let generationLimit: UInt64 = 1 << 20

    /// The generation in the content of a `#rules` atom; 0 where the content holds none or cannot be read.
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

    /// The generation for rules that replace others. Rules that go over several versions at once count all of them, so
    /// that they win against rules that go over one.
    static func generation(of rules: RuleSet, after former: ReplicatedRules?) -> UInt64 {
        min(generationLimit, count(rules, after: former))
    }

    /// The generation for rules that replace the content of an atom, which this version may be unable to read. Rules whose
    /// stamp no later one can follow are outdone by a generation.
    static func generation(above content: ArraySlice<UInt8>, isLast: Bool) -> UInt64 {
        min(generationLimit, min(generationLimit, generation(of: content)) + (isLast ? 1 : 0))
    }

    private static func count(_ rules: RuleSet, after former: ReplicatedRules?) -> UInt64 {
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
    /// How the version that one rule set describes relates to the version of another.
    public enum VersionChange: Hashable, Sendable {
        /// Both describe the same version.
        case none
        /// The version is later, or the other rules do not know it.
        case later
        /// The version is earlier.
        case earlier
    }

    /// How the version that these rules describe relates to the version of the rules in force.
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

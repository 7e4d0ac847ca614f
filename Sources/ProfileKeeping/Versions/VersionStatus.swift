package import LosslessJSON
package import MergeCore

/// How the version of a save relates to the version of its profile's rules.
package enum VersionStatus: Hashable, Sendable {
    /// The save is of the same version, or the rules name no versions.
    case current
    /// The save is of this earlier version (`nil` if it states none). Play in it counts, upcast; the file stays as it
    /// is.
    case behind(String?)
    /// The save cannot be used. The text is one sentence without the file's name.
    case refused(String, isNewer: Bool)

    package init(_ document: JSONDocument, _ rules: RuleSet) {
        switch SaveVersion.detect(document, rules) {
        case .same: self = .current
        case .unversioned where rules.migrations.isEmpty && rules.legacy == nil: self = .current
        case .newer(let version):
            self = .refused(
                "is of version \(version), newer than the rules (\(rules.version ?? "none")): update the rules, or the game on this device",
                isNewer: true)
        case .older(let version): self = Self.upcasted(document, rules, version)
        case .unversioned: self = Self.upcasted(document, rules, nil)
        case .unknown(let version) where rules.legacy == nil:
            self = .refused(
                "is of version \(version), from which no step of the rules leads to \(rules.version ?? ""): update the game on this device, or add the steps to the rules",
                isNewer: false)
        case .unknown(let version): self = Self.upcasted(document, rules, version)
        }
    }

    private static func upcasted(_ document: JSONDocument, _ rules: RuleSet, _ version: String?) -> VersionStatus {
        let report = Migration.run(document, rules: rules, dryRun: true).report
        return report.errors.first.map { .refused("cannot be used: \($0)", isNewer: false) } ?? .behind(version)
    }
}

extension JSONDocument {
    /// The document at the version of rules, as a start; `nil` where it cannot be upcast.
    func current(_ rules: RuleSet) -> JSONDocument? {
        switch VersionStatus(self, rules) {
        case .current: self
        case .behind: Migration.run(self, rules: rules).text.flatMap { try? JSONDocument(parsing: $0) }
        case .refused: nil
        }
    }
}

public import LosslessJSON

extension Migration {
    /// Migrates a save to a later version: takes every step in order, on a copy, and checks the result.
    ///
    /// Everything that no step touches keeps its bytes and its place. The save states its new version afterwards, as a
    /// number if it was one. Steps that find nothing are skipped. Where anything fails, nothing is changed: there is
    /// only the report, which says why. A save of the wanted version comes back unchanged.
    ///
    /// - Parameters:
    ///   - document: The save.
    ///   - rules: The rules with their migrations.
    ///   - target: The version wanted; `nil` for that of the rules.
    ///   - dryRun: The same report, and no text.
    /// - Returns: The new text and what was done. Errors: the save is newer (update the game), its version is not known
    ///   and there are no legacy steps, a step failed, or a rule cannot read the result.
    /// - Complexity: O(steps · document).
    public static func run(
        _ document: JSONDocument,
        rules: RuleSet,
        to target: String? = nil,
        dryRun: Bool = false
    ) -> MigrationResult {
        let order = VersionOrder(rules)
        let wanted = target ?? rules.version ?? ""
        let found = SaveVersion.detect(document, rules, target: target)
        var report = MigrationReport(
            from: found.text ?? (found == .same ? wanted : nil),
            to: wanted,
            size: document.bytes.count
        )
        guard target.map({ order.index(of: $0) != nil }) ?? true else {
            report.errors = ["the rules know no version \"\(wanted)\"; they know \(order.list)"]
            return MigrationResult(text: nil, report: report)
        }
        let steps: [Migration]
        switch found {
        case .same: return unchanged(document, report, dryRun)
        case .newer(let version):
            report.errors = [
                "the save is of version \"\(version)\" and this is \"\(wanted)\"; update the game on this device"
            ]
            return MigrationResult(text: nil, report: report)
        case .older(let version): steps = chain(rules, order, from: version, to: wanted)
        case .unversioned, .unknown:
            guard let legacy = rules.legacy else {
                report.errors = ["\(found.sentence), and the rule file has no legacy steps; add \"legacy\" to it"]
                return MigrationResult(text: nil, report: report)
            }
            guard let start = order.index(of: legacy.to), let end = order.index(of: wanted), start <= end else {
                report.errors = ["the legacy steps end at \"\(legacy.to)\", which is later than \"\(wanted)\""]
                return MigrationResult(text: nil, report: report)
            }
            steps = [legacy] + chain(rules, order, from: legacy.to, to: wanted)
        }
        var run = StepRun(document, report)
        guard run.take(steps), run.write(wanted, rules), wanted != rules.version || run.check(document, rules) else {
            return MigrationResult(text: nil, report: run.report)
        }
        return run.finished(document, run.document.bytes, dryRun)
    }

    static func unchanged(_ document: JSONDocument, _ report: MigrationReport, _ dryRun: Bool) -> MigrationResult {
        StepRun(document, report).finished(document, document.bytes, dryRun)
    }

    /// The migrations from one listed version to a later one; both must be listed.
    static func chain(_ rules: RuleSet, _ order: VersionOrder, from: String, to: String) -> [Migration] {
        guard let start = order.index(of: from), let end = order.index(of: to), start < end else { return [] }
        return Array(rules.migrations[start..<end])
    }
}

extension SaveVersion {
    /// The version that the save states; `nil` where it is the wanted one or the save states none.
    var text: String? {
        switch self {
        case .older(let version), .newer(let version), .unknown(let version): version
        case .same, .unversioned: nil
        }
    }

    fileprivate var sentence: String {
        if case .unknown(let version) = self {
            "nobody knows the save's version \"\(version.prefix(80))\""
        } else {
            "the save says no version"
        }
    }
}

extension VersionOrder {
    /// The versions as text for people, the newest last; at most ten of them.
    var list: String { (versions.count > 10 ? ["…"] : []).joined() + versions.suffix(10).joined(separator: ", ") }
}

extension StepRun {
    /// Writes the version into the save. Returns false, with an error in the report, where it cannot be written.
    mutating func write(_ version: String, _ rules: RuleSet) -> Bool {
        guard let place = rules.versionAt, let pointer = try? JSONPointer(parsing: place) else { return true }
        do throws(MigrationFault) {
            guard let node = node(pointer) else {
                let value = JSONValue.string(JSONString(version))
                if let edit = try adding(value, at: pointer.tokens, from: document.root, .root) { try patch([edit]) }
                return true
            }
            var value = JSONValue.string(JSONString(version))
            if document.kind(node) == .number, let number = JSONNumber(text: version) { value = .number(number) }
            if document.value(node) != value { try patch([.replace(node, value)]) }
            return true
        } catch {
            report.errors.append("the version cannot be written to \"\(pointer)\": \(error.message)")
            return false
        }
    }

    /// Checks that the rules can read the result. A value that they could not read before either is listed, and is no
    /// error.
    mutating func check(_ former: JSONDocument, _ rules: RuleSet) -> Bool {
        for finding in SaveCheck(document, rules).findings {
            if let node = former.node(at: finding.place), former.sameValue(node, as: finding.node, in: document) {
                report.unreadable.append(.init(place: finding.place, value: document.value(finding.node)))
            } else {
                report.errors.append("\"\(finding.place)\" does not fit its rule: \(finding.reason)")
            }
        }
        return report.errors.isEmpty
    }

    /// The result of a migration: the given text, and the report with the members that kept their bytes.
    func finished(_ former: JSONDocument, _ text: [UInt8], _ dryRun: Bool) -> MigrationResult {
        var report = report
        report.sizeAfter = text.count
        let now = document.membersByKey(document.root)
        for (key, member) in former.members(former.root) {
            guard let node = now[key], former.sameText(member, as: node, in: document) else { continue }
            report.kept.append(JSONPointer(tokens: [key]))
        }
        return MigrationResult(text: dryRun ? nil : text, report: report)
    }
}

package import LosslessJSON
package import MergeCore

/// The versions of a profile in order, with the migration from each to the next.
struct VersionList: Sendable {
    private let type: String
    private let versionAt: String
    private let version: String
    private let chain: [VersionStep]
    private let legacy: VersionStep?
    /// Rules that name every version, to detect the version of a save. Closures have no steps here.
    private let listing: RuleSet

    /// The migrations that travel with the rules: those after the last closure.
    let declarative: [MergeCore.Migration]
    /// The legacy migration, where it has steps and leads to a version that the rules name.
    let declarativeLegacy: MergeCore.Migration?

    /// A migration whose steps have been parsed.
    private struct VersionStep: Sendable {
        let rules: MergeCore.Migration
        let closure: (@Sendable (JSONDocument) throws -> [UInt8])?

        init(_ migration: Migration) throws {
            switch migration.work {
            case .steps(let steps):
                rules = .init(from: migration.from, to: migration.to, steps: try steps.map { try $0.make() })
                closure = nil
            case .closure(let body, _):
                rules = .init(from: migration.from, to: migration.to, steps: [])
                closure = body
            }
        }
    }

    init(_ type: any Profile.Type) throws {
        self.type = "\(type)"
        (version, versionAt) = (type.version, type.versionAt)
        let migrations = type.migrations
        let legacies = migrations.filter { $0.from == nil }
        if case .closure(_, let result?)? = migrations.last?.work, result != ObjectIdentifier(type) {
            throw ProfileError(
                .declaration,
                "\(type)",
                "the last migration must give a \(type), which is what version \(type.version) is"
            )
        }
        do {
            chain = try migrations.filter { $0.from != nil }.map(VersionStep.init)
            legacy = try legacies.last.map(VersionStep.init)
            listing = try RuleSet(
                [],
                version: version,
                versionAt: versionAt,
                migrations: chain.map(\.rules),
                legacy: legacy?.rules
            )
        } catch {
            throw ProfileError(.declaration, "\(type)", "the migrations cannot be used: \(error)")
        }
        guard legacies.count < 2 else {
            throw ProfileError(
                .declaration,
                "\(type)",
                "there can be one legacy migration, and there are \(legacies.count)"
            )
        }
        try MigrationNames(type, versionAt: versionAt).check(
            chain.map { ($0.rules, $0.closure != nil) }, legacy.map { ($0.rules, $0.closure != nil) })
        declarative = chain[(chain.lastIndex { $0.closure != nil }.map { $0 + 1 } ?? 0)...].map(\.rules)
        let listed = [version] + declarative.compactMap(\.from)
        declarativeLegacy = legacy.flatMap { $0.closure == nil && listed.contains($0.rules.to) ? $0.rules : nil }
    }

    /// Whether a save has the newest version and says so.
    func isCurrent(_ document: JSONDocument) -> Bool { SaveVersion.detect(document, listing) == .same }

    /// Migrates a save to the newest version; members that no step touches stay as they were.
    func migrated(_ document: JSONDocument) throws -> MigratedSave {
        let order = VersionOrder(listing)
        var result = MigratedSave(document: document, from: nil, reports: [])
        func migrate(from start: Int) throws { for versionStep in chain[start...] { try take(versionStep, &result) } }
        switch SaveVersion.detect(document, listing) {
        case .same: result.from = version
        case .newer(let version):
            throw ProfileError(
                .newer,
                type,
                "the save is of version \"\(version)\", and this game knows \"\(self.version)\"; update the game"
            )
        case .older(let version):
            result.from = version
            try migrate(from: order.index(of: version) ?? 0)
        case .unversioned where chain.isEmpty && legacy == nil:
            // No migration is declared, so this save is from before the game used Hearth.
            result.document = try migrated(withVersion: document)
        case .unversioned, .unknown:
            guard let legacy else {
                throw ProfileError(
                    .migration,
                    type,
                    "the save has no version that this game knows; add a Migration.legacy(to:) for such saves"
                )
            }
            try take(legacy, &result)
            try migrate(from: order.index(of: legacy.rules.to) ?? 0)
        }
        return result
    }

    /// Whether a save says it has this version.
    func isOf(_ version: String, _ document: JSONDocument) -> Bool {
        SaveVersion.detect(document, listing, target: version) == .same
    }

    /// The index in the chain of the migration that starts at an earlier version.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/migration`` for a version that is not earlier, or unknown.
    @discardableResult
    func checkEarlier(_ version: String) throws -> Int {
        let order = VersionOrder(listing)
        if let index = order.index(of: version), index < chain.count { return index }
        let earlier = order.versions.dropLast().joined(separator: ", ")
        throw ProfileError(
            .migration,
            type,
            "\"\(version)\" is no earlier version; there are: \(earlier.isEmpty ? "none" : earlier)"
        )
    }

    /// Takes a save back to an earlier version, by undoing the steps since then, the last one first.
    ///
    /// - Parameter former: The save from before the migration, where a backup has it. It shows what the steps dropped
    ///   or replaced.
    /// - Throws: ``NoWayBack`` where a step cannot be undone, ``ProfileError`` where there is no such version.
    func rolledBack(
        _ document: JSONDocument, to target: String, former: JSONDocument?
    ) throws -> (text: [UInt8], report: MigrationReport) {
        let start = try checkEarlier(target)
        if let code = chain[start...].last(where: { $0.closure != nil }) {
            throw NoWayBack(why: "the migration to \"\(code.rules.to)\" is code, which cannot be undone")
        }
        let result = MergeCore.Migration.rollBack(document, rules: listing, to: target, former: former)
        guard let text = result.text else { throw NoWayBack(why: result.report.errors.joined(separator: "; ")) }
        return (text, result.report)
    }

    /// The save with the current version written into it.
    func migrated(withVersion document: JSONDocument) throws -> JSONDocument {
        var save = MigratedSave(document: document, from: nil, reports: [])
        try take(try VersionStep(.legacy(to: version)), &save)
        return save.document
    }

    private func take(_ versionStep: VersionStep, _ save: inout MigratedSave) throws {
        let step = versionStep.rules
        if let closure = versionStep.closure {
            do {
                save.document = try JSONDocument(parsing: try closure(save.document))
            } catch {
                throw ProfileError(
                    .migration,
                    type,
                    "the migration to \"\(step.to)\" failed, and the save stays as it is: \(error)"
                )
            }
        }
        // Runs after a closure too, because this writes the new version.
        let rules = try RuleSet(
            [],
            version: step.to,
            versionAt: versionAt,
            migrations: step.from == nil ? [] : [step],
            legacy: step.from == nil ? step : nil
        )
        let result = MergeCore.Migration.run(save.document, rules: rules)
        guard let text = result.text else {
            throw ProfileError(
                .migration,
                type,
                "the save stays as it is: \(result.report.errors.joined(separator: "; "))"
            )
        }
        save.document = try JSONDocument(parsing: text)
        save.reports.append(result.report)
    }
}

/// A migration that cannot be taken back, and why.
struct NoWayBack: Error {
    let why: String
}

/// A save after its migration to the newest version.
package struct MigratedSave: Sendable {
    /// The save; byte for byte the same where no migration was needed.
    package var document: JSONDocument
    /// The version the save had; `nil` where it named none.
    package var from: String?
    /// What each migration did, in order; empty where none was needed.
    package var reports: [MigrationReport]
}

package import LosslessJSON
package import MergeCore

/// The versions of a profile in order, and the way from each to the next.
struct VersionList: Sendable {
    private let type: String
    private let versionAt: String
    private let version: String
    private let chain: [Lift]
    private let legacy: Lift?
    /// Lists every version, so that a save's can be told; knows no steps where there are only closures.
    private let listing: RuleSet

    /// The migrations that belong to the rules: those behind the last closure.
    let declarative: [MergeCore.Migration]
    /// The legacy steps, where they lead to a version that the rules list.
    let declarativeLegacy: MergeCore.Migration?

    /// A migration whose steps have been read.
    private struct Lift: Sendable {
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
            chain = try migrations.filter { $0.from != nil }.map(Lift.init)
            legacy = try legacies.last.map(Lift.init)
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
        declarative = chain[(chain.lastIndex { $0.closure != nil }.map { $0 + 1 } ?? 0)...].map(\.rules)
        let listed = [version] + declarative.compactMap(\.from)
        declarativeLegacy = legacy.flatMap { $0.closure == nil && listed.contains($0.rules.to) ? $0.rules : nil }
    }

    /// Whether a save needs no lifting and says its version.
    func isCurrent(_ document: JSONDocument) -> Bool { SaveVersion.detect(document, listing) == .same }

    /// The save as one of the newest version, with all that no migration touches as it was.
    func lifted(_ document: JSONDocument) throws -> LiftedSave {
        let order = VersionOrder(listing)
        var result = LiftedSave(document: document, from: nil, reports: [])
        func migrate(from start: Int) throws { for lift in chain[start...] { try take(lift, &result) } }
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
            // A save from before the game knew Hearth.
            result.document = try lifted(withVersion: document)
        case .unversioned, .unknown:
            guard let legacy else {
                throw ProfileError(
                    .migration,
                    type,
                    "the save says no version that is known; add a Migration.legacy(to:) for such saves"
                )
            }
            try take(legacy, &result)
            try migrate(from: order.index(of: legacy.rules.to) ?? 0)
        }
        return result
    }

    /// The save with the version in its place.
    func lifted(withVersion document: JSONDocument) throws -> JSONDocument {
        var save = LiftedSave(document: document, from: nil, reports: [])
        try take(try Lift(.legacy(to: version)), &save)
        return save.document
    }

    private func take(_ lift: Lift, _ save: inout LiftedSave) throws {
        let step = lift.rules
        if let closure = lift.closure {
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
        // Also where a closure did the work: this writes the version.
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

/// A save that was lifted to the newest version.
package struct LiftedSave: Sendable {
    /// The save; the same, byte for byte, where there was nothing to do.
    package var document: JSONDocument
    /// The version that the save had; `nil` where it said none.
    package var from: String?
    /// What each migration did, in order; empty where there was nothing to do.
    package var reports: [MigrationReport]
}

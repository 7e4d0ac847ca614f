import LosslessJSON

extension Migration {
    /// The JSON form in which a migration is stored in the `#rules` atom and sent to other devices.
    var json: JSONValue {
        var members: [JSONMember] = []
        if let from { members.append(JSONMember(key: "from", value: .string(JSONString(from)))) }
        members.append(JSONMember(key: "to", value: .string(JSONString(to))))
        members.append(JSONMember(key: "steps", value: .array(steps.map(\.json))))
        return .object(members)
    }

    init(json: JSONValue) throws(RuleError) {
        guard case .object(let members) = json else { throw RuleError("a migration is no object") }
        var from: String?
        var to: String?
        var steps: [MigrationStep] = []
        for member in members {
            switch (member.key.string, member.value) {
            case ("from", .string(let text)): from = text.string
            case ("to", .string(let text)): to = text.string
            case ("steps", .array(let list)):
                guard list.count <= Self.stepLimit else { throw RuleError("more than \(Self.stepLimit) steps") }
                for item in list { steps.append(try MigrationStep(json: item)) }
            default: throw RuleError("a migration has an unknown member \"\(member.key.string)\"")
            }
        }
        guard let to else { throw RuleError("a migration has no \"to\"") }
        self.init(from: from, to: to, steps: steps)
    }
}

extension RuleCheck {
    /// Checks that the migrations form one chain that ends at the version of the rules, and that every step can be
    /// done.
    static func migrations(
        _ migrations: [Migration],
        legacy: Migration?,
        version: String?,
        versionAt: String?
    ) throws(RuleError) {
        guard !migrations.isEmpty || legacy != nil else { return }
        let first = migrations.isEmpty ? "legacy" : "migrations"
        guard let version else {
            throw RuleError("\"\(first)\" needs \"version\", the version the save has in the end", word: first)
        }
        guard versionAt != nil else {
            throw RuleError("\"\(first)\" needs \"versionAt\", the place where a save says its version", word: first)
        }
        guard migrations.count <= Migration.countLimit else {
            throw RuleError("more than \(Migration.countLimit) migrations", migration: Migration.countLimit)
        }
        let steps = migrations.reduce(legacy?.steps.count ?? 0) { $0 + $1.steps.count }
        guard steps <= Migration.stepLimit else {
            throw RuleError("the migrations have more than \(Migration.stepLimit) steps together", word: first)
        }
        try chain(migrations, to: version)
        if let legacy {
            let known = [version] + migrations.compactMap(\.from)
            guard legacy.from == nil else { throw RuleError("\"legacy\" has no \"from\"", word: "legacy") }
            guard known.contains(where: { $0.utf8.elementsEqual(legacy.to.utf8) }) else {
                throw RuleError(
                    "\"legacy\" ends at \"\(legacy.to)\", which is no version of this file; "
                        + "end it at one of \(known.suffix(5).joined(separator: ", "))",
                    word: "legacy"
                )
            }
            for step in legacy.steps {
                do { try step.check() } catch { throw RuleError(error.message, word: "legacy") }
            }
        }
    }

    private static func chain(_ migrations: [Migration], to version: String) throws(RuleError) {
        var known = Set<[UInt8]>()
        for (index, migration) in migrations.enumerated() {
            guard let from = migration.from else { throw RuleError("a migration has no \"from\"", migration: index) }
            for name in [from, migration.to] where name.isEmpty || name.utf8.count > Migration.nameLimit {
                throw RuleError("a version has 1 to \(Migration.nameLimit) bytes", migration: index)
            }
            if index == 0 { known.insert(Array(from.utf8)) }
            if index > 0, !migrations[index - 1].to.utf8.elementsEqual(from.utf8) {
                throw RuleError(
                    "this migration begins at \"\(from)\", but the one before it ends at "
                        + "\"\(migrations[index - 1].to)\"; each goes on where the last one ended",
                    migration: index
                )
            }
            guard known.insert(Array(migration.to.utf8)).inserted else {
                throw RuleError("the version \"\(migration.to)\" occurs twice in the migrations", migration: index)
            }
            for step in migration.steps {
                do { try step.check() } catch { throw RuleError(error.message, migration: index) }
            }
        }
        if let last = migrations.last, !last.to.utf8.elementsEqual(version.utf8) {
            throw RuleError(
                "the migrations end at \"\(last.to)\", but \"version\" is \"\(version)\"; "
                    + "add what is missing between them, or correct one of them",
                word: "version"
            )
        }
    }
}

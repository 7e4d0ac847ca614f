import LosslessJSON
public import MergeCore
import RuleFile

extension Profile {
    /// The merge rules that the type declares. They travel with the profile to other devices.
    ///
    /// - Throws: ``ProfileError`` with ``ProfileError/Code/declaration`` that names the field and says what to do.
    public static var rules: RuleSet {
        get throws(ProfileError) { try ProfileCodec<Self>().rules }
    }

    /// The rules as a YAML rule file, for games and tools that read one:
    ///
    /// ```yaml
    /// profile: "Player"
    /// version: "1"
    /// versionAt: /version
    /// rules:
    ///   /level: max
    ///   /coins: counter
    /// ```
    ///
    /// - Throws: ``ProfileError``, as ``rules``.
    public static var ruleFile: String {
        get throws(ProfileError) { try rules.yaml }
    }

    /// Every field, also those of parts, in the order of the type. O(fields).
    ///
    /// - Throws: ``ProfileError``, as ``rules``.
    public static var fields: [ProfileField] {
        get throws(ProfileError) { try ProfileCodec<Self>().fields }
    }
}

/// Builds the rules of a profile type.
struct RulesOfType {
    let rules: RuleSet
    /// How saves of earlier versions are migrated.
    let versions: VersionList

    init<Subject: Profile>(_ type: Subject.Type) throws {
        let schema = try PartSchema.of(type)
        let fields = schema.leaves()
        try Self.checkVersion(type, schema)
        versions = try VersionList(type)
        do {
            let entries = try fields.map { RuleSet.Entry(try RulePattern(parsing: $0.path), $0.rule) }
            rules = try RuleSet(
                entries,
                profile: type.profileName,
                version: type.version,
                versionAt: type.versionAt,
                resets: try type.resets.map { try Self.reset($0, type, schema) },
                migrations: versions.declarative,
                legacy: versions.declarativeLegacy
            )
        } catch let error as RuleError {
            let field = error.rule.flatMap { fields.indices.contains($0) ? fields[$0].name : nil }
            let place = field.map { "\(schema.name).\($0)" } ?? schema.name
            throw ProfileError(.declaration, place, error.message)
        }
    }

    private static func reset(_ scope: ResetScope, _ type: any Profile.Type, _ schema: PartSchema) throws -> Reset {
        guard !scope.places.isEmpty else { return Reset(scope.name, [try RulePattern(parsing: "")]) }
        return Reset(
            scope.name,
            try scope.places.map { place in
                let list = place.split(separator: "[").first.map(String.init) ?? place
                let key = try JSONPointer(parsing: list).tokens.first
                guard let key, key == "*" || key == "**" || schema.field(key) != nil else {
                    throw ProfileError(
                        .declaration,
                        "\(type)",
                        "the reset \"\(scope.name)\" names \"\(place)\", and \(type) has no such field"
                    )
                }
                return try RulePattern(parsing: place)
            }
        )
    }

    private static func checkVersion(_ type: any Profile.Type, _ schema: PartSchema) throws {
        guard let pointer = try? JSONPointer(parsing: type.versionAt), let first = pointer.tokens.first else {
            throw ProfileError(
                .declaration,
                "\(type)",
                "versionAt is \"\(type.versionAt)\"; write a path such as \"/version\""
            )
        }
        guard let field = schema.field(first) else { return }
        if case .part(let part) = field.shape, pointer.tokens.count > 1, part.field(pointer.tokens[1]) == nil { return }
        throw ProfileError(
            .declaration,
            "\(type).\(first)",
            "this is where the save keeps its version; remove the field, or name another place with versionAt"
        )
    }
}

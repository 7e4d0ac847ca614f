import LosslessJSON
import MergeCore

/// Reads the node tree of a rule file. It stops at the first error; an unknown word is an error.
struct RuleFileReader {
    /// The longest name or version of a profile, in bytes.
    static let nameLimit = 256

    private static let fields = [
        "profile", "version", "versionAt", "rules", "resets", "resetAt", "migrations", "legacy",
    ]

    /// The fields that were read, with their places in the file.
    private struct File {
        var profile: String?
        var version: String?
        var versionAt: String?
        var rules: [RuleNode] = []
        var resets: [ResetNode] = []
        var resetAt: String?
        var migrations: [MigrationNode] = []
        var legacy: Migration?
        /// The value node of each field.
        var places: [String: YAMLNode] = [:]
        var patterns = PatternBudget()
        var migrationSteps = MigrationCount()
    }

    func ruleSet(_ root: YAMLNode, source: String) throws(RuleFileError) -> RuleSet {
        try ruleSetWithPlaces(root, source: source).set
    }

    /// The rules, and the place of each one in the file.
    func ruleSetWithPlaces(
        _ root: YAMLNode, source: String
    ) throws(RuleFileError) -> (set: RuleSet, places: [(line: Int, column: Int)]) {
        if isNothing(root) {
            throw RuleFileError(
                line: 1,
                column: 1,
                message: "the rule file is empty; write at least \"rules:\", or delete the file"
            )
        }
        var file = File()
        for (key, value) in try members(root, "a rule file has fields such as \"profile: …\" and \"rules:\"") {
            let field = try word(key, "a field needs a name").text
            file.places[field] = value
            switch field {
            case "profile": file.profile = try name(value, "profile")
            case "version": file.version = try name(value, "version")
            case "versionAt": file.versionAt = try pointer(value, "versionAt", such: "/saveVersion")
            case "rules": file.rules = try rules(value, &file.patterns)
            case "resets": file.resets = try resets(value, &file.patterns)
            case "resetAt": file.resetAt = try pointer(value, "resetAt", such: "/reset")
            case "migrations": file.migrations = try migrations(value, &file.migrationSteps)
            case "legacy": file.legacy = try legacy(value, &file.migrationSteps)
            default: throw fault(key, unknown("the field", field, Self.fields))
            }
        }
        let places = file.rules.map { ($0.place.mark.line, $0.place.mark.column) }
        return (try ruleSet(file, source, root), places)
    }

    private func ruleSet(_ file: File, _ source: String, _ root: YAMLNode) throws(RuleFileError) -> RuleSet {
        let set: RuleSet
        do {
            set = try RuleSet(
                file.rules.map(\.entry),
                profile: file.profile,
                version: file.version,
                versionAt: file.versionAt,
                resets: file.resets.map(\.reset),
                resetAt: file.resetAt,
                migrations: file.migrations.map(\.migration),
                legacy: file.legacy,
                source: source
            )
        } catch {
            throw fault(place(of: error, file) ?? root, error.message)
        }
        let size = set.json.jsonBytes.count
        guard size <= RuleSet.byteLimit else {
            throw fault(
                root,
                "the rules take \(size) bytes with their text, and \(RuleSet.byteLimit) can travel to other devices; "
                    + "shorten the comments or the rules"
            )
        }
        return set
    }

    /// The node that an error is about; `nil` where that is not known.
    private func place(of error: RuleError, _ file: File) -> YAMLNode? {
        if let rule = error.rule, file.rules.indices.contains(rule) {
            return error.word.flatMap { file.rules[rule].options[$0] } ?? file.rules[rule].place
        }
        if let reset = error.reset, file.resets.indices.contains(reset) {
            let paths = file.resets[reset].paths
            return error.pattern.flatMap { paths.indices.contains($0) ? paths[$0] : nil } ?? file.resets[reset].place
        }
        if let migration = error.migration, file.migrations.indices.contains(migration) {
            return file.migrations[migration].place
        }
        return error.word.flatMap { file.places[$0] }
    }

    // MARK: Names

    func unknown(_ what: String, _ word: String, _ known: [String]) -> String {
        let message =
            "\(what) \"\(word.prefix(80))\" is not known to this version of Hearth, which knows "
            + known.joined(separator: ", ")
        return NearWord.of(word, in: known).map { "\(message); did you mean \($0)?" } ?? message
    }

    func name(_ node: YAMLNode, _ field: String) throws(RuleFileError) -> String {
        let name = try word(node, "\"\(field)\" needs a text behind it").text
        guard name.utf8.count <= Self.nameLimit else {
            throw fault(node, "\"\(field)\" has \(name.utf8.count) bytes; the most it may have is \(Self.nameLimit)")
        }
        return name
    }

    private func pointer(_ node: YAMLNode, _ field: String, such example: String) throws(RuleFileError) -> String {
        let text = try word(node, "\"\(field)\" needs a path behind it, such as \(example)").text
        do {
            return try JSONPointer(parsing: text).description
        } catch {
            throw fault(node, error.message)
        }
    }
}

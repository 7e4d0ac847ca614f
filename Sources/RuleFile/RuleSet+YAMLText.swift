public import MergeCore

extension RuleSet {
    /// The rules as a rule file without comments. Reading it gives equal rules, except for ``RuleSet/source``.
    /// O(rules).
    ///
    /// Rules that were read from a file have its text, with comments, in ``RuleSet/source``.
    public var yaml: String {
        var lines: [String] = []
        if let profile { lines.append("profile: \(RuleFileWriter.quoted(profile))") }
        if let version { lines.append("version: \(RuleFileWriter.quoted(version))") }
        if let versionAt { lines.append("versionAt: \(RuleFileWriter.path(versionAt))") }
        lines.append(entries.isEmpty ? "rules: {}" : "rules:")
        for entry in entries {
            lines.append(RuleFileWriter.line(RuleFileWriter.path(entry.pattern), RuleFileWriter.rule(entry.rule)))
        }
        if !resets.isEmpty { lines.append("resets:") }
        for reset in resets {
            let paths = RuleFileWriter.list(reset.patterns.map(RuleFileWriter.path))
            lines.append(RuleFileWriter.line(RuleFileWriter.word(reset.name), paths))
        }
        if let resetAt { lines.append("resetAt: \(RuleFileWriter.path(resetAt))") }
        if !migrations.isEmpty { lines.append("migrations:") }
        for migration in migrations {
            lines.append("  - from: \(RuleFileWriter.quoted(migration.from ?? ""))")
            lines.append("    to: \(RuleFileWriter.quoted(migration.to))")
            lines += RuleFileWriter.steps(migration.steps, indent: "    ")
        }
        if let legacy {
            lines += ["legacy:", "  to: \(RuleFileWriter.quoted(legacy.to))"]
            lines += RuleFileWriter.steps(legacy.steps, indent: "  ")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

public import LosslessJSON
public import MergeCore

/// A warning that a rule does not fit a save, with its place in the rule file. The file can be used nevertheless,
/// because a later save may have the field.
public struct RuleWarning: Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The column, counted from 1 in Unicode scalars.
    public let column: Int
    /// One sentence: what does not fit.
    public let message: String

    /// The warning as `LINE:COLUMN: message`, the form in which compilers and editors write places.
    public var description: String { "\(line):\(column): \(message)" }
}

extension RuleSet {
    /// Warnings about rules that match no place of a save, or cannot read the value there; see
    /// ``RuleSet/findings(in:)``. The path of the whole document is `""`; `/` is the member with an empty name.
    ///
    /// - Parameters:
    ///   - yaml: The rule file.
    ///   - document: The save.
    /// - Throws: ``RuleFileError`` for a rule file that cannot be used.
    public static func warnings(yaml: String, for document: JSONDocument) throws(RuleFileError) -> [RuleWarning] {
        let (set, places) = try RuleFileReader().ruleSetWithPlaces(RuleFileText(yaml).compose(), source: yaml)
        // Nobody waits for this but the author of the rules, so it may take a second or two.
        return set.findings(in: document, lookingAt: 20_000_000).map { finding in
            let place = places.indices.contains(finding.rule) ? places[finding.rule] : (line: 1, column: 1)
            return RuleWarning(line: place.line, column: place.column, message: finding.message)
        }
    }
}

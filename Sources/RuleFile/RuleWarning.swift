public import LosslessJSON
public import MergeCore

/// A warning about a rule file that a save makes doubtful, with its place. The file can be used even so: a save may get
/// the field later.
public struct RuleWarning: Hashable, Sendable, CustomStringConvertible {
    /// Line, from 1.
    public let line: Int
    /// Column, from 1, counted in Unicode scalars.
    public let column: Int
    /// One sentence.
    public let message: String

    /// The warning as `LINE:COLUMN: message`, the form in which compilers and editors write places.
    public var description: String { "\(line):\(column): \(message)" }
}

extension RuleSet {
    /// Warnings about rules that match no place of a save, or cannot read what is there; see ``RuleSet/findings(in:)``.
    /// The path of the whole document is `""`; `/` is the member with an empty name.
    ///
    /// - Parameter yaml: The rule file.
    public static func warnings(yaml: String, for document: JSONDocument) throws(RuleFileError) -> [RuleWarning] {
        let text = try RuleFileText(yaml)
        let (set, places) = try text.read { text throws(RuleFileError) in
            try RuleFileReader(text: text).ruleSetWithPlaces(text.compose(), source: yaml)
        }
        return set.findings(in: document).map { finding in
            let place = places.indices.contains(finding.rule) ? places[finding.rule] : (line: 1, column: 1)
            return RuleWarning(line: place.line, column: place.column, message: finding.message)
        }
    }
}

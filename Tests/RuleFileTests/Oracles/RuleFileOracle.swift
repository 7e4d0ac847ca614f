import LosslessJSON
import MergeCore
import RuleFile

/// What must hold of the rule-file reader, for any bytes at all.
enum RuleFileOracle {
    /// One sentence on what does not hold, or nil.
    static func fault(_ bytes: [UInt8]) -> String? {
        do throws(RuleFileError) {
            return fault(try RuleSet(yaml: bytes))
        } catch {
            return fault(error, bytes)
        }
    }

    /// What was read means the same after it has travelled, and after it was read again from its own source.
    private static func fault(_ rules: RuleSet) -> String? {
        guard let travelled = try? RuleSet(json: rules.json) else { return "the travelling form is refused" }
        guard travelled == rules else { return "the travelling form says something else" }
        guard let source = rules.source, let again = try? RuleSet(yaml: source), again == rules else {
            return "the source reads as something else"
        }
        guard let written = try? JSONValue(parsing: rules.json.jsonBytes), let read = try? RuleSet(json: written),
            read == rules
        else { return "the travelling form as text says something else" }
        for entry in rules.entries {
            guard let pattern = try? RulePattern(parsing: entry.pattern.description), pattern == entry.pattern else {
                return "the path \(entry.pattern) does not read as itself"
            }
        }
        return nil
    }

    /// An error is one sentence with a place in the file, or just behind its end.
    private static func fault(_ error: RuleFileError, _ bytes: [UInt8]) -> String? {
        guard !error.message.isEmpty, !error.message.contains("\n") else { return "not one sentence: \(error)" }
        let lines = lengths(String(decoding: bytes, as: UTF8.self))
        guard 1...lines.count + 1 ~= error.line else { return "no such line of \(lines.count): \(error)" }
        let length = error.line <= lines.count ? lines[error.line - 1] : 0
        return 1...length + 1 ~= error.column ? nil : "no such column of \(length): \(error)"
    }

    /// How many scalars each line has, as YAML 1.1 ends lines, the byte order mark not counted.
    private static func lengths(_ text: String) -> [Int] {
        var lengths = [0]
        var former: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { former = scalar }
            switch scalar {
            case "\u{FEFF}" where former == nil: break
            case "\n" where former == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lengths.append(0)
            default: lengths[lengths.count - 1] += 1
            }
        }
        return lengths
    }
}

import LocalFiles
import MergeCore
import RuleFile

/// Rule files as arguments.
enum RuleInput {
    /// Reads a rule file; what is wrong with it is a ``CommandFailure`` that names file, line and column.
    static func read(_ path: String) throws -> RuleSet {
        let file: BoundedFile
        do {
            file = try BoundedFile.read(path, limit: RuleSet.byteLimit)
        } catch {
            throw CommandFailure("\(path) \(error.sentence)", "--rules takes a rule file in YAML")
        }
        do {
            return try RuleSet(yaml: file.bytes)
        } catch {
            throw CommandFailure(
                file: path,
                line: error.line,
                column: error.column,
                error.message,
                "nothing was changed; mend the rule file and try again"
            )
        }
    }
}

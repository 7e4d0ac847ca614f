import LocalFiles
import MergeCore
import RuleFile

/// Reads rule files that are given as arguments.
enum RuleInput {
    /// The parts of a rule file that do not fit a save: one line each, with file, line and column.
    static func warnings(_ path: String, for save: String) -> [String] {
        guard let file = try? BoundedFile.read(path, limit: RuleSet.byteLimit),
            let document = try? JSONInput.read(save).document,
            let warnings = try? RuleSet.warnings(yaml: String(decoding: file.bytes, as: UTF8.self), for: document)
        else { return [] }
        return warnings.map { "\(path):\($0)" }
    }

    /// The warnings that every one of several saves has at the same line: not every save of a game has every place.
    static func warnings(_ path: String, forAll saves: [String]) -> [String] {
        func place(_ warning: String) -> Substring { warning.dropFirst(path.count).prefix { $0 != " " } }
        let ofEach = saves.map { warnings(path, for: $0) }
        let places = ofEach.map { Set($0.map(place)) }
        return (ofEach.first ?? []).filter { warning in places.allSatisfy { $0.contains(place(warning)) } }
    }

    /// Reads a rule file. Errors are a ``CommandFailure`` that names file, line and column.
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

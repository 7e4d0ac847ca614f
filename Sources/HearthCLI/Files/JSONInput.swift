import LocalFiles
import LosslessJSON
import MergeCore

/// Reads JSON files that are given as arguments.
enum JSONInput {
    typealias Read = (document: JSONDocument, changed: WallTime)

    /// Reads and parses a file with the standard limits. Errors are a ``CommandFailure`` that names file, line and
    /// column.
    ///
    /// - Parameter shown: The file's name in messages, where that is not its path.
    static func read(_ path: String, shown: String? = nil) throws(CommandFailure) -> Read {
        try parse(file(path, shown), path, shown)
    }

    /// The same, but `nil` for an empty file.
    static func readUnlessEmpty(_ path: String, shown: String? = nil) throws(CommandFailure) -> Read? {
        let file = try file(path, shown)
        return file.bytes.isEmpty ? nil : try parse(file, path, shown)
    }

    private static func file(_ path: String, _ shown: String?) throws(CommandFailure) -> BoundedFile {
        do {
            return try BoundedFile.read(path, limit: JSONLimits.standard.bytes)
        } catch {
            throw CommandFailure("\(shown ?? (path == "-" ? "standard input" : path)) \(error.sentence)")
        }
    }

    private static func parse(
        _ file: BoundedFile,
        _ path: String,
        _ shown: String?
    ) throws(CommandFailure) -> Read {
        do {
            return (try JSONDocument(parsing: file.bytes), WallTime(milliseconds: file.changed))
        } catch {
            throw CommandFailure(file: shown ?? path, line: error.line, column: error.column, error.message)
        }
    }
}

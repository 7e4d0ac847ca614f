import LosslessJSON

/// JSON files as arguments.
enum JSONInput {
    /// Reads and parses a file with the standard limits; what is wrong is a ``CommandFailure`` that names the place.
    static func read(_ path: String) throws(CommandFailure) -> (document: JSONDocument, changed: Int64) {
        let shown = path == "-" ? "standard input" : path
        let file: BoundedFile
        do {
            file = try BoundedFile.read(path, limit: JSONLimits.standard.bytes)
        } catch {
            throw CommandFailure("\(shown) \(error.sentence)")
        }
        do {
            return (try JSONDocument(parsing: file.bytes), file.changed)
        } catch {
            throw CommandFailure(file: path == "-" ? "-" : path, line: error.line, column: error.column, error.message)
        }
    }
}

import LosslessJSON
import Testing

/// A text that must be refused: `▸` marks the place that the error must name.
///
/// The mark is no part of the text. Offset, line and column follow from it here by the standard library's Unicode
/// scalars, not by the code under test.
struct Refused: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    let offset: Int
    let line: Int
    let column: Int
    /// Words of the message.
    let says: String

    var testDescription: String { "\(text(bytes).debugDescription) at \(offset)" }

    init(_ marked: String, _ says: String) {
        let scalars = Array(marked.unicodeScalars)
        let mark = scalars.firstIndex(of: "▸") ?? scalars.count
        let before = scalars[..<mark]
        let lineStart = before.lastIndex(of: "\n").map { $0 + 1 } ?? (before.first == "\u{FEFF}" ? 1 : 0)
        bytes = Self.utf8(before) + Self.utf8(scalars[mark...].dropFirst())
        offset = Self.utf8(before).count
        line = 1 + before.count { $0 == "\n" }
        column = 1 + mark - lineStart
        self.says = says
    }

    private static func utf8(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return Array(String(text).utf8)
    }

    /// Expects the error, also where a line and some spaces stand before the text.
    func check() {
        let error = failure(bytes)
        expect(error, offset: offset, line: line, column: column)
        #expect(error?.message.contains(says) == true, "\(error?.description ?? "accepted")")
        #expect(error?.description == "\(line):\(column): \(error?.message ?? "")")
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return }
        let space = Array("\r\n\t ".utf8)
        let moved = failure(space + bytes)
        expect(moved, offset: offset + 4, line: line + 1, column: column + (line == 1 ? 2 : 0))
    }

    private func expect(_ error: JSONSyntaxError?, offset: Int, line: Int, column: Int) {
        #expect(error?.offset == offset, "\(error?.description ?? "accepted")")
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "accepted")")
    }
}

/// The error that parsing gives, or nil.
func failure(_ bytes: [UInt8], limits: JSONLimits = .standard) -> JSONSyntaxError? {
    do throws(JSONSyntaxError) {
        _ = try JSONDocument(parsing: bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

extension JSONDocument {
    /// The bytes of the value of `["…"]` or `{"k":…}` and the like: the first child of the root.
    var firstChild: JSONNode? {
        for child in children(root) { return child }
        return nil
    }
}

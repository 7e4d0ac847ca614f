import LosslessJSON
import MergeCore

/// How requests and answers of the control surface are written: one JSON object each, on one line.
///
/// A request is told by its member `request`, an answer by its member `event`. Answers are also what the command prints
/// with `--json`, so their members are kept from version to version: members are only ever added, and a reader passes
/// over those it does not know. Requests are read strictly: a misspelt option must not be taken for none.
package enum ControlCoding {
    /// Most bytes a request may have: 1 MiB, and rules beside it, whose rule file may double when it is quoted.
    package static let requestLimit = 1 << 20 + 2 * RuleSet.byteLimit
    /// Most bytes an answer may have: a document of 64 MiB, which may double when it is quoted, and the rest.
    package static let replyLimit = 129 << 20

    /// Parses one line.
    static func value(_ bytes: [UInt8], limit: Int, what: String) throws(ControlCodingError) -> JSONValue {
        do throws(JSONSyntaxError) {
            let document = try JSONDocument(parsing: bytes, limits: JSONLimits(bytes: limit))
            return document.value(document.root)
        } catch {
            throw ControlCodingError("\(what) is no JSON: \(error).")
        }
    }

    /// An object out of what is there; members with no value are left out.
    static func object(_ members: [(JSONString, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { key, value in value.map { JSONMember(key: key, value: $0) } })
    }

    static func text(_ string: String) -> JSONValue { .string(JSONString(string)) }
}

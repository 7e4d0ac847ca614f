import LosslessJSON
import MergeCore

extension RuleFileReader {
    /// One scalar of the file.
    struct Word {
        let text: String
        /// Whether the scalar has no quotes, so that it may be a number or `true`.
        let isPlain: Bool
    }

    func fault(_ node: YAMLNode, _ message: String) -> RuleFileError {
        RuleFileError(line: node.mark.line, column: node.mark.column, message: message)
    }

    /// Whether a node is empty or null.
    func isNothing(_ node: YAMLNode) -> Bool {
        guard case .scalar(let text, isPlain: true) = node.content else { return false }
        return ["", "~", "null"].contains(text)
    }

    /// The members of a mapping, in the order of the file. ``YAMLTree`` has refused duplicate keys.
    func members(_ node: YAMLNode, _ complaint: String) throws(RuleFileError) -> [(key: YAMLNode, value: YAMLNode)] {
        guard case .mapping(let members) = node.content else { throw fault(node, complaint) }
        return members
    }

    func word(_ node: YAMLNode, _ complaint: String) throws(RuleFileError) -> Word {
        guard case .scalar(let text, let isPlain) = node.content, !isNothing(node) else {
            throw fault(node, complaint)
        }
        return Word(text: text, isPlain: isPlain)
    }

    func truth(_ node: YAMLNode) throws(RuleFileError) -> Bool {
        let word = try word(node, "\"whole\" takes true or false")
        switch (word.isPlain, word.text) {
        case (true, "true"): return true
        case (true, "false"): return false
        default: throw fault(node, "\"whole\" takes true or false")
        }
    }

    /// Reads the list of the option `none`.
    func values(_ node: YAMLNode) throws(RuleFileError) -> [JSONValue] {
        guard case .sequence(let list) = node.content else {
            throw fault(node, "\"none\" takes a list, such as [0, null]")
        }
        var result: [JSONValue] = []
        for item in list {
            guard result.count < MergeRule.noneLimit else {
                throw fault(item, "\"none\" has more than \(MergeRule.noneLimit) values")
            }
            result.append(try value(item, "\"none\" takes plain values, such as 0, null or \"never\""))
        }
        return result
    }

    /// Reads a scalar as JSON. A value that JSON writes the same way has JSON's meaning, and a quoted word is a string.
    /// Values that YAML versions read differently (`yes`, `0x10`, `1_000`, an unquoted date) are refused rather than
    /// guessed.
    func value(_ node: YAMLNode, _ complaint: String) throws(RuleFileError) -> JSONValue {
        if isNothing(node) { return .null }
        let word = try word(node, complaint)
        guard word.isPlain else { return .string(JSONString(word.text)) }
        switch word.text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if let number = JSONNumber(text: word.text) { return .number(number) }
        let first = word.text.utf8.first ?? 0
        guard !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first), !"+-.".utf8.contains(first) else {
            throw fault(
                node,
                "\(word.text) is no number that JSON knows; write it as one, or put it in quotes if it is text"
            )
        }
        guard !["yes", "no", "on", "off", "y", "n", "true", "false", "null"].contains(word.text.lowercased()) else {
            throw fault(
                node,
                "\(word.text) can mean several things in YAML; write true, false or null, or put it in quotes"
            )
        }
        return .string(JSONString(word.text))
    }
}

extension RuleFileText {
    /// Parses the text.
    func compose() throws(RuleFileError) -> YAMLNode {
        if let root = try composeIfAny() { return root }
        throw RuleFileError(
            line: 1, column: 1, message: "the rule file is empty; write at least \"rules:\", or delete the file")
    }

    /// Parses the text; `nil` for a file with only white space and comments.
    func composeIfAny() throws(RuleFileError) -> YAMLNode? { try YAMLTree.root(of: self) }
}

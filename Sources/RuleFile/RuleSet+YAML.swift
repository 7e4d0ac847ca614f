public import MergeCore

extension RuleSet {
    /// Reads a rule file.
    ///
    /// The text stays in ``RuleSet/source``, so that comments reach the other devices. Every error names the line and
    /// column of the word it is about. Anchors, aliases and tags are refused: a rule file needs none, and aliases can
    /// make a short file as large as they like.
    ///
    /// - Parameter yaml: At most 256 KiB of YAML 1.1 or 1.2; a byte order mark and any line ends are fine.
    public init(yaml: String) throws(RuleFileError) {
        let text = try RuleFileText(yaml)
        let result = DeepStack.run { () -> Result<RuleSet, RuleFileError> in
            do throws(RuleFileError) {
                return .success(try RuleFileReader(text: text).ruleSet(text.compose(), source: yaml))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw RuleFileError(
                line: 1, column: 1,
                message: "the system gave no memory to read the rule file; close something and try again")
        }
        self = try result.get()
    }

    /// Reads a rule file from its bytes, which must be UTF-8.
    public init(yaml bytes: [UInt8]) throws(RuleFileError) {
        try RuleFileText.checkSize(bytes.count)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let good = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
            let place = RuleFileText.end(of: good)
            throw RuleFileError(
                line: place.line, column: place.column, message: "this is no UTF-8; save the file as UTF-8")
        }
        try self.init(yaml: text)
    }
}

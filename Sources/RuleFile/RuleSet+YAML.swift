public import MergeCore

extension RuleSet {
    /// Reads a rule file.
    ///
    /// The text is kept in ``RuleSet/source``, so comments reach the other devices. Anchors, aliases and tags are
    /// refused: a rule file needs none, and with aliases a short file can become arbitrarily large.
    ///
    /// - Parameter yaml: At most 256 KiB of YAML 1.1 or 1.2. A byte order mark and any kind of line end are allowed.
    /// - Throws: ``RuleFileError`` with the line and column of the word it is about. Only the first error is reported.
    public init(yaml: String) throws(RuleFileError) {
        self = try RuleFileReader().ruleSet(RuleFileText(yaml).compose(), source: yaml)
    }

    /// Reads a rule file from its bytes, which must be UTF-8.
    ///
    /// - Throws: ``RuleFileError``, also for bytes that are not UTF-8.
    public init(yaml bytes: [UInt8]) throws(RuleFileError) {
        try self.init(yaml: RuleFileText.string(bytes))
    }
}

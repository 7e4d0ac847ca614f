import LosslessJSON

extension MigrationStep {
    /// Checks that the step can be done at all, whatever the save holds.
    ///
    /// - Throws: ``RuleError`` whose `word` is the option it is about.
    func check() throws(RuleError) {
        switch self {
        case .rename(let pattern, let name):
            try member(pattern)
            guard !name.bytes.starts(with: "/".utf8) else {
                throw RuleError(
                    "\"rename\" takes the new name without a path; for another place use \"move\"",
                    word: "to"
                )
            }
        case .move(let source, let target), .copy(let source, let target):
            try place(source, "path")
            try place(target, "to")
            guard !target.tokens.starts(with: source.tokens), !source.tokens.starts(with: target.tokens) else {
                throw RuleError("\"\(word)\" cannot go from a place into itself; name another one", word: "to")
            }
        case .remove(let pattern): try member(pattern)
        case .fill(let pattern, let value):
            guard case .literal? = pattern.steps.last else {
                throw RuleError("\"default\" needs a path that ends in a name", word: "path")
            }
            try member(pattern)
            try flat([value], "value")
        case .map(let pattern, let pairs):
            try places(pattern)
            guard !pairs.isEmpty else {
                throw RuleError("\"values\" is empty; write pairs such as {true: hard}", word: "values")
            }
            guard pairs.count <= Self.partLimit else {
                throw RuleError("\"values\" has more than \(Self.partLimit) values", word: "values")
            }
            guard pairs.allSatisfy({ $0.old.isNested(atMost: 0) }) else {
                throw RuleError(
                    "\"values\" has a list or an object as an old value; old values are plain",
                    word: "values"
                )
            }
            try flat(pairs.map(\.new), "values")
            guard Set(pairs.map(\.old)).count == pairs.count else {
                throw RuleError("\"values\" names one old value twice", word: "values")
            }
        case .wrap(let pattern, _): try places(pattern)
        case .split(let pattern, let separator, let names, let asNumbers):
            try member(pattern)
            guard names.count >= 2, names.count <= Self.partLimit else {
                throw RuleError("\"into\" takes two names or more, at most \(Self.partLimit)", word: "into")
            }
            guard Set(names).count == names.count else {
                throw RuleError("\"into\" has a name twice", word: "into")
            }
            if let separator, separator.bytes.isEmpty {
                throw RuleError("\"by\" is empty; write what stands between the parts, such as \",\"", word: "by")
            }
            guard separator != nil || !asNumbers else {
                throw RuleError("\"is\" goes with \"by\": the elements of a list keep their kind", word: "is")
            }
        case .compensate(let pointer, let number, let reason):
            try place(pointer, "path")
            if let reason { try place(reason, "for") }
            guard let grant = number.decimal, !grant.isNegative, !grant.isZero else {
                throw RuleError("\"add\" takes a number above 0", word: "add")
            }
        case .require(let pattern, _): try places(pattern)
        }
    }

    private func places(_ pattern: RulePattern) throws(RuleError) {
        guard !pattern.steps.contains(.anyDepth) else {
            throw RuleError("the path of a step has no \"**\"; name each depth with its own \"*\"", word: "path")
        }
    }

    /// Checks that a pattern can name a member: the whole document has no name and cannot be removed.
    private func member(_ pattern: RulePattern) throws(RuleError) {
        try places(pattern)
        guard !pattern.steps.isEmpty else {
            throw RuleError("\"\(word)\" cannot take the whole document; name one member of it", word: "path")
        }
    }

    private func place(_ pointer: JSONPointer, _ option: String) throws(RuleError) {
        guard !pointer.tokens.isEmpty else {
            throw RuleError("\"\(word)\" cannot take the whole document; name one member of it", word: option)
        }
        guard pointer.tokens.count <= RulePattern.stepLimit else {
            throw RuleError("the path \"\(pointer)\" has more than \(RulePattern.stepLimit) steps", word: option)
        }
    }

    private func flat(_ values: [JSONValue], _ option: String) throws(RuleError) {
        guard values.allSatisfy({ $0.isNested(atMost: Self.depthLimit) }) else {
            throw RuleError("\"\(option)\" is nested deeper than \(Self.depthLimit) levels", word: option)
        }
    }
}

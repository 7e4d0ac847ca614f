import Yams

extension RuleFileText {
    /// Parses the text. Scalars are not resolved (no YAML 1.1 octal numbers, dates or `yes`): the readers decide what
    /// they mean.
    func compose() throws(RuleFileError) -> Node {
        if let root = try composeIfAny() { return root }
        throw RuleFileError(
            line: 1, column: 1, message: "the rule file is empty; write at least \"rules:\", or delete the file")
    }

    /// Parses the text; `nil` for a file with only white space and comments.
    func composeIfAny() throws(RuleFileError) -> Node? {
        do {
            // The encoding is fixed, because otherwise an environment variable could change it.
            let parser = try Parser(yaml: masked, resolver: .basic, encoding: .utf8)
            return try parser.singleRoot()
        } catch let error as YamlError {
            throw described(error)
        } catch {
            throw RuleFileError(line: 1, column: 1, message: "this is no YAML: \(error)")
        }
    }

    private func described(_ error: YamlError) -> RuleFileError {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _):
            var message = "this is no YAML: \(problem)"
            if let context { message += " (\(context.text), which begins on line \(context.mark.line))" }
            if scalar(mark.place) == "\t" { message += "; indent with spaces, not with tabs" }
            return RuleFileError(line: mark.line, column: mark.column, message: message)
        case .composer(_, _, let mark, _):
            return RuleFileError(
                line: mark.line, column: mark.column,
                message: "a \(title) is one YAML document; remove the second one")
        case .duplicatedKeysInMapping(let keys, let context):
            let key = keys.first ?? ""
            let place = repetition(of: unmasked(key), after: context.mark.place)
            return RuleFileError(
                line: place?.line ?? context.mark.line, column: place?.column ?? context.mark.column,
                message: "\"\(unmasked(key))\" occurs twice (first on line \(context.mark.line)); keep one of them")
        default:
            return RuleFileError(line: 1, column: 1, message: "this is no YAML: \(error)")
        }
    }
}

extension Mark {
    var place: RuleFileText.Place { RuleFileText.Place(line: line, column: column) }
}

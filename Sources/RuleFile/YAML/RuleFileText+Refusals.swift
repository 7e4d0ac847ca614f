extension RuleFileText {
    /// What YAML can say of a node and a rule file must not. It stands before the node; no other node begins with its
    /// character. libyaml itself says nothing of a tag that is a mere `!`.
    enum Markup: Character {
        case tag = "!"
        case anchor = "&"
        case alias = "*"
    }

    /// What stands before the node that begins at a place.
    func markup(at mark: YAMLMark) -> Markup? {
        scalar(at: mark.index).flatMap { Markup(rawValue: Character($0)) }
    }

    func refusal(_ mark: YAMLMark, _ message: String) -> RuleFileError {
        RuleFileError(line: mark.line, column: mark.column, message: message)
    }

    func refusal(of markup: Markup, _ mark: YAMLMark) -> RuleFileError {
        let name =
            switch markup {
            case .tag: "tags"
            case .anchor: "anchors"
            case .alias: "aliases"
            }
        let advice = "if a word itself begins with \"\(markup.rawValue)\", put it in quotes"
        return refusal(mark, "a \(title) has no \(name); \(advice)")
    }

    /// Says what libyaml found, where, and what to do about it.
    func refusal(of problem: YAMLProblem) -> RuleFileError {
        switch problem {
        case .noMemory:
            return RuleFileError(
                line: 1, column: 1,
                message: "there is not enough memory to read the \(title); close something and try again")
        case .text(let words, let mark, let context):
            // A word such as *.exe, or a tag that libyaml does not know.
            if let context, let markup = markup(at: context.mark) { return refusal(of: markup, context.mark) }
            var message = "this is no YAML: \(words)"
            if let context { message += " (\(context.words), which begins on line \(context.mark.line))" }
            if scalar(at: mark.index) == "\t" { message += "; indent with spaces, not with tabs" }
            return refusal(mark, message)
        }
    }
}

import CYAML

/// Why libyaml cannot go on, in its own words.
enum YAMLProblem {
    case noMemory
    /// `context` is what libyaml was reading, where it says so, and where that begins.
    case text(String, mark: YAMLMark, context: (words: String, mark: YAMLMark)?)

    /// The problem that stopped a parser.
    init(of parser: yaml_parser_t) {
        guard parser.error != YAML_MEMORY_ERROR else {
            self = .noMemory
            return
        }
        self = .text(
            parser.problem.map { String(cString: $0) } ?? "it cannot be read",
            mark: YAMLMark(parser.problem_mark),
            context: parser.context.map { (String(cString: $0), YAMLMark(parser.context_mark)) })
    }
}

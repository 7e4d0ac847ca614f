import MergeCore

/// The words of the command line, as far as they matter outside a verb: before one is parsed, and after one has failed.
package struct Invocation {
    /// The words for the parser. A `--home` that stands before the verb is behind it here, where the parser knows it.
    package let words: [String]
    /// The verb, such as `play`; `nil` where none is given.
    package let verb: String?
    /// Whether `--json` is among the options.
    package let wantsJSON: Bool

    /// The word behind the verb, such as `create` in `backup-key create`; `nil` where none but options follow.
    private let subverb: String?

    /// Verbs that use no home. A `--home` that was said for all verbs, as by an alias of the shell, means nothing to
    /// them, wherever it stands.
    private static let homeless: Set = ["help", "merge", "check", "simulate", "demo"]

    /// - Parameter arguments: The words after the program's name.
    package init(_ arguments: [String]) {
        var rest = arguments[...]
        var home: [String] = []
        while let first = rest.first {
            if first == "--home", rest.count > 1 {
                home = Array(rest.prefix(2))
                rest = rest.dropFirst(2)
            } else if first.hasPrefix("--home=") {
                home = [first]
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        verb = rest.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        // What comes after "--" belongs to the game.
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        let options = rest[..<end]
        wantsJSON = options.contains("--json")
        let plain = Self.withoutHome(options)
        subverb = plain.dropFirst().first { !$0.hasPrefix("-") }
        guard let verb, plain.count == options.count || Self.homeless.contains(verb) else {
            words = Array(rest)
            return
        }
        words = plain + (Self.homeless.contains(verb) ? [] : home) + rest[end...]
    }

    /// The words without `--home FOLDER` and `--home=FOLDER`. One that names no folder stays.
    private static func withoutHome(_ words: ArraySlice<String>) -> [String] {
        var plain: [String] = []
        var rest = words
        while let word = rest.popFirst() {
            if word == "--home", !rest.isEmpty {
                rest = rest.dropFirst()
            } else if !word.hasPrefix("--home=") {
                plain.append(word)
            }
        }
        return plain
    }

    /// The sentence where the verb, or the one whose help is asked for, is none that exists; `nil` where it is one.
    ///
    /// - Parameter names: All verbs.
    package func unknownVerb(_ names: [String]) -> String? {
        guard let verb else { return nil }
        let asked = verb == "help" ? subverb : verb
        guard let asked, !names.contains(asked) else { return nil }
        let help = verb == "help" ? "help " : ""
        let near = NearWord.of(asked, in: names).map { "did you mean 'hearth \(help)\($0)'?" }
        return "there is no command '\(PlainText.line(asked))'; \(near ?? "'hearth --help' lists them")"
    }

    /// The sentence where the word behind a verb with verbs of its own is none of them; `nil` where it is one.
    ///
    /// - Parameter names: The verbs behind this verb; none where it has none.
    package func unknownSubverb(_ names: [String]) -> String? {
        guard let verb, let subverb, !names.isEmpty, !names.contains(subverb) else { return nil }
        let near = NearWord.of(subverb, in: names).map { "did you mean 'hearth \(verb) \($0)'?" }
        return "there is no command '\(verb) \(PlainText.line(subverb))'; "
            + (near ?? "'hearth \(verb) --help' lists them")
    }

    /// The parser's sentence about wrong usage, without the suggestion of an option that is not near to what was typed:
    /// the parser takes any short option for near to any other.
    package static func withoutFarSuggestion(_ sentence: String) -> String {
        let parts = sentence.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == "Unknown option ", parts[2] == ". Did you mean " else { return sentence }
        let (typed, meant) = (parts[1].drop { $0 == "-" }, parts[3].drop { $0 == "-" })
        return NearWord.of(String(typed), in: [String(meant)]) == nil ? "Unknown option '\(parts[1])'" : sentence
    }
}

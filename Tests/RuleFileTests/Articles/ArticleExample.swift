import Foundation
import TestSupport

/// One worked example of an article: a rule file and what happens after it, step by step.
///
/// In the article every step is a line of bold text, most with a fenced block behind it:
///
/// | line | block | meaning |
/// |---|---|---|
/// | `**Rules**` | yaml | begins an example |
/// | `**Start**` | json | the save that both machines have when Hearth gets to know it |
/// | `**Start on A**`, `**Start on B**` | json | the same, where the two copies are not alike |
/// | `**A saves**`, `**B saves**` | json | the game writes its file, without having heard of the other machine since |
/// | `**Not read:** …` | | the place whose value the save before this line could not be read |
/// | `**No edit**` | | the save before this line counts as a lost one |
/// | `**A resets** …` | | the player starts a scope of the rule file over |
/// | `**The player takes, for** …` | json | an open choice is decided, on A |
/// | `**Both show**`, `**A shows**`, `**B shows**` | json | the machines have met, and this is in the file |
/// | `**Put aside:** …` | | the place whose progress a reset overrode when the machines met |
/// | `**Open:** …` | | the place that waits for the player's decision |
/// | `**Refused**` | yaml | a rule file that is an error, and |
/// | `**Because**` | text | that error |
///
/// What a line names stands in back quotes. Every other line is prose.
struct ArticleExample: Sendable, CustomStringConvertible {
    enum Side: String, Sendable { case a = "A", b = "B" }

    enum Step: Sendable {
        /// `nil` for both sides.
        case start(Side?, String)
        case save(Side, String)
        case notRead(String)
        case noEdit
        case reset(Side, String)
        case decide(String, String)
        /// `nil` for both sides.
        case show(Side?, String)
        case putAside(String)
        case open(String)
        case because(String)
    }

    /// The heading it stands under.
    let heading: String
    /// The line of the article, from 1, where it begins.
    let line: Int
    let rules: String
    fileprivate(set) var steps: [Step] = []

    var description: String { "\(heading) (line \(line))" }
}

/// An article as its source file has it.
struct Article {
    /// A line or a block that belongs to no step, or a step without its block.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private(set) var examples: [ArticleExample] = []

    private struct Label {
        let words: String
        let name: String
        let line: Int
    }

    /// - Parameter name: Of a file in MergeCore's catalog, without its ending.
    init(_ name: String) throws { try self.init(text: Self.text(of: name)) }

    /// The source of an article.
    static func text(of name: String) throws -> String {
        let path = "\(ExampleFiles.root)/Sources/MergeCore/MergeCore.docc/\(name).md"
        return try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }

    init(text: String) throws {
        var heading = ""
        var label: Label?
        var block: [Substring]?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let lines = block {
                if line == "```" {
                    try take(label, lines.joined(separator: "\n"), heading)
                    (label, block) = (nil, nil)
                } else {
                    block = lines + [line]
                }
            } else if line.hasPrefix("```") {
                guard label != nil else { throw Fault(description: "line \(index + 1): a block without a step") }
                block = []
            } else if let next = Self.label(line, index + 1) {
                if let label { try take(label, nil, heading) }
                label = next
            } else if !line.isEmpty {
                if let label { try take(label, nil, heading) }
                label = nil
                if line.hasPrefix("#") { heading = line.drop { $0 == "#" || $0 == " " }.description }
            }
        }
        if let label { try take(label, nil, heading) }
    }

    /// A line that is bold text, or bold text and a name in back quotes.
    private static func label(_ line: Substring, _ number: Int) -> Label? {
        guard line.hasPrefix("**"), let end = line.dropFirst(2).range(of: "**") else { return nil }
        let rest = line[end.upperBound...]
        let words = String(line.dropFirst(2)[..<end.lowerBound])
        if rest.isEmpty { return Label(words: words, name: "", line: number) }
        guard rest.hasPrefix(" `"), rest.hasSuffix("`"), rest.count > 3 else { return nil }
        return Label(words: words, name: String(rest.dropFirst(2).dropLast()), line: number)
    }

    private mutating func take(_ label: Label?, _ block: String?, _ heading: String) throws {
        guard let label else { return }
        if ["Rules", "Refused"].contains(label.words), let block {
            examples.append(ArticleExample(heading: heading, line: label.line, rules: block))
            return
        }
        guard let step = Self.step(label, block), !examples.isEmpty else {
            throw Fault(description: "line \(label.line): \"\(label.words)\" is no step, or lacks what belongs to it")
        }
        examples[examples.count - 1].steps.append(step)
    }

    private static func step(_ label: Label, _ block: String?) -> ArticleExample.Step? {
        switch (label.words, label.name, block) {
        case ("Start", "", let json?): .start(nil, json)
        case ("Start on A", "", let json?): .start(.a, json)
        case ("Start on B", "", let json?): .start(.b, json)
        case ("A saves", "", let json?): .save(.a, json)
        case ("B saves", "", let json?): .save(.b, json)
        case ("Not read:", let place, nil) where !place.isEmpty: .notRead(place)
        case ("No edit", "", nil): .noEdit
        case ("A resets", let scope, nil) where !scope.isEmpty: .reset(.a, scope)
        case ("B resets", let scope, nil) where !scope.isEmpty: .reset(.b, scope)
        case ("The player takes, for", let place, let json?) where !place.isEmpty: .decide(place, json)
        case ("Both show", "", let json?): .show(nil, json)
        case ("A shows", "", let json?): .show(.a, json)
        case ("B shows", "", let json?): .show(.b, json)
        case ("Put aside:", let place, nil) where !place.isEmpty: .putAside(place)
        case ("Open:", let place, nil) where !place.isEmpty: .open(place)
        case ("Because", "", let message?): .because(message)
        default: nil
        }
    }
}

import SaveOracle
import TestSupport

/// One example of the tables in *Merge rules*: of what each rule does to the laws of one and of two writers, and of what
/// becomes of a value that is removed, lowered or reset.
///
/// In a table it is a text in back quotes, what stands at `/x` before, what is saved, and what there is then:
/// `5 → 7 ⇒ 7` of one writer (A), `5 → 9 and 7 ⇒ 9` of two (B saves later); `nothing` where no `x` is, `… on A, … on B`
/// where the two files differ; `5 → reset ⇒ nothing` of a player who starts over what is at `/x`. A word behind it in
/// italics says what the player is told.
struct LawExample: Sendable, CustomStringConvertible {
    enum Word: String, Sendable, CaseIterable {
        /// The player is asked what the save means.
        case asked
        /// The place is named in `status`: its rule keeps what the game lowered.
        case named
        /// The place is named as one that its rule cannot read.
        case notRead = "not read"
        /// A choice waits for the player.
        case open
        /// Two spent what only one had.
        case owed
    }

    let text: String
    let start: String?
    /// Whether the player starts over; the game saves nothing then.
    let isReset: Bool
    /// What A saves, and B.
    let saves: [String?]
    /// What stands in A's file then, and in B's.
    let results: [String?]
    let word: Word?

    var description: String { word.map { "\(text) (\($0.rawValue))" } ?? text }
    var isOfOne: Bool { saves.count == 1 }

    init?(_ text: String, word: Word?) {
        (self.text, self.word) = (text, word)
        let sides = text.split(separator: " ⇒ ").map(String.init)
        let before = sides.first?.split(separator: " → ").map(String.init) ?? []
        guard sides.count == 2, before.count == 2 else { return nil }
        func value(_ text: some StringProtocol) -> String? { text == "nothing" ? nil : String(text) }
        start = value(before[0])
        isReset = before[1] == "reset"
        saves = isReset ? [start] : before[1].split(separator: " and ").map(value)
        let after = sides[1].split(separator: " on A, ")
        if after.count == 2, after[1].hasSuffix(" on B") {
            results = [value(after[0]), value(after[1].dropLast(" on B".count))]
        } else {
            results = [value(sides[1]), value(sides[1])]
        }
    }
}

/// A row of a table: rules at and below `/x`, and examples of what they do.
struct LawRow: Sendable, CustomStringConvertible {
    /// Lines of a rule file.
    let rules: [String]
    /// In the table of the laws, of one writer, what is as he wrote it; then where it is not; then of two. In the other, of
    /// what is removed; then of what is lowered or emptied; then of resets.
    let cells: [[LawExample]]
    /// What is no example, though it stands in back quotes and says what becomes of something.
    let faults: [String]

    var description: String { rules.joined(separator: "; ") }
    var examples: [LawExample] { cells.flatMap { $0 } }
    var yaml: String {
        "rules:\n" + rules.map { "  \($0)\n" }.joined() + "  /trophies: union\nresets:\n  \(Self.scope): [/x]\n"
    }
    /// What a player can start over.
    static let scope = "fresh"

    init(_ line: Substring) {
        let cells = line.split(separator: "|").map(Self.quoted)
        rules = cells.first?.map(\.text) ?? []
        var faults: [String] = []
        self.cells = cells.dropFirst().map { cell in
            cell.filter { $0.text.contains("⇒") }.compactMap { text, behind in
                let word = LawExample.Word.allCases.first { behind.hasPrefix(" *\($0.rawValue)*") }
                let example = LawExample(text, word: word)
                if example == nil || (word == nil && behind.hasPrefix(" *")) { faults.append(text + behind) }
                return example
            }
        }
        self.faults = faults
    }

    /// Texts in back quotes, each with what follows it.
    private static func quoted(_ cell: Substring) -> [(text: String, behind: String)] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        return stride(from: 1, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
    }

    /// What each rule does to the laws of one and of two writers.
    static let laws = rows(under: "| rule | one writer")
    /// What becomes of a value that is removed, lowered or reset.
    static let removals = rows(under: "| rule | when a game removes")
    static let all = laws + removals

    /// The rows of the table in the article whose first line begins so.
    private static func rows(under head: String) -> [LawRow] {
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
        guard let head = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return [] }
        return lines[(head + 2)...].prefix { $0.hasPrefix("|") }.map { LawRow($0.dropFirst().dropLast()) }
    }

    /// *Merge rules*, as its source has it.
    private static let article = Disk.text("\(ExampleFiles.root)/Sources/MergeCore/MergeCore.docc/MergeRules.md")
}

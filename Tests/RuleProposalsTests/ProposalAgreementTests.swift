import LosslessJSON
import MergeCore
import RuleFile
import RuleProposals
import SampleSaves
import TestSupport
import Testing

/// How far a proposal agrees with the rules that somebody who knows the game wrote.
struct ProposalAgreementTests {
    /// The rule of every leaf, by its place.
    private func leaves(_ document: JSONDocument) -> [DocumentPath] {
        var result: [DocumentPath] = []
        func collect(_ node: JSONNode, _ path: DocumentPath) {
            switch document.kind(node) {
            case .object: for (key, value) in document.members(node) { collect(value, path.appending(.member(key))) }
            default: result.append(path)
            }
        }
        collect(document.root, .root)
        return result
    }

    /// Where somebody who knows the game wrote a rule, what is proposed is that rule, or nothing.
    private func disagreements(_ document: JSONDocument, _ written: RuleSet) -> (wrong: [String], guessed: Int) {
        let proposed = RuleProposal(for: document).rules
        let guessed = leaves(document).filter { proposed.rule(for: $0) != .standard }
        let wrong = guessed.filter { written.rule(for: $0).merge != proposed.rule(for: $0).merge }
        return (wrong.map { "\($0): \(proposed.rule(for: $0).merge)" }, guessed.count)
    }

    @Test(arguments: SampleSave.all(.statistics)) func everyRuleOfASimpleSave(_ sample: SampleSave) throws {
        let document = try JSONDocument(parsing: sample.bytes)
        let written = try RuleSet(yaml: sample.rules)
        let proposal = RuleProposal(for: document)
        for leaf in leaves(document) where leaf.description != written.versionAt {
            #expect(proposal.rules.rule(for: leaf) == written.rule(for: leaf), "\(leaf)")
        }
        #expect(proposal.rules.versionAt == written.versionAt)
    }

    /// What was met stays met, where two saves of one world meet for the first time too.
    @Test(arguments: SampleSave.all(.advancements)) func everyRuleOfAdvancements(_ sample: SampleSave) throws {
        let document = try JSONDocument(parsing: sample.bytes)
        let written = try RuleSet(yaml: sample.rules)
        let proposal = RuleProposal(for: document)
        for leaf in leaves(document) where leaf.description != written.versionAt {
            #expect(proposal.rules.rule(for: leaf) == written.rule(for: leaf), "\(leaf)")
        }
        #expect(proposal.guesses.map(\.pattern.description) == ["/*/criteria/*", "/*/done"])
    }

    /// A save in which one purchase changes the worth of all others, and nearly all starts over: names tell little.
    @Test(arguments: SampleSave.all(.incremental)) func nothingWrongOfADifficultSave(_ sample: SampleSave) throws {
        let document = try JSONDocument(parsing: sample.bytes)
        let written = try RuleSet(yaml: sample.rules)
        let (wrong, guessed) = disagreements(document, written)
        #expect(wrong.isEmpty && guessed > 0, "\(wrong) of \(guessed)")
        let proposal = RuleProposal(for: document).rules
        #expect(proposal.versionAt == written.versionAt)
        // What must not leave the machine.
        let place = DocumentPath([.member("options"), .member("notation")])
        #expect(proposal.rule(for: place) == written.rule(for: place))
    }

    @Test func nothingWrongOfTheTeachingExample() throws {
        let save = #"""
            {"saveVersion": "1.1.0", "playerLevel": 7, "bestLap": 0, "coins": 100, "unlockedThemes": ["dark"],
             "friends": ["ann"], "tutorialDone": false, "displayName": "Ann", "position": {"x": 1, "y": 2},
             "lastPlayed": "2024-05-01T10:00:00Z", "highestDamage": "1e21",
             "levels": {"1": {"stars": 3}, "2": {"stars": 1}},
             "inventory": [{"id": "potion", "count": 3}], "achievementBits": 5, "firstWin": "2024-01-31",
             "history": [{"playedAt": "2024-05-01", "score": 7}], "campaign": {"chapter": 3, "points": 40},
             "ending": "open", "settings": {"volume": 3}}
            """#
        let document = try JSONDocument(parsing: Array(save.utf8))
        let written = try RuleSet(yaml: #require(ExampleFiles.rules("universe-rpg")))
        let (wrong, guessed) = disagreements(document, written)
        #expect(wrong.isEmpty && guessed >= 9, "\(wrong) of \(guessed)")
    }
}

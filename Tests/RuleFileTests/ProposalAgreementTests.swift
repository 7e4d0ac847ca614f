import LosslessJSON
import MergeCore
import RuleFile
import SampleSaves
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

    private func agreement(_ document: JSONDocument, _ written: RuleSet) -> (same: Int, all: Int) {
        let proposed = RuleProposal(for: document).rules
        let leaves = leaves(document).filter { written.rule(for: $0) != .standard }
        let same = leaves.count { written.rule(for: $0).merge == proposed.rule(for: $0).merge }
        return (same, leaves.count)
    }

    @Test(arguments: SampleSave.all(.statistics) + SampleSave.all(.advancements))
    func everyRuleOfASimpleSave(_ sample: SampleSave) throws {
        let document = try JSONDocument(parsing: sample.bytes)
        let written = try RuleSet(yaml: sample.rules)
        let proposal = RuleProposal(for: document)
        for leaf in leaves(document) { #expect(proposal.rules.rule(for: leaf) == written.rule(for: leaf), "\(leaf)") }
        #expect(proposal.rules.versionAt == written.versionAt)
    }

    /// A save in which one purchase changes the worth of all others: names tell less there.
    @Test(arguments: SampleSave.all(.incremental)) func mostRulesOfADifficultSave(_ sample: SampleSave) throws {
        let document = try JSONDocument(parsing: sample.bytes)
        let written = try RuleSet(yaml: sample.rules)
        let (same, all) = agreement(document, written)
        #expect(same * 2 > all, "\(same) of \(all)")
        let proposal = RuleProposal(for: document).rules
        #expect(proposal.versionAt == written.versionAt)
        // What no player may lose, and what must not leave the machine.
        for path in [
            "/secretUnlocks/themes", "/reality/perks", "/celestials/enslaved/completed", "/reality/perkPoints",
            "/realities", "/records/totalAntimatter", "/celestials/teresa/bestRunAM", "/options/notation",
        ] {
            let place = DocumentPath(try JSONPointer(parsing: path).tokens.map(PathStep.member))
            #expect(proposal.rule(for: place) == written.rule(for: place), "\(path)")
        }
    }

    @Test func mostRulesOfTheTeachingExample() throws {
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
        let written = try RuleSet(yaml: #require(Files.rules("universe-rpg")))
        let (same, all) = agreement(document, written)
        #expect(same * 5 >= all * 4, "\(same) of \(all)")
    }
}

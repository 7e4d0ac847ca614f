import HearthCLI
import LosslessJSON
import MergeCore
import RuleFile
import RuleProposals
import SampleSaves
import Testing

/// A proposal as a file.
struct ProposalFileTests {
    private func proposal(_ bytes: [UInt8], profile: String? = nil) throws -> RuleProposal {
        RuleProposal(for: try JSONDocument(parsing: bytes), profile: profile)
    }

    private func expectReadsBack(_ proposal: RuleProposal, _ comment: Comment? = nil) throws {
        let back = try RuleSet(yaml: proposal.yaml)
        #expect(back.entries == proposal.rules.entries, comment)
        #expect(back.profile == proposal.rules.profile && back.versionAt == proposal.rules.versionAt, comment)
    }

    @Test func aFileForPeople() throws {
        let save = #"""
            {"saveVersion": 3, "highScore": 7, "coins": 120, "bestLapTime": 0, "unlockedThemes": ["a"],
             "inventory": [{"id": 1, "count": 2}, {"id": 2, "count": 1}], "settings": {"volume": 3}}
            """#
        let yaml = try proposal(Array(save.utf8), profile: "My \"game\"").yaml
        let body = yaml.split(separator: "\n\n", maxSplits: 1).last.map(String.init)
        #expect(
            body == """
                profile: "My \\"game\\""
                versionAt: /saveVersion   # where the save says which version wrote it

                rules:
                  # --- Records and progress ---
                  # the largest counts; it never falls
                  /highScore: max
                  # the smallest counts; 0, -1 and null mean none yet
                  /bestLapTime: {merge: min, none: [0, -1, null]}

                  # --- Purses and totals ---
                  # earned and spent on every machine add up
                  /coins: counter
                  # earned and spent on every machine add up
                  "/inventory[id]/count": counter

                  # --- Kept once it is there ---
                  # a list that only grows; nothing in it is lost
                  /unlockedThemes: union

                  # --- The last change is right ---
                  # elements are told apart by "id", and merge one by one
                  "/inventory[id]": latest

                  # --- Stays on this machine ---
                  # a setting of this device
                  /settings/**: local

                """
        )
        try expectReadsBack(proposal(Array(save.utf8), profile: "My \"game\""))
    }

    /// A save that protects itself is taken whole, and the file says why.
    @Test func aSaveWithAChecksumIsOneWhole() throws {
        let proposal = try proposal(Array(#"{"level": 3, "coins": 4, "meta": {"checksum": "a6f0"}}"#.utf8))
        #expect(proposal.yaml.contains("# /meta/checksum.\n"))
        #expect(proposal.yaml.hasSuffix("\n  \"\": {merge: choice, whole: true}\n"))
        try expectReadsBack(proposal)
        let other = try self.proposal(Array(#"{"level": 3, "playTime": 4, "meta": {"checksum": "a6f0"}}"#.utf8))
        #expect(other.yaml.hasSuffix("\n  \"\": {merge: furthest, whole: true, by: [playTime]}\n"), "\(other.yaml)")
        try expectReadsBack(other)
        #expect(try !self.proposal(Array(#"{"level": 3}"#.utf8)).yaml.contains("checksum"))
        // The least integer has no positive counterpart.
        let least = try self.proposal(Array(#"{"level": 3, "checksum": -9223372036854775808}"#.utf8))
        #expect(least.yaml.contains("# /checksum.\n"), "\(least.yaml)")
    }

    @Test(arguments: ["null", "[]", "{}", "7", #"{"x": 1}"#])
    func nothingToPropose(_ text: String) throws {
        let proposal = try proposal(Array(text.utf8))
        #expect(proposal.guesses.isEmpty)
        try expectReadsBack(proposal)
    }

    @Test(arguments: SampleSave.all) func samples(_ sample: SampleSave) throws {
        try expectReadsBack(proposal(sample.bytes))
    }

    /// However large a save is, the file of its proposal can be read and travel.
    @Test func aHugeSave() throws {
        let long = String(repeating: "\\\"\\\\", count: 15)
        for name in ["bestScore", "bestScore \(long) "] {
            let members = (0..<6_000).map { "\"\(name)\($0)k\": \($0)" }.joined(separator: ",")
            let proposal = try proposal(Array("{\(members)}".utf8))
            #expect((100...2_000).contains(proposal.guesses.count))
            try expectReadsBack(proposal)
        }
    }
}

import Testing

/// `hearth merge` as a merge driver of the real git.
@Suite(
    .enabled(if: Command.isBuilt, "the built hearth is not beside the tests"),
    .enabled(if: GitRepository.program != nil, "git is not installed")
)
struct GitDriverTests {
    static let rules = "rules: {/coins: counter, /level: max}\n"

    private func save(_ coins: Int, level: Int = 1, name: String = "Ada") -> String {
        "{\n  \"name\": \"\(name)\",\n  \"level\": \(level),\n  \"coins\": \(coins)\n}\n"
    }

    private func played() throws -> GitRepository {
        let repository = try GitRepository(rules: Self.rules, save: save(100))
        try repository.branch("laptop", save: save(120, level: 3))
        try repository.branch("desktop", save: save(130, level: 2))
        return repository
    }

    @Test(arguments: ["", "saves"]) func bothBranchesEarned(subfolder: String) throws {
        let repository = try played()
        try repository.git("merge", "--quiet", "--no-edit", "laptop", in: subfolder)
        try repository.git("merge", "--quiet", "--no-edit", "desktop", in: subfolder)
        #expect(repository.read("saves/player.json") == save(150, level: 3))
        #expect(try repository.git("status", "--porcelain").output == "")
    }

    @Test func aRebaseAddsThemUpAsWell() throws {
        let repository = try played()
        try repository.git("checkout", "--quiet", "desktop")
        try repository.git("rebase", "--quiet", "laptop")
        #expect(repository.read("saves/player.json") == save(150, level: 3))
        #expect(try repository.git("status", "--porcelain").output == "")
        #expect(try repository.git("log", "--format=%s").output == "desktop\nlaptop\nstart\n")
    }

    @Test func aCherryPickTakesWhatThatCommitEarned() throws {
        let repository = try played()
        try repository.git("checkout", "--quiet", "laptop")
        try repository.git("cherry-pick", "desktop")
        #expect(repository.read("saves/player.json") == save(150, level: 3))
    }

    /// Under `latest` the value of the branch that is merged in wins.
    @Test func latestTakesTheBranchThatIsMergedIn() throws {
        let repository = try GitRepository(rules: Self.rules, save: save(100))
        try repository.branch("laptop", save: save(100, name: "Bob"))
        try repository.branch("desktop", save: save(100, name: "Cy"))
        try repository.git("checkout", "--quiet", "desktop")
        try repository.git("merge", "--quiet", "--no-edit", "laptop")
        #expect(repository.read("saves/player.json") == save(100, name: "Bob"))
    }

    /// Where both branches created the save, git passes an empty file as the base. It counts as no base.
    @Test func aSaveThatBothBranchesMade() throws {
        let repository = try GitRepository(rules: Self.rules, save: nil)
        try repository.branch("laptop", save: save(120, level: 1))
        try repository.branch("desktop", save: save(100, level: 5))
        try repository.git("checkout", "--quiet", "desktop")
        try repository.git("merge", "--quiet", "--no-edit", "laptop")
        #expect(repository.read("saves/player.json") == save(120, level: 5))
    }

    /// A save that is no JSON makes a conflict: git keeps all three versions, and ours stays in the work tree.
    @Test(arguments: ["{\"coins\": 13", ""]) func aBrokenSaveIsAConflictAndNothingIsLost(broken: String) throws {
        let repository = try played()
        try repository.branch("broken", save: broken)
        try repository.git("merge", "--quiet", "--no-edit", "laptop")
        let outcome = try repository.git("merge", "--no-edit", "broken", code: 1)
        #expect(outcome.output.contains("CONFLICT (content): Merge conflict in saves/player.json"))
        #expect((outcome.output + outcome.errors).contains("saves/player.json (B):1:"), "\(outcome)")
        #expect(repository.read("saves/player.json") == save(120, level: 3))
        for (stage, text) in [(1, save(100)), (2, save(120, level: 3)), (3, broken)] {
            #expect(try repository.git("show", ":\(stage):saves/player.json").output == text)
        }
        try repository.git("merge", "--abort")
        #expect(repository.read("saves/player.json") == save(120, level: 3))
        #expect(try repository.git("status", "--porcelain").output == "")
    }

    /// A missing rule file makes a conflict too: nothing is merged without rules.
    @Test func withoutItsRulesNothingIsMerged() throws {
        let repository = try played()
        try repository.git("checkout", "--quiet", "desktop")
        try repository.git("rm", "--quiet", "saves/rules.yaml")
        try repository.commit("no rules")
        try repository.git("merge", "--quiet", "--no-edit", "laptop", code: 1)
        #expect(repository.read("saves/player.json") == save(130, level: 2))
        #expect(try repository.git("show", ":3:saves/player.json").output == save(120, level: 3))
    }
}

import LosslessJSON
import TestSupport
import Testing

@testable import HearthCLI

/// `hearth simulate`, run as a process.
@Suite(.enabled(if: Command.isBuilt, "the built hearth is not beside the tests"))
struct SimulateTests {
    private let folder = Folder()

    private func files() -> (rules: String, save: String) {
        let rules = folder.write("rules:\n  /coins: counter\n  /level: max\n  /themes: union\n", "rules.yaml")
        let save = folder.write(#"{"coins": 100, "level": 3, "themes": ["dark"], "name": "Ada"}"#, "save.json")
        return (rules, save)
    }

    /// Two processes give the same bytes: nothing hangs on the order of a set, which is another one in every process.
    @Test func equalSeedsGiveEqualBytes() throws {
        let (rules, save) = files()
        let seeds = "1..\(TestDepth.count(quick: 4, usual: 10, all: 100))"
        let words = ["simulate", "--rules", rules, save, "--seeds", seeds, "--devices", "3", "--json"]
        let (one, other) = (try Command.run(words, in: folder), try Command.run(words, in: folder))
        #expect(one.output == other.output)
        let result = try JSONValue(parsing: Array(one.output.utf8))
        #expect(result["event"] == "simulated")
        #expect(result["digest"] != nil && result["runs"] != nil && result["judged"] != nil)
        #expect(result["failed"] != nil)
        #expect(one.code == (result["ok"] == true ? 0 : 1), "\(one.output)")
        #expect(one.errors.split(separator: "\n").allSatisfy { $0.hasSuffix("households") }, "\(one.errors)")
    }

    /// A rule of no place does nothing, and that is no success.
    @Test func aRuleOfNoPlaceIsSaid() throws {
        let (_, save) = files()
        let other = folder.write(#"{"coins": 100, "gems": 2}"#, "other.json")
        let rules = folder.write("rules:\n  /cions: counter\n  /gems: counter\n", "mistyped.yaml")
        let words = ["simulate", "--rules", rules, save, other, "--seeds", "1..2"]
        let told = try Command.run(words, in: folder)
        #expect(told.errors.contains("no place matches /cions; did you mean /coins?"), "\(told.errors)")
        #expect(!told.errors.contains("/gems"), "the other save has it: \(told.errors)")
        let json = try JSONValue(parsing: Array(try Command.run(words + ["--json"], in: folder).output.utf8))
        guard case .array(let warnings)? = json["warnings"] else { throw Failure("\(json)") }
        #expect(warnings.count == 1)
    }

    @Test func theTableTellsWhatRulesDo() throws {
        let (rules, save) = files()
        let outcome = try Command.run("simulate", "--rules", rules, save, "--seeds", "1..10", in: folder)
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("/coins"))
        let last = outcome.output.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("10 runs, ") && last.contains(", digest "), "\(last)")
        #expect(last.contains(" of them faults (") && last.contains("partition "), "\(last)")
    }

    /// A line says how far it is, and the next one comes a pause later.
    @Test func progressKeepsItsPace() {
        let start = ContinuousClock.now
        var pace = ProgressPace(pause: .seconds(10), since: start)
        let told = [1, 9, 10, 11, 19, 20, 45, 46, 55].filter { pace.isDue(at: start + .seconds($0)) }
        #expect(told == [10, 20, 45, 55])
    }

    @Test func whatCannotBePlayedIsSaid() throws {
        let (rules, save) = files()
        for words in [
            ["simulate", "--rules", rules, save, "--seeds", "9..1"],
            ["simulate", "--rules", rules, save, "--devices", "1"],
            ["simulate", "--rules", rules, save, "--devices", "65"],
            ["simulate", save], ["simulate", "--rules", rules],
        ] {
            #expect(try Command.run(words, in: folder).code == 2, "\(words)")
        }
        let text = folder.write("{", "broken.json")
        let outcome = try Command.run("simulate", "--rules", rules, text, in: folder)
        #expect(outcome.code == 1)
        #expect(outcome.errors.hasPrefix("\(text):1:2: "))
    }

    @Test(arguments: [
        ("1..100", "1..100"), ("7", "7..7"), ("", nil), ("1..", nil), ("..3", nil), ("1.2", nil), ("a..b", nil),
    ])
    func seeds(_ text: String, _ shown: String?) {
        let range = (try? SeedRange(reading: text))?.range
        #expect(range.map { "\($0.lowerBound)..\($0.upperBound)" } == shown)
    }

    @Test(arguments: [
        ("9..1", "--seeds begins with the smaller number: 1..9."),
        ("1..99999999", "--seeds takes at most 10000000 seeds at once."),
        ("many", "--seeds takes two numbers as in 1..100, or one number."),
    ])
    func seedsThatAreWrong(_ text: String, _ sentence: String) throws {
        let (rules, save) = files()
        let outcome = try Command.run("simulate", "--rules", rules, save, "--seeds", text, in: folder)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }
}

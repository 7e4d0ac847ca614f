import ArgumentParser
import HearthTesting
import LosslessJSON
import MergeCore

/// `hearth simulate --rules F SAVE…`: plays random scenarios with a save and its rules, without a home or an agent.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Try rules in simulated households: devices that play apart, crash and come together.",
        discussion: """
            Every seed is one household of real agents in virtual time, with a network,
            disks and clocks that fail. Play is invented from the saves: amounts are
            earned and spent, records get better, things are found and used up. All
            devices begin with the first save; values of the others turn up in play.
            When all is quiet, every file is checked: all hold the same, one writer's
            save is everywhere, each place has what its rule gives, nothing is lost, and
            what 'hearth status' says is true.

            The table tells what came of each rule where two devices had written apart.
            Where something is wrong, the shortest scenario that shows it follows, as it
            happened and as Swift code. The last line has the runs, the steps and the
            faults by kind, and a digest: equal seeds have equal ones, on every machine.
            How far it is stands on the terminal; elsewhere, a line to standard error
            says so every ten seconds. What the rules name and no save has is said as
            well: such a rule does nothing.

            Exit code 1 means that something was found. Nothing of yours is changed.

            Examples:
              hearth simulate --rules rules.yaml save.json
              hearth simulate --rules rules.yaml a.json b.json --seeds 1..1000
              hearth simulate --rules rules.yaml save.json --json
            """
    )

    @Argument(help: ArgumentHelp("Saves of the game.", valueName: "save"), completion: .file())
    var saves: [String]

    @Option(help: ArgumentHelp("How the fields merge (YAML).", valueName: "file"), completion: .file())
    var rules: String

    @Option(help: ArgumentHelp("The seeds to play.", valueName: "a..b"))
    var seeds = "1..100"

    @Option(help: ArgumentHelp("How many devices a household has, from 2 to 64.", valueName: "n"))
    var devices = 3

    @Flag(help: "Print JSON: one object with what came of it.")
    var json = false

    func validate() throws {
        _ = try SeedRange(reading: seeds)
        guard (2...64).contains(devices) else { throw ValidationError("--devices takes a number from 2 to 64.") }
        guard !saves.contains("-") else { throw ValidationError("Name the saves as files.") }
    }

    func run() async throws {
        let range = try SeedRange(reading: seeds).range
        let set = try RuleInput.read(rules)
        let documents = try saves.map { try JSONInput.read($0).document }
        let count = range.count
        let warnings = RuleInput.warnings(rules, forAll: saves)
        for warning in warnings { Console.note(PlainText.line(warning)) }
        let progress = ProgressLine()
        let result = await PlainHousehold.explore(
            seeds: range, devices: Self.names(devices), rules: set, saves: documents
        ) { done in
            progress.tell("\(done) of \(count) households")
        }
        progress.end()
        if let trouble = result.trouble {
            throw CommandFailure(
                "the households cannot be made: \(trouble)", "see what is wrong with the rules and the saves")
        }
        if json {
            try Console.result(SimulationText.json(result, warnings: warnings))
        } else {
            try Console.result(SimulationText.text(result, .standard))
        }
        guard !result.isClean else { return }
        var failure = CommandFailure(
            "something is not as it should be in \(result.failed) of \(result.runs) households",
            "to play the first one again: \(command(playing: result.failures[0].seed))")
        failure.isReported = json
        throw failure
    }

    /// The command that plays one of the households again, to be pasted.
    private func command(playing seed: UInt64) -> String {
        let end = saves.contains { $0.hasPrefix("-") } ? ["--"] : []
        let options = ["--rules", CommandWord.of(rules), "--seeds", "\(seed)", "--devices", "\(devices)"]
        let words: [String] = ["hearth", "simulate"] + options + end + saves.map { CommandWord.of($0) }
        return words.joined(separator: " ")
    }

    /// Names for so many devices.
    static func names(_ count: Int) -> [String] {
        let known = ["laptop", "deck", "desktop", "tablet", "nas"]
        return (0..<count).map { $0 < known.count ? known[$0] : "device\($0 + 1)" }
    }
}

/// Seeds from one to another, as `1..100`; a single number is one seed.
package struct SeedRange {
    package let range: ClosedRange<UInt64>

    /// The most seeds of one call.
    private static let limit: UInt64 = 10_000_000

    /// Reads what `--seeds` is given.
    ///
    /// - Throws: One sentence that says what is wrong.
    package init(reading text: String) throws {
        let ends = text.split(separator: ".", omittingEmptySubsequences: false)
        let texts =
            ends.count == 3 && ends[1].isEmpty ? [ends[0], ends[2]] : ends.count == 1 ? [ends[0], ends[0]] : []
        let numbers = texts.compactMap { UInt64($0) }
        guard numbers.count == 2 else {
            throw ValidationError("--seeds takes two numbers as in 1..100, or one number.")
        }
        let (first, last) = (numbers[0], numbers[1])
        guard first <= last else {
            throw ValidationError("--seeds begins with the smaller number: \(last)..\(first).")
        }
        guard last - first < Self.limit else {
            throw ValidationError("--seeds takes at most \(Self.limit) seeds at once.")
        }
        range = first...last
    }
}

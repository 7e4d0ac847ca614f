import ArgumentParser
import HouseholdAgent
import LosslessJSON
import MergeCore

/// `hearth migrate FILE --rules F`: lift a save to the version its rules describe.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lift a save to another version of its game, by the steps in its rule file.",
        discussion: """
            Takes a plain file, with no agent. Nothing is written unless every step went well and the result passes \
            the rules; what no step touches keeps its bytes. Where FILE itself is written, what it was before stays \
            beside it as FILE.before-VERSION. A save of a newer version is refused: update the game first.
            """
    )

    @Argument(help: ArgumentHelp("The save.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The rule file that lists the steps (YAML).", valueName: "file"), completion: .file())
    var rules: String

    @Option(help: ArgumentHelp("The version wanted; else the rule file's. An older one takes steps back.", valueName: "version"))
    var to: String?

    @Option(help: ArgumentHelp("Write here instead of over the save.", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Only say what would be done.")
    var dryRun = false

    func run() throws {
        let rules = try RuleInput.read(rules)
        guard let newest = rules.version, rules.versionAt != nil else {
            throw CommandFailure("\(self.rules) names no version", "it needs 'version', 'versionAt' and 'migrations'")
        }
        let document = try JSONInput.read(file).document
        let result = migrated(document, rules, newest)
        for step in result.report.steps { Console.note(PlainText.line(Self.line(step))) }
        for value in result.report.dropped {
            Console.note("dropped: \(value.place) \(PlainText.line(String(decoding: value.value.jsonBytes, as: UTF8.self)))")
        }
        if let error = result.report.errors.first {
            let isNewer = if case .newer = SaveVersion.detect(document, rules, target: to) { true } else { false }
            throw CommandFailure(
                "\(file): \(error)", "the save is as it was", code: isNewer && to == nil ? .tooOld : .failed)
        }
        let summary = "\(file): \(result.report.from ?? "no version") -> \(result.report.to)"
        guard let text = result.text, !dryRun else { return try Console.result(PlainText.line(summary) + "\n") }
        if text != document.bytes || output != nil { try write(text, document.bytes, result.report.from) }
        try Console.result(PlainText.line(summary) + "\n")
    }

    private func migrated(_ document: JSONDocument, _ rules: RuleSet, _ newest: String) -> MigrationResult {
        if let to, case .newer = SaveVersion.detect(document, rules, target: to),
            VersionOrder(rules).index(of: to) != nil
        {
            return Migration.rollBack(document, rules: rules, to: to, dryRun: dryRun)
        }
        return Migration.run(document, rules: rules, to: to, dryRun: dryRun)
    }

    private func write(_ text: [UInt8], _ former: [UInt8], _ version: String?) throws {
        do {
            if output == nil {
                let name = (version ?? "unversioned").map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }
                try AtomicFile.write(former, to: "\(file).before-\(String(name.prefix(64)))")
            }
            try AtomicFile.write(text, to: output ?? file)
        } catch {
            throw CommandFailure("\(output ?? file) \(error.sentence)")
        }
    }

    private static func line(_ step: MigrationReport.Step) -> String {
        switch step.outcome {
        case .done(let count): "\(step.to): \(step.step.word) \(step.step.path): \(count) changed"
        case .failed(let why): "\(step.to): \(step.step.word) \(step.step.path): \(why)"
        }
    }
}

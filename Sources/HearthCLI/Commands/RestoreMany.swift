import HouseholdAgent
import LocalFiles

/// `hearth restore` for several saves: each gets a file of its own in a folder.
struct RestoreMany {
    /// The saves; `nil` for all.
    let names: [String]?
    let options: Restore

    func run(to folder: String) async throws {
        let folder = FilePath.absolute(folder)
        let (line, isQuiet) = (ProgressLine(), options.shared.json)
        defer { line.end() }
        let request = RestoreManyRequest(profiles: names, folder: folder, anyway: options.anyway)
        let answer = try await options.shared.ask(request) { progress in
            if !isQuiet { line.tell("\(progress.done) of \(progress.of) saves") }
        }
        line.end()
        let text = RestoredText(answer)
        try options.shared.print(answer, text.text(.standard, columns: Console.width))
        if let failure = text.failure { throw failure }
    }
}

import ArgumentParser
import HouseholdAgent
import Libc

/// Before something is changed that the player would miss: what would change, then the question. One way for all
/// commands.
extension SharedOptions {
    /// Asks the agent what an act would change, shows it, and lets the person at the terminal decide.
    ///
    /// - Returns: What was shown.
    /// - Throws: ``CommandFailure`` with exit code 3 where nobody can be asked, or the answer is no; whatever the agent
    ///   has against the act.
    @discardableResult
    func confirm(
        _ act: some PreviewableRequest, refusal: String, question: (PreviewReport) -> String
    ) async throws -> PreviewReport {
        let preview = try await ask(PreviewRequest(act))
        for line in ChangeText.preview(preview) { Console.note(line) }
        try confirm(question(preview), refusal: refusal)
        return preview
    }

    /// A yes from `--yes` or from the person at the terminal.
    ///
    /// - Throws: ``CommandFailure`` with exit code 3 where nobody can be asked, or the answer is no.
    func confirm(_ question: String, refusal: String) throws {
        if yes { return }
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
            throw CommandFailure(
                question,
                "nobody is here to be asked; add --yes if that is what you want",
                code: .needsDecision
            )
        }
        Console.prompt("\(PlainText.line(question)) [y/N] ")
        let answer = (readLine() ?? "").lowercased()
        guard answer == "y" || answer == "yes" else { throw CommandFailure(refusal, code: .needsDecision) }
    }
}

import ArgumentParser
import HouseholdAgent
import Libc

/// The question before a change that the player could regret: the command first shows what would change, then asks. All
/// commands ask in this way.
extension SharedOptions {
    /// Asks the agent what a request would change, shows it, and asks the person at the terminal.
    ///
    /// - Parameter question: The question about a preview; `nil` if it needs none. Then nothing is shown either.
    /// - Returns: The preview.
    /// - Throws: ``CommandFailure`` with exit code 3 if there is no terminal to ask at, or if the answer is no; a
    ///   refusal of the agent.
    @discardableResult
    func confirm(
        _ act: some PreviewableRequest, refusal: String, question: (PreviewReport) -> String?
    ) async throws -> PreviewReport {
        let preview = try await ask(PreviewRequest(act))
        guard let question = question(preview) else { return preview }
        for line in ChangeText.preview(preview) { Console.note(line) }
        try confirm(question, refusal: refusal)
        return preview
    }

    /// Asks a question; `--yes` answers it.
    ///
    /// - Throws: ``CommandFailure`` with exit code 3 if there is no terminal to ask at, or if the answer is no.
    func confirm(_ question: String, refusal: String) throws {
        if yes { return }
        guard hasPerson else {
            throw CommandFailure(
                question,
                "this is no terminal, so nobody can be asked; add --yes if that is what you want",
                code: .needsDecision
            )
        }
        guard isAgreed(question) else { throw CommandFailure(refusal, code: .needsDecision) }
    }

    /// Asks about something more than was ordered: a person at the terminal may agree, and `--yes` does not.
    func agrees(_ question: String) -> Bool { !yes && hasPerson && isAgreed(question) }

    private var hasPerson: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    private func isAgreed(_ question: String) -> Bool {
        Console.prompt("\(PlainText.line(question)) [y/N] ")
        let answer = (readLine() ?? "").lowercased()
        return answer == "y" || answer == "yes"
    }
}

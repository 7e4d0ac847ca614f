/// What `hearth doctor` found: first about this machine, then about each other machine of the household, then about the
/// saves.
package struct DoctorReport: AgentMessage, Hashable {
    package static let event = "diagnosed"

    /// Whether nothing is wrong.
    package var ok: Bool
    package var findings: [FindingReport]

    init(_ findings: [Finding]) {
        self.findings = findings.map(\.report)
        ok = self.findings.allSatisfy(\.ok)
    }

    /// The report where no agent runs and the home cannot be opened either.
    ///
    /// - Parameter sentence: Why the home cannot be opened, and what to do.
    package init(withoutAgent sentence: String) { self.init([.noAgent, .home(sentence)]) }

    /// The report about an agent that cannot be asked, or does not answer as this version of Hearth does.
    ///
    /// - Parameter sentence: What the agent answered, or why it cannot be asked.
    package init(ofOtherAgent sentence: String) { self.init([.otherAgent(sentence)]) }

    /// The report about an agent that runs and does not answer at all.
    ///
    /// - Parameter sentence: What the command found when it asked that agent, as one sentence.
    package init(ofSilentAgent sentence: String) { self.init([.silentAgent(sentence)]) }
}

/// One finding: a sentence that says what, where and, if something is wrong, what to do.
package struct FindingReport: Codable, Hashable, Sendable {
    /// What it is about: `agent`, `home`, `disk`, `record`, `discovery`, `multicast`, `household`, `connected`, `clock`,
    /// `silent`, `unseen`, `refused`, `noAnswer`, `elsewhere`, `noNetwork`, `version`, `key`, `link`, `decision`,
    /// `paused`, `held`, `file`, `backup`, `behind`, `said`, `rules`, `saves`, `peer` or `other`. More may be
    /// added.
    package var kind: String
    /// Whether all is well with it.
    package var ok: Bool
    /// The name of the machine or save that it is about; none for this machine.
    package var about: String?
    package var sentence: String
    /// The command to begin with, quoted for a shell.
    package var command: String?
}

import DiskStore
import HouseholdAgent
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization

/// What passes between a store and its agent.
extension StoreCore {
    /// What the agent is to hold, as things are.
    func attaching() throws -> AttachRequest {
        let rules = saveSession.codec.rules
        let digest = Self.digest(rules)
        let known = try slotIndex.entry(place.name)
        var answer = state.withLock { $0.answer } ?? .ask
        if answer == .ask, options.pairedProfile == .automatic { answer = .join }
        return AttachRequest(
            path: saveSession.file.path, id: file.id, name: place.name, game: place.game, rules: rules,
            changesRules: known?.rules != digest, onNameConflict: answer, beganEmpty: state.withLock { $0.beganEmpty })
    }

    /// The agent holds the profile.
    func attached(_ report: AttachmentReport, _ attaching: AttachRequest, _ link: AgentConnection.Link) async {
        // Also where others are in force: only a game whose own rules have changed says so again.
        if let profile = report.profile {
            try? slotIndex.note(rules: Self.digest(saveSession.codec.rules), of: place.name)
            // Its backups are there, for a game that finds its save damaged.
            if let id = ProfileID(hex: profile) { try? slotIndex.note(household: id, of: place.name) }
            // Counted once: whatever stands there from here on is known, or was found.
            forgetBeginning()
        }
        state.withLock { state in
            if report.profile != nil, state.answer == attaching.onNameConflict { state.answer = nil }
        }
        heard(report, attaching)
        // What stands in the file is what the agent goes on from; what came in meanwhile follows.
        await changed(link)
    }

    /// There is something to pull.
    func changed(_ link: AgentConnection.Link) async {
        await mutex.withLock { _ = try? await pullLocked(link, hurry: false) }
    }

    /// Saves, has the agent take that up, and takes up what came in. To be called in turn.
    @discardableResult
    func pullLocked(_ link: AgentConnection.Link, hurry: Bool) async throws -> AttachmentReport {
        guard !state.withLock({ $0.hasLeft }) else { throw closed }
        // What cannot be saved now stays in memory, and is merged with what comes.
        let saving: (any Error)?
        do {
            try await saveLocked()
            saving = nil
        } catch {
            saving = error
        }
        let report = try await bringOnce(link, hurry)
        if let profile = report.profile, try await decideLocked(link, profile) { try await bringOnce(link, false) }
        if let saving { throw saving }
        return report
    }

    @discardableResult
    private func bringOnce(_ link: AgentConnection.Link, _ hurry: Bool) async throws -> AttachmentReport {
        let report: AttachmentReport
        do {
            report = try await link.ask(PullRequest(attachment: link.id, hurry: hurry), within: Self.patience)
        } catch {
            // It may write yet: from here on the store and the agent work on the file apart.
            connection.renew()
            throw error
        }
        let step = try await DiskQueue.shared.run { [saveSession] in try saveSession.reload() }
        if step != nil { try await confirm(link) }
        try await showChoices(link, report)
        if let step { publish([step], report) }
        heard(report)
        return report
    }

    private func confirm(_ link: AgentConnection.Link) async throws {
        do {
            _ = try await link.ask(AckRequest(attachment: link.id), within: Self.patience)
        } catch {
            connection.renew()
            throw error
        }
    }

    /// Asks for something that takes an agent; what was played until now is part of the answer. The game goes on
    /// meanwhile.
    func ask<Result>(_ body: (AgentConnection.Link, String) async throws -> Result) async throws -> Result {
        let link = try await holding()
        let profile = try await mutex.withLock { try await pulledProfile(link) }
        return try await body(link, profile)
    }

    /// Asks for something that changes the profile, and takes up what came of it. Saves wait for that.
    func act<Result>(_ body: (AgentConnection.Link, String) async throws -> Result) async throws -> Result {
        let link = try await holding()
        return try await mutex.withLock {
            let result = try await body(link, try await pulledProfile(link))
            try await pullLocked(link, hurry: false)
            return result
        }
    }

    func holding() async throws -> AgentConnection.Link {
        try checkOpen()
        // A first save is held anew, so it comes before the question by whom.
        if saveSession.isUnsaved { try? await save(upTo: saveSession.edits) }
        return try await anyLink()
    }

    /// The profile's id, with what was played until now taken up. To be called in turn.
    func pulledProfile(_ link: AgentConnection.Link) async throws -> String {
        if let profile = try await pullLocked(link, hurry: false).profile { return profile }
        throw StoreError(
            .needsDecision,
            saveSession.document == nil
                ? "nothing of \(place.name) is saved yet"
                : "another device has \(place.name) as well: answer pendingPrompt first")
    }

    /// An agent, whether it has a profile to hold or not.
    func anyLink() async throws -> AgentConnection.Link {
        try checkOpen()
        guard let link = await connection.link(within: Self.startTime) else { throw noAgent }
        return link
    }

    var noAgent: StoreError {
        if options.agent == .none {
            return StoreError(.noAgent, "this store has no agent (StoreOptions.agent is .none), and this takes one")
        }
        let why = connection.trouble.map { ": \($0)" } ?? ""
        return StoreError(.noAgent, "no agent can be reached\(why); what is played is saved all the same")
    }

    /// Takes note of what the agent said, when it was asked to hold the profile or later.
    func heard(_ report: AttachmentReport, _ attaching: AttachRequest? = nil) {
        let (prompt, joins) = state.withLock { state -> (RestorePrompt<Subject>?, Bool) in
            // Of what crossed on its way the newest counts; an agent that holds the profile anew counts anew.
            if attaching == nil, let last = state.report, last.number > report.number {
                return (nil, false)
            }
            state.report = report
            guard let offer = report.offer else {
                state.prompt = nil
                return (nil, false)
            }
            guard state.answer == nil, !state.isPutOff else { return (nil, false) }
            // It came to be known after the file was held: that is to be held again, joined.
            guard options.pairedProfile == .ask else { return (nil, attaching == nil) }
            let prompt = RestorePrompt(offer, hasOwn: saveSession.document != nil, self)
            defer { state.prompt = prompt }
            return (state.prompt?.id == prompt.id ? nil : prompt, false)
        }
        if let prompt { prompts.publish([prompt]) }
        if joins { connection.renew() }
    }

    /// Tells whether rules are those that were put in force last.
    static func digest(_ rules: RuleSet) -> String { String(FNV1a(rules.json.jsonBytes).value, radix: 16) }
}

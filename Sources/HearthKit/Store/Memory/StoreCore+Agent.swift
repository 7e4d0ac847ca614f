import DiskStore
import HouseholdAgent
import LosslessJSON
import MergeCore
import ProfileKeeping
import Synchronization

/// The messages between a store and its agent.
extension StoreCore {
    /// The request that subscribes to the profile, made from the present state.
    func subscribeRequest() throws -> SubscribeRequest {
        let rules = saveSession.codec.rules
        let digest = Self.digest(rules)
        let known = try slotIndex.entry(place.name)
        var answer = state.withLock { $0.answer } ?? .ask
        if answer == .ask, options.pairedProfile == .automatic { answer = .join }
        return SubscribeRequest(
            path: saveSession.file.path, id: file.id, name: place.name, game: place.game, rules: rules,
            changesRules: known?.rules != digest, onNameConflict: answer, beganEmpty: state.withLock { $0.beganEmpty })
    }

    /// The agent has accepted the subscription to the profile.
    func subscribed(_ report: SubscriptionReport, _ request: SubscribeRequest, _ link: AgentConnection.Link) async {
        // Note the digest even where other rules are in force: the game asks for its rules again only when it changes
        // them.
        if let profile = report.profile {
            try? slotIndex.note(rules: Self.digest(saveSession.codec.rules), of: place.name)
            // A game that finds its save damaged later looks for the agent's backups under this id.
            if let id = ProfileID(hex: profile) { try? slotIndex.note(household: id, of: place.name) }
            // The agent has counted the amounts of the save that began empty. Counting them once more would double
            // them.
            forgetBeginning()
        }
        state.withLock { state in
            if report.profile != nil, state.answer == request.onNameConflict { state.answer = nil }
        }
        received(report, request)
        // Pull what the agent merged when the store subscribed. The agent has read the file as it is now.
        await changed(link)
    }

    /// The agent has changes to pull.
    func changed(_ link: AgentConnection.Link) async {
        await mutex.withLock { _ = try? await pullLocked(link, hurry: false) }
    }

    /// Saves, lets the agent read the file, and reads what the agent merged. Call it only while holding ``mutex``.
    @discardableResult
    func pullLocked(_ link: AgentConnection.Link, hurry: Bool) async throws -> SubscriptionReport {
        guard !state.withLock({ $0.hasLeft }) else { throw closed }
        // Edits that cannot be saved now stay in memory and are merged with what the agent wrote.
        let saving: (any Error)?
        do {
            try await saveLocked()
            saving = nil
        } catch {
            saving = error
        }
        let report = try await pullOnce(link, hurry)
        if let profile = report.profile, try await decideLocked(link, profile) { try await pullOnce(link, false) }
        if let saving { throw saving }
        return report
    }

    @discardableResult
    private func pullOnce(_ link: AgentConnection.Link, _ hurry: Bool) async throws -> SubscriptionReport {
        let report: SubscriptionReport
        do {
            report = try await link.ask(PullRequest(subscription: link.id, hurry: hurry), within: Self.patience)
        } catch {
            // The agent may still write the file after the timeout. Subscribe again, so that the agent does not rely on
            // what this store has read.
            connection.renew()
            throw error
        }
        let step = try await DiskQueue.shared.run { [saveSession] in try saveSession.reload() }
        if step != nil { try await acknowledge(link) }
        try await showChoices(link, report)
        if let step { publish([step], report) }
        received(report)
        return report
    }

    private func acknowledge(_ link: AgentConnection.Link) async throws {
        do {
            _ = try await link.ask(AckRequest(subscription: link.id), within: Self.patience)
        } catch {
            connection.renew()
            throw error
        }
    }

    /// Makes a request that needs the agent; everything played until now is part of the answer. The game may save
    /// meanwhile.
    func ask<Result>(_ body: (AgentConnection.Link, String) async throws -> Result) async throws -> Result {
        let link = try await holding()
        let profile = try await mutex.withLock { try await pulledProfile(link) }
        return try await body(link, profile)
    }

    /// Makes a request that changes the profile, and pulls the result. Saves wait until then.
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
        // The first save makes the store subscribe again, so save before waiting for the subscription.
        if saveSession.isUnsaved { try? await save(upTo: saveSession.edits) }
        return try await anyLink()
    }

    /// The profile's id, after the agent has read what was played until now. Call it only while holding ``mutex``.
    func pulledProfile(_ link: AgentConnection.Link) async throws -> String {
        if let profile = try await pullLocked(link, hurry: false).profile { return profile }
        throw StoreError(
            .needsDecision,
            saveSession.document == nil
                ? "nothing of \(place.name) is saved yet"
                : "another device has \(place.name) as well: answer pendingPrompt first")
    }

    /// The connection to an agent, whether or not it holds a profile.
    func anyLink() async throws -> AgentConnection.Link {
        try checkOpen()
        guard let link = await connection.link(within: Self.startTime) else { throw noAgent }
        return link
    }

    var noAgent: StoreError {
        guard connection.hasAgents else { return StoreError(.noAgent, options.whyNoAgent) }
        let why = connection.trouble.map { ": \($0)" } ?? ""
        return StoreError(.noAgent, "no agent can be reached\(why); what is played is saved, and synced later")
    }

    /// Handles a report of the agent, from subscribing or later.
    func received(_ report: SubscriptionReport, _ request: SubscribeRequest? = nil) {
        let (prompt, joins) = state.withLock { state -> (RestorePrompt<Subject>?, Bool) in
            // Reports may arrive out of order, so older numbers are ignored. A new subscription starts a new numbering.
            if request == nil, let last = state.report, last.number > report.number {
                return (nil, false)
            }
            state.report = report
            guard let offer = report.offer else {
                state.prompt = nil
                return (nil, false)
            }
            guard state.answer == nil, !state.isPutOff else { return (nil, false) }
            // The offer came after subscribing: subscribe again, this time joining the other profile.
            guard options.pairedProfile == .ask else { return (nil, request == nil) }
            let prompt = RestorePrompt(offer, hasOwn: saveSession.document != nil, self)
            defer { state.prompt = prompt }
            return (state.prompt?.id == prompt.id ? nil : prompt, false)
        }
        signal.tell()
        if let prompt { prompts.publish([prompt]) }
        if joins { connection.renew() }
    }

    /// A digest that shows whether rules are those that were put in force last.
    static func digest(_ rules: RuleSet) -> String { String(FNV1a(rules.json.jsonBytes).value, radix: 16) }
}

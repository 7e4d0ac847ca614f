import AgentClients
import HouseholdAgent
import Synchronization

/// The result of a pairing: the device that is in the household now, and whether this profile is in step with it.
///
/// ```swift
/// let pairing = try await saves.pair(with: "K7QM-2XWD-9TRB-H4FG")
/// show("One household with \(pairing.device.name)")
/// if let wait = pairing.waitsFor { show("Not in step yet: \(wait)") }
/// ```
public struct PairingResult: Sendable, Hashable {
    /// What keeps two devices from being in step after a pairing.
    public enum Wait: Sendable, Hashable, CustomStringConvertible {
        /// The player's answer to ``ProfileStore/pendingPrompt``: both devices have progress, or this one has none.
        case prompt
        /// A decision of the player's, in one sentence.
        case decision(String)
        /// The other device, which was not reached or does not have everything yet. It follows by itself.
        case device(String)
        /// Sync is paused on this device; see ``ProfileStore/resume()``.
        case paused
        /// Something is wrong on this device, in one sentence.
        case trouble(String)

        /// What is waited for, in one sentence.
        public var description: String {
            switch self {
            case .prompt: "another device has this game as well: shall its progress come here?"
            case .device(let name): "\(name) does not have everything yet; it follows by itself"
            case .paused: "sync is paused on this device"
            case .decision(let sentence), .trouble(let sentence): sentence
            }
        }
    }

    /// The device that was paired.
    public let device: HouseholdDevice
    /// What keeps the two from being in step; `nil` where both have everything of this profile.
    public let waitsFor: Wait?
}

extension StoreCore {
    /// How long a pairing waits for the other device, until the pairing says that it waits for that.
    private static var pairingTime: Duration { .seconds(12) }
    /// How long a device that has nothing of this profile waits to hear whether the other one has something.
    private static var offerTime: Duration { .seconds(2) }

    /// Brings the profile in step with a device that was just paired, as far as that needs nobody's decision.
    ///
    /// - Throws: `CancellationError`.
    func bringInStep(with device: HouseholdDevice) async throws -> PairingResult {
        // A device that came in is a reason to ask again what was put off.
        state.withLock { $0.isPutOff = false }
        let end = ContinuousClock.now + Self.pairingTime
        while true {
            do {
                switch try await step(towards: device, until: end) {
                case .waits(let wait): return PairingResult(device, wait)
                case .isInStep: if try await isSettled() { return PairingResult(device, nil) }
                case .isNotDone: break
                }
                if ContinuousClock.now > end { return PairingResult(device, .device(device.name)) }
            } catch {
                try Task.checkCancellation()
                // The devices are paired all the same. A store that is subscribed anew meanwhile has another link.
                if ContinuousClock.now > end { return PairingResult(device, .trouble(StoreError.of(error).message)) }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The outcome of one round of a pairing.
    private enum Round {
        /// It waits for what only a person or time can end.
        case waits(PairingResult.Wait)
        /// Both devices have everything that either had.
        case isInStep
        /// The other device's progress was taken in this round. The next round finds out whether both have all of it.
        case isNotDone
    }

    /// One round: waits for the other device, takes what it has, and syncs.
    private func step(
        towards device: HouseholdDevice, until end: ContinuousClock.Instant
    ) async throws -> Round {
        let link = try await holding()
        let isThere = await hears(link, within: ContinuousClock.now.duration(to: end)) { status in
            status.household.contains { $0.id == device.id && $0.connected }
        }
        guard isThere else { return .waits(.device(device.name)) }
        var report = try await pulled()
        if report.profile == nil, report.offer == nil {
            // What the other device has of this game comes right after it is connected, or not at all.
            _ = await hears(link, within: Self.offerTime) { [place] in $0.profiles.contains { $0.name == place.name } }
            report = try await pulled()
        }
        if report.isPaused { return .waits(.paused) }
        if report.offer != nil, options.pairedProfile == .ask { return .waits(.prompt) }
        // With an offer that is taken without a question the store is subscribed anew, to what the two have together.
        guard report.offer == nil else { return .isNotDone }
        // Neither has anything of this game.
        guard let profile = report.profile else { return .isInStep }
        let sync = try await anyLink().ask(SyncRequest(profile: profile), within: .seconds(15))
        if let sentence = sync.decisions?.first { return .waits(.decision(sentence)) }
        if let sentence = sync.troubles?.first { return .waits(.trouble(sentence)) }
        let lagging = sync.behind + (sync.filesBehind ?? [])
        return lagging.contains(device.name) ? .waits(.device(device.name)) : .isInStep
    }

    /// Whether nothing is open between the two after what came in last: then they are in step.
    private func isSettled() async throws -> Bool { try await pulled().offer == nil }

    private func pulled() async throws -> SubscriptionReport {
        let link = try await anyLink()
        return try await mutex.withLock { try await pullLocked(link, hurry: false) }
    }

    /// Follows the agent until it reports what is waited for. False where that takes longer than the limit.
    private func hears(
        _ link: AgentConnection.Link, within limit: Duration, _ isSo: @escaping @Sendable (StatusReport) -> Bool
    ) async -> Bool {
        let outcome = await Limited.run(limit) { () async -> Bool in
            do {
                try await link.client.send(FollowRequest()) { if isSo($0.status) { throw Heard() } }
            } catch {
                return error is Heard
            }
            return false
        }
        return outcome == true
    }
}

/// What was waited for has come.
private struct Heard: Error {}

extension PairingResult {
    fileprivate init(_ device: HouseholdDevice, _ wait: Wait?) { (self.device, waitsFor) = (device, wait) }
}

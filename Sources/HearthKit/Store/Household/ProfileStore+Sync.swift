import HouseholdAgent
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The result of a sync.
public struct SyncResult: Sendable, Hashable {
    /// Devices that now have all of this profile, and this device all of theirs.
    public let inStep: [String]
    /// Devices that were not reached in time, or whose own file does not show everything yet.
    public let behind: [String]
}

extension ProfileStore {
    /// Syncs the profile with every device that can be reached. It waits up to ten seconds for those that cannot.
    ///
    /// ```swift
    /// let result = try await saves.sync()
    /// show(result.behind.isEmpty ? "Everything is in step" : "Not reached: \(result.behind)")
    /// ```
    ///
    /// - Throws: ``StoreError``: ``StoreError/Code/noAgent`` where no agent can be reached within 8 seconds,
    ///   ``StoreError/Code/needsDecision`` while nothing is saved or ``pendingPrompt`` is open.
    @discardableResult
    public func sync() async throws -> SyncResult {
        let (link, profile) = try await core.ask { ($0, $1) }
        let report = try await link.ask(SyncRequest(profile: profile), within: .seconds(15))
        try await core.ask { _, _ in }
        return SyncResult(inStep: report.inStep, behind: report.behind + (report.filesBehind ?? []))
    }

    /// Looks for the other devices again, at once. Call it when the game comes back to the foreground. It waits for the
    /// agent to take up what is unsaved (2 seconds at most), but for no other device. Does nothing while no agent holds
    /// the profile.
    ///
    /// - Throws: ``StoreError`` where the save fails, or the agent does not answer.
    public func recheck() async throws {
        guard let link = core.connection.link else { return }
        _ = try await core.mutex.withLock { try await core.pullLocked(link, hurry: true) }
    }

    /// The profile's id in the household, the same on every device; `nil` until an agent has held the profile.
    public var id: String? { core.state.withLock { $0.report?.profile } }

    /// When another device last confirmed that it has all of the profile.
    public var lastSync: Date? {
        core.state.withLock { $0.report?.lastSync }.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }

    /// Pauses sync, for example when a player signs out. Playing and saving go on, but nothing is sent or received.
    ///
    /// - Throws: ``StoreError``, as ``sync()``.
    public func pause() async throws {
        try await core.act { link, profile in
            _ = try await link.ask(PauseRequest(profile: profile))
        }
    }

    /// Ends ``pause()``, and sends what was played meanwhile.
    ///
    /// - Throws: ``StoreError``, as ``sync()``.
    public func resume() async throws {
        try await core.act { link, profile in
            _ = try await link.ask(ResumeRequest(profile: profile))
        }
    }

    /// Whether sync is paused.
    public var isPaused: Bool { core.state.withLock { $0.report?.isPaused ?? false } }

    /// Why the agent cannot do its work, in one sentence; `nil` where all is well.
    public var agentTrouble: String? { core.agentTrouble }

    /// Whether an agent holds the profile now.
    public var isSubscribed: Bool { core.connection.link != nil }

    /// Waits until an agent holds the profile and ``profile`` shows what the household had. False where that takes
    /// longer than the limit. A game need not wait for this.
    @discardableResult
    public func subscribed(within limit: Duration = .seconds(5)) async -> Bool {
        await core.connection.link(within: limit) != nil
    }
}

extension StoreCore {
    /// Why the agent cannot do its work, in one sentence; `nil` where all is well.
    var agentTrouble: String? {
        state.withLock { $0.report?.trouble ?? $0.report?.rulesTrouble } ?? connection.trouble
    }
}

extension StoreError {
    /// The error that a store throws for a refusal of its agent.
    init(_ failure: AgentFailure) {
        switch failure.code {
        case .needsDecision: self.init(.needsDecision, failure.message)
        case .tooOld: self.init(.newer, failure.message)
        case .agentNotRunning: self.init(.noAgent, failure.message)
        case .failed, .usage: self.init(.agent, failure.message)
        }
    }
}

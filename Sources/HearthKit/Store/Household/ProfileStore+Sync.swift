import HouseholdAgent
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a sync came to.
public struct SyncResult: Sendable, Hashable {
    /// Devices that have all of it now, as this one has all of theirs.
    public let inStep: [String]
    /// Devices of the household that were not reached in time, or whose own file does not show all of it yet.
    public let behind: [String]
}

extension ProfileStore {
    /// Brings the profile in step with every device that can be reached; takes ten seconds where one cannot.
    ///
    /// ```swift
    /// let result = try await saves.sync()
    /// show(result.behind.isEmpty ? "Everything is in step" : "Not reached: \(result.behind)")
    /// ```
    @discardableResult
    public func sync() async throws -> SyncResult {
        let (link, profile) = try await core.ask { ($0, $1) }
        let report = try await link.ask(SyncRequest(profile: profile), within: .seconds(15))
        try await core.ask { _, _ in }
        return SyncResult(inStep: report.inStep, behind: report.behind + (report.filesBehind ?? []))
    }

    /// Looks for the other devices again, at once: for the moment when the game comes back to the foreground. Waits for
    /// nobody.
    public func recheck() async throws {
        guard let link = core.connection.link else { return }
        _ = try await core.mutex.withLock { try await core.pullLocked(link, hurry: true) }
    }

    /// The profile's id in the household, the same on every device; `nil` until an agent has held it.
    public var id: String? { core.state.withLock { $0.report?.profile } }

    /// When another device last confirmed to have all of the profile.
    public var lastSync: Date? {
        core.state.withLock { $0.report?.lastSync }.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
    }

    /// Stops sync, as when a player signs out: playing and saving go on, and nothing goes out or comes in.
    public func pause() async throws {
        try await core.act { link, profile in
            _ = try await link.ask(PauseRequest(profile: profile))
        }
    }

    /// Goes on after ``pause()``: what was played meanwhile goes out.
    public func resume() async throws {
        try await core.act { link, profile in
            _ = try await link.ask(ResumeRequest(profile: profile))
        }
    }

    /// Whether sync is paused.
    public var isPaused: Bool { core.state.withLock { $0.report?.isPaused ?? false } }

    /// Why the agent does not do all it should, where that is so: one sentence.
    public var agentTrouble: String? {
        core.state.withLock { $0.report?.trouble ?? $0.report?.rulesTrouble } ?? core.connection.trouble
    }

    /// Whether an agent holds the profile at the moment.
    public var isAttached: Bool { core.connection.link != nil }

    /// Waits until an agent holds the profile, and what the household had is in ``profile``; false where that takes
    /// longer. No game has to wait for this.
    @discardableResult
    public func attached(within limit: Duration = .seconds(5)) async -> Bool {
        await core.connection.link(within: limit) != nil
    }
}

extension StoreError {
    /// The agent's refusal, as the store tells it.
    init(_ failure: AgentFailure) {
        switch failure.code {
        case .needsDecision: self.init(.needsDecision, failure.message)
        case .tooOld: self.init(.newer, failure.message)
        case .agentNotRunning: self.init(.noAgent, failure.message)
        case .failed, .usage: self.init(.agent, failure.message)
        }
    }
}

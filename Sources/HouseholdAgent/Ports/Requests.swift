package import MergeCore

/// Names a request of the control surface until its last reply.
package struct RequestID: Hashable, Comparable, Sendable {
    package let rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What a person or program asks of the agent.
package enum AgentRequest: Sendable {
    /// Adopt a save. `path` is absolute.
    case add(path: String, name: String, rules: RuleSet?)
    /// Take a profile of the household up at a path.
    case restore(profile: String, path: String)
    /// Forget the file on this device; the file stays.
    case remove(profile: String)
    /// Show a code and wait for the other side.
    case pair
    /// Type the other side's code; with an address where nothing can be discovered.
    case join(code: String, address: PeerAddress?)
    case unpair(device: String)
    /// Bring one profile, or all, in step with whoever can be reached.
    case sync(profile: String?)
    case status
    case devices
    case show(profile: String, pointer: String?)
    /// Start a scope over; without one all that the rules name, or everything.
    case reset(profile: String, scope: String?)
    /// Why a place shows what it shows.
    case explain(profile: String, pointer: String)
    /// What was kept of a profile on this device.
    case backups(profile: String)
    /// Put a backup back, for the whole household.
    case restoreBackup(profile: String, backup: String)
    /// Choices that wait for the player, of one profile or of all.
    case conflicts(profile: String?)
    /// Take one of the values that wait; `choice` counts from 1.
    case resolve(profile: String, pointer: String, choice: Int)
}

/// How a request failed; the raw values are the command's exit codes.
package enum FailureCode: Int, Codable, Sendable {
    case failed = 1
    case usage = 2
    /// The player has to choose (which of two profiles of one name, which device).
    case needsDecision = 3
    case agentNotRunning = 4
    /// A newer version is needed.
    case tooOld = 5
}

/// What the agent answers. All but ``code(_:expires:)`` end the request.
package enum AgentReply: Sendable {
    case profile(ProfileReport, note: String?)
    /// A pairing code; the request stays open until somebody used it or it expired.
    case code(String, expires: Int64)
    case paired(DeviceReport)
    case removed(DeviceReport)
    case forgotten(ProfileReport)
    case synced(SyncReport)
    case status(StatusReport)
    case devices([DeviceReport])
    /// JSON text.
    case document([UInt8])
    case explained(ExplainReport)
    case conflicts([ConflictReport])
    /// The newest first.
    case backups([BackupReport])
    case failure(FailureCode, String)

    package var isFinal: Bool { if case .code = self { false } else { true } }
}

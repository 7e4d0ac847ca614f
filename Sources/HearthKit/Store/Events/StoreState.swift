import HouseholdAgent
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// How a store and its household are: all that a game's menu shows, as one value.
///
/// ```swift
/// let state = await saves.state
/// show(state.devices.filter(\.isConnected).map(\.name), state.lastSync)
/// if let prompt = state.prompt { show("\(prompt.device ?? "Another device") has your progress: go on with it?") }
/// if let trouble = state.troubles.first { show(trouble) }
/// ```
public struct StoreState<Subject: Profile>: Sendable, Equatable {
    /// The devices of the household: this one first, then the others by name. Empty until an agent has said them;
    /// without an agent no other one is connected.
    public let devices: [HouseholdDevice]
    /// The question to the player about a profile that another device has, while it is open.
    public let prompt: RestorePrompt<Subject>?
    /// How many choices wait for the player; see ``ProfileStore/conflicts()``.
    public let openChoices: Int
    /// Everything that waits for the player's decision, one sentence each, with the command that decides it.
    public let decisions: [String]
    /// When another device last confirmed that it has all of the profile.
    public let lastSync: Date?
    /// The connected devices that do not have all of this profile, or whose own file does not show it yet.
    public let behind: [String]
    /// Whether sync is paused.
    public let isPaused: Bool
    /// Whether an agent holds the profile now. Without one everything is saved, and synced later.
    public let isSubscribed: Bool
    /// What is wrong, one sentence each, the worst first: why the last save failed, why the agent cannot do its work,
    /// what is wrong with the file and the network. Empty where all is well.
    public let troubles: [String]

    /// The present state.
    init(_ core: StoreCore<Subject>) {
        let link = core.connection.link
        let state = core.state.withLock { $0 }
        let status = state.household
        let own = status?.profiles.first { $0.id == state.report?.profile }
        isSubscribed = link != nil
        devices = (status.map { [$0.device] + $0.household } ?? []).map { device in
            var device = HouseholdDevice(device)
            if link == nil, !device.isThisDevice { device.isAway(because: "this device has no agent now") }
            return device
        }
        (prompt, isPaused, openChoices) = (
            state.prompt, state.report?.isPaused ?? false, state.report?.choices ?? 0
        )
        decisions = own?.decisions ?? []
        behind = link == nil ? [] : own?.behind ?? []
        lastSync = [own?.lastSync, state.report?.lastSync].compactMap { $0 }.max().map {
            Date(timeIntervalSince1970: Double($0) / 1_000)
        }
        var sentences = [state.saveTrouble?.message, core.agentTrouble, own?.reason, own?.backupTrouble]
        if link != nil { sentences += status?.troubles ?? [] }
        var seen = Set<String>()
        troubles = sentences.compactMap { $0 }.filter { seen.insert($0).inserted }
    }
}

extension ProfileStore {
    /// How the store and its household are now. Reading it is tracked by Observation, so a view follows it; it is made
    /// when it is read, so it is never older than what the store knows.
    ///
    /// The first reading makes the agent report every change of the household from then on, so the first value may have
    /// no devices yet.
    @MainActor public var state: StoreState<Subject> {
        core.signal.read()
        core.connection.follow()
        return StoreState(core)
    }
}

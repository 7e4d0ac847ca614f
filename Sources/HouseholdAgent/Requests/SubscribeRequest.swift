package import MergeCore

/// A game holds a profile's file open while this request stays open. The file is written only by a ``PullRequest``
/// during that time.
package struct SubscribeRequest: AgentRequest {
    package static let name = "subscribe"
    package static let needsRunningAgent = true
    package typealias Response = Done
    package typealias Event = SubscriptionEvent

    /// What to do if the household has a profile of this name that has no file on this device.
    package enum NameConflictAnswer: String, CaseIterable, Codable, Hashable, Sendable {
        /// Report it, and leave everything as it is.
        case ask
        /// Both are one profile: its progress is merged into the file.
        case join
        /// They are different profiles: the file becomes a profile of its own.
        case apart
    }

    /// The absolute path where the profile's file is, or will be.
    package var path: String
    /// The id for the profile, where it is new.
    package var id: ProfileID?
    /// The name of the profile in the household.
    package var name: String
    /// The game's name, as status shows it.
    package var game: String
    package var rules: RuleSet
    /// Whether these rules replace other rules that are in force, unless those are of a later version.
    package var changesRules: Bool
    package var onNameConflict: NameConflictAnswer
    /// Whether the file, if it is new to the household, began empty under the control of the game. Then all amounts in
    /// its counters were earned on this device and count in full. A file that was found counts only up to the larger of
    /// both totals.
    package var beganEmpty: Bool

    package init(
        path: String, id: ProfileID? = nil, name: String, game: String, rules: RuleSet, changesRules: Bool = false,
        onNameConflict: NameConflictAnswer = .ask, beganEmpty: Bool = false
    ) {
        (self.path, self.id, self.name, self.game, self.rules) = (path, id, name, game, rules)
        (self.changesRules, self.onNameConflict, self.beganEmpty) = (changesRules, onNameConflict, beganEmpty)
    }

    package var fault: MemberFault? { .unlessAbsolute(path, "path") }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.subscribe(call, self, now: now)
    }
}

/// The events for a game that holds its profile open.
package enum SubscriptionEvent: AgentMessage {
    /// The game is subscribed: its file is written only when the game asks for it.
    case subscribed(report: SubscriptionReport)
    /// There is something that a ``PullRequest`` would pull.
    case changed
    /// The state differs from the last report, but there is nothing to pull.
    case status(report: SubscriptionReport)

    package static let event = "subscription"
}

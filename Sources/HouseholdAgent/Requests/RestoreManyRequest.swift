package import MergeCore

/// Puts many profiles of the household into a folder, each into a file of its own. The events say how far it is; the
/// request stays open until every profile has its file or its reason.
///
/// A file is only made where nothing is: a save that lies there already is merged by ``RestoreRequest`` alone, after its
/// preview.
package struct RestoreManyRequest: AgentRequest {
    package static let name = "restoreMany"
    package typealias Response = RestoredSaves
    package typealias Event = RestoreProgress

    /// The profiles, by name or id; none for all that the household keeps.
    package var profiles: [String]?
    /// The absolute path of the folder.
    package var folder: String

    /// Whether they are kept even where another tool syncs the folder; `nil` for no.
    package var anyway: Bool?

    package init(profiles: [String]? = nil, folder: String, anyway: Bool? = nil) {
        (self.profiles, self.folder, self.anyway) = (profiles, folder, anyway)
    }

    package var fault: MemberFault? {
        if profiles?.isEmpty == true { return MemberFault(member: "profiles", message: "is empty") }
        return .unlessAbsolute(folder, "folder")
    }

    package var keptPath: String? { anyway == true ? nil : folder + "/*" }

    package func run<Files, Store>(
        _ call: Call<Self>, on agent: inout HouseholdAgent<Files, Store>, now: Moment
    ) {
        agent.restoreMany(call, self, now: now)
    }
}

/// How far a ``RestoreManyRequest`` is.
package struct RestoreProgress: AgentMessage, Hashable {
    package static let event = "restoring"

    /// The number of profiles that have their file or their reason.
    package var done: Int
    /// The number of all.
    package var of: Int

    package init(done: Int, of: Int) { (self.done, self.of) = (done, of) }
}

/// The answer to a ``RestoreManyRequest``: an outcome for each profile.
package struct RestoredSaves: AgentMessage, Hashable {
    package static let event = "restoredMany"

    package var saves: [RestoredSave]

    package init(saves: [RestoredSave]) { self.saves = saves }
}

/// The outcome of a ``RestoreManyRequest`` for one profile: its file, or the reason why it has none.
package struct RestoredSave: Codable, Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Codable, Hashable, Sendable {
        /// It has its file now.
        case restored
        /// It had a file on this device before.
        case here
        /// It has none; ``message`` says why and what to do.
        case failed
    }

    /// The profile's name; what was asked for, where there is no such profile.
    package var profile: String
    package var id: String?
    package var outcome: Outcome
    /// The path of its file; where it could not be made, the path at which it should be, if that is known.
    package var file: String?
    package var message: String?

    package init(profile: String, id: String?, outcome: Outcome, file: String? = nil, message: String? = nil) {
        (self.profile, self.id, self.outcome) = (profile, id, outcome)
        (self.file, self.message) = (file, message)
    }
}

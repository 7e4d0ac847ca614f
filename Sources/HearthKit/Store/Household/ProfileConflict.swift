import HouseholdAgent
public import LosslessJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that only the player can decide, or should know: a ``Choice`` that was set apart on several devices, or a
/// counter that was spent twice.
///
/// ```swift
/// for conflict in try await saves.conflicts() {
///     let picked = ask(conflict.path, conflict.candidates.map(\.json))
///     try await conflict.choose(conflict.candidates[picked])
/// }
/// ```
///
/// Nothing has to be decided at once: until then each device goes on with its own.
public struct ProfileConflict<Subject: Profile>: Sendable, Identifiable {
    /// One of the values that were set apart.
    public struct Candidate: Sendable, Hashable {
        /// The value as JSON text.
        public let json: String
        /// The device that set it.
        public let device: String
        /// When it did.
        public let date: Date
        /// Counts from 1.
        let number: Int

        /// The value.
        public var value: JSONValue? { try? JSONValue(parsing: Array(json.utf8)) }
    }

    /// The place: `/ending`.
    public let path: String
    /// What can be chosen; empty where nothing is to be decided.
    public let candidates: [Candidate]
    /// Where nothing is to be decided: what happened, and what holds.
    public let information: String?
    /// The place.
    public var id: String { path }

    private let core: StoreCore<Subject>

    init(_ report: ConflictReport, _ core: StoreCore<Subject>) {
        (path, information, self.core) = (report.place, report.information, core)
        candidates = report.candidates.enumerated().map { index, candidate in
            Candidate(
                json: candidate.value, device: candidate.device,
                date: Date(timeIntervalSince1970: Double(candidate.time) / 1_000), number: index + 1)
        }
    }

    /// Decides for every device.
    public func choose(_ candidate: Candidate) async throws {
        try await core.act { link, profile in
            // More may have come in since: the very value is meant.
            let reports = try await core.conflicts(link, profile)
            guard
                let index = reports.first(where: { $0.place == path })?.candidates
                    .firstIndex(where: { $0.value == candidate.json })
            else { throw StoreError(.agent, "\(path) was decided meanwhile; look at the conflicts again") }
            _ = try await link.ask(ResolveRequest(profile: profile, pointer: path, choice: index + 1))
        }
    }
}

extension ProfileStore {
    /// What waits for the player, or what the player should know.
    public func conflicts() async throws -> [ProfileConflict<Subject>] {
        try await core.ask { link, profile in
            try await core.conflicts(link, profile).map { ProfileConflict($0, core) }
        }
    }
}

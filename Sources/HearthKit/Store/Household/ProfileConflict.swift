import HouseholdAgent
public import LosslessJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Something that the player should decide or know: a ``Choice`` that several devices set apart from each other, or a
/// counter that was spent twice.
///
/// ```swift
/// for conflict in try await saves.conflicts() {
///     let picked = ask(conflict.path, conflict.candidates.map(\.json))
///     try await conflict.choose(conflict.candidates[picked])
/// }
/// ```
///
/// Nothing must be decided at once: until then each device uses its own value.
public struct ProfileConflict<Subject: Profile>: Sendable, Identifiable {
    /// One of the values that can be chosen.
    public struct Candidate: Sendable, Hashable {
        /// The value as JSON text.
        public let json: String
        /// The device that set it.
        public let device: String
        /// When that device set it.
        public let date: Date
        /// The candidate's number, counted from 1.
        let number: Int

        /// The value; `nil` where the text cannot be parsed.
        public var value: JSONValue? { try? JSONValue(parsing: Array(json.utf8)) }
    }

    /// The place, such as `/ending`.
    public let path: String
    /// The values that can be chosen; empty where there is nothing to decide.
    public let candidates: [Candidate]
    /// Where there is nothing to decide: a sentence that says what happened and which value is in force.
    public let information: String?
    /// The place, which identifies the conflict.
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

    /// Decides the conflict for every device.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/agent`` where it was decided meanwhile.
    public func choose(_ candidate: Candidate) async throws {
        try await core.act { link, profile in
            // The agent counts candidates, and new ones may have come in since. So the value is looked up again.
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
    /// Everything that waits for the player's decision, or that the player should know.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/noAgent`` where no agent can be reached.
    public func conflicts() async throws -> [ProfileConflict<Subject>] {
        try await core.ask { link, profile in
            try await core.conflicts(link, profile).map { ProfileConflict($0, core) }
        }
    }
}

import HouseholdAgent
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Another device of the household has this profile: the player says what becomes of it here.
///
/// ```swift
/// if let prompt = saves.pendingPrompt {
///     show("\(prompt.device ?? "Another device") has your progress: \(prompt.fields["/level"] ?? "")")
///     let back = try await prompt.restore()
///     show(back.map { "\($0.path): \($0.newText ?? "")" })  // /level: 12, /coins: 480
/// }
/// ```
public struct RestorePrompt<Subject: Profile>: Sendable, Identifiable {
    /// The profile's id in the household.
    public let id: String
    /// The device on which it was played last, where that is known.
    public let device: String?
    /// When it was played last, where that is known.
    public let lastPlayed: Date?
    /// A few fields that say how far it has come, by their places: JSON text, or how many entries there are.
    public let fields: [String: String]
    /// Whether there is progress on this device, which ``restore()`` keeps as well.
    public let hasOwnProgress: Bool

    private let core: StoreCore<Subject>

    init(_ offer: SummaryReport, hasOwn: Bool, _ core: StoreCore<Subject>) {
        id = offer.id
        device = offer.device
        lastPlayed = offer.lastPlayed.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
        fields = Dictionary(offer.fields.map { ($0.place, $0.value) }, uniquingKeysWith: { first, _ in first })
        hasOwnProgress = hasOwn
        self.core = core
    }

    /// Brings its progress in. What was played here stays, merged with it under the rules.
    ///
    /// - Returns: What came: every place that holds something else than before.
    @discardableResult
    public func restore() async throws -> [ProfileChange] { try await core.answer(.join) }

    /// The same as ``restore()``, for a device that has progress of its own: the two become one for good.
    @discardableResult
    public func join() async throws -> [ProfileChange] { try await core.answer(.join) }

    /// Leaves it alone: what is played here becomes a profile of its own.
    public func startFresh() async throws { _ = try await core.answer(.apart) }

    /// Asks again when the game is opened next. What is played until then stays on this device.
    public func later() { core.putOff() }
}

extension StoreCore {
    /// Returns what came of it.
    func answer(_ answer: AttachRequest.NameConflictAnswer) async throws -> [ProfileChange] {
        // What is unsaved is progress too.
        try await save(upTo: saveSession.edits)
        let before = saveSession.document
        state.withLock { state in
            (state.answer, state.prompt, state.isPutOff) = (answer, nil, answer == .apart)
        }
        guard answer == .join || before != nil else { return [] }
        connection.renew()
        guard await connection.link(within: Self.startTime) != nil else {
            throw StoreError(.noAgent, "no agent can be reached; the answer counts as soon as one is there")
        }
        guard answer == .join else { return [] }
        try await ask { _, _ in }
        return saveSession.document.map {
            ProfileChange.list(from: before, to: $0, saveSession.codec.rules) { _ in .restore }
        } ?? []
    }

    func putOff() {
        state.withLock { state in (state.prompt, state.isPutOff) = (nil, true) }
    }
}

import HouseholdAgent
import LosslessJSON
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A question to the player: another device of the household has this profile, so what shall happen here?
///
/// ```swift
/// if let prompt = saves.pendingPrompt {
///     show("\(prompt.device ?? "Another device") is at level \(prompt.value(of: \.level) ?? 1)")
///     let back = try await prompt.restore()
///     show(back.map { "\($0.path): \($0.newText ?? "")" })  // /level: 12, /coins: 480
/// }
/// ```
public struct RestorePrompt<Subject: Profile>: Sendable, Identifiable {
    /// The profile's id in the household.
    public let id: String
    /// The device on which it was last played, where known.
    public let device: String?
    /// When it was last played, where known.
    public let lastPlayed: Date?
    /// A few fields that show how far the profile has come, by their places: JSON text, or the number of entries. See
    /// ``value(of:)``.
    public let fields: [String: String]
    /// Whether this device has progress of its own. ``restore()`` keeps it too.
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

    /// The value of a field on the other device; `nil` where ``fields`` lacks the field, or gives only a number of entries.
    public func value<Value: Codable>(of field: WritableKeyPath<Subject, Value>) -> Value? {
        guard let place = try? core.place(of: field, in: Subject()), let text = fields[place.description],
            let value = try? JSONValue(parsing: Array(text.utf8))
        else { return nil }
        return try? ProfileDecoder.profile(Value.self, value)
    }

    /// Takes over the other device's progress and merges it with what was played here, under the rules.
    ///
    /// - Returns: Every place that changed.
    /// - Throws: ``StoreError`` with ``StoreError/Code/noAgent`` where no agent can be reached within 8 seconds. The
    ///   answer is kept and takes effect as soon as one can.
    @discardableResult
    public func restore() async throws -> [ProfileChange] { try await core.answer(.join) }

    /// The same as ``restore()``, under the name that fits a device with progress of its own: the two profiles become
    /// one, and cannot be separated again.
    ///
    /// - Throws: As ``restore()``.
    @discardableResult
    public func join() async throws -> [ProfileChange] { try await core.answer(.join) }

    /// Does not take over the other device's progress: the progress here becomes a profile of its own.
    ///
    /// - Throws: As ``restore()``.
    public func startFresh() async throws { _ = try await core.answer(.apart) }

    /// Asks again the next time the game is opened. What is played until then stays on this device.
    public func later() { core.putOff() }
}

extension RestorePrompt: Equatable {
    /// Whether both ask the same and show the same.
    public static func == (a: Self, b: Self) -> Bool {
        (a.id, a.device, a.lastPlayed, a.hasOwnProgress) == (b.id, b.device, b.lastPlayed, b.hasOwnProgress)
            && a.fields == b.fields
    }
}

extension StoreCore {
    /// Gives the player's answer to the agent. Returns the changes it caused.
    func answer(_ answer: SubscribeRequest.NameConflictAnswer) async throws -> [ProfileChange] {
        // Unsaved edits are progress too, so they go into the merge.
        try await save(upTo: saveSession.edits)
        let before = saveSession.document
        state.withLock { state in
            (state.answer, state.prompt, state.isPutOff) = (answer, nil, answer == .apart)
        }
        signal.tell()
        guard answer == .join || before != nil else { return [] }
        connection.renew()
        guard await connection.link(within: Self.startTime) != nil else {
            throw StoreError(.noAgent, "no agent can be reached; the answer counts as soon as one can be reached")
        }
        guard answer == .join else { return [] }
        try await ask { _, _ in }
        return saveSession.document.map {
            ProfileChange.list(from: before, to: $0, saveSession.codec.rules) { _ in .restore }
        } ?? []
    }

    func putOff() {
        state.withLock { state in (state.prompt, state.isPutOff) = (nil, true) }
        signal.tell()
    }
}

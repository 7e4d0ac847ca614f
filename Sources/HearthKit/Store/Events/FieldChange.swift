import LosslessJSON
import Synchronization

/// A change of one field of the profile, with its values as the game has them.
///
/// ```swift
/// for await change in try saves.changes(of: \.coins) {
///     if case .device(let name) = change.origin { show("\(name): \(change.new - change.old) coins") }
/// }
/// ```
public struct FieldChange<Value: Sendable>: Sendable {
    /// Where the change comes from.
    public let origin: ProfileChange.Origin
    /// The value before; the default where the save had none.
    public let old: Value
    /// The value now.
    public let new: Value
}

extension FieldChange: Equatable where Value: Equatable {}
extension FieldChange: Hashable where Value: Hashable {}

extension ProfileStore {
    /// The changes of one field from now on, on this device and others, one for each save or merge that changes it. A
    /// stream keeps 256 of them until they are read. A reader that is slower loses the oldest; ``FieldChange/new`` of
    /// the last one is always the value that was saved last.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/value`` where the field's place cannot be found from its key
    ///   path; use ``changes`` and the place as text then.
    public func changes<Value: Codable & Sendable>(
        of field: WritableKeyPath<Subject, Value>
    ) throws(StoreError) -> AsyncStream<FieldChange<Value>> {
        try listen(to: field) { _ in true }
    }

    /// The new records of one field from now on; see ``NewRecord``. A stream keeps 256 of them until they are read.
    ///
    /// ```swift
    /// for await record in try saves.newRecords(of: \.level) { celebrate("Level \(record.new)!") }
    /// ```
    ///
    /// - Throws: As ``changes(of:)``.
    public func newRecords<Value: Codable & Sendable>(
        of field: WritableKeyPath<Subject, Value>
    ) throws(StoreError) -> AsyncStream<FieldChange<Value>> {
        try listen(to: field) { $0.isPlayed && $0.isNewRecord }
    }

    private func listen<Value: Codable & Sendable>(
        to field: WritableKeyPath<Subject, Value>, where isWanted: @escaping @Sendable (ProfileChange) -> Bool
    ) throws(StoreError) -> AsyncStream<FieldChange<Value>> {
        let place = try core.place(of: field, in: profile)
        let (codec, beginning) = (core.saveSession.codec, Subject()[keyPath: field])
        return core.fields.listen { step, changes in
            guard let change = changes.first(where: { $0.touches(place) && isWanted($0) }) else { return nil }
            func value(_ document: JSONDocument?) -> Value {
                document.flatMap { codec.value(Value.self, at: place, in: $0) } ?? beginning
            }
            return FieldChange(origin: change.origin, old: value(step.old), new: value(step.new))
        }
    }
}

extension StoreCore {
    /// The place of a field.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/value`` where it cannot be found from the key path.
    func place<Value>(
        of field: WritableKeyPath<Subject, Value>, in profile: Subject
    ) throws(StoreError) -> JSONPointer {
        if let path = FieldFinder.path(of: field, in: profile, saveSession.codec),
            let pointer = try? JSONPointer(parsing: path)
        {
            return pointer
        }
        throw StoreError(
            .value, "the place of that field in the save cannot be found; name it by its path, such as \"/coins\"")
    }
}

extension ProfileChange {
    /// Whether the change is at a place, below it, or of something around it.
    fileprivate func touches(_ place: JSONPointer) -> Bool {
        let text = place.description
        return path == text || path.hasPrefix(text + "/") || text.hasPrefix(path + "/")
    }
}

/// Those who listen to single fields. What a listener gets is made when something is published.
final class FieldFeed<Subject: Profile>: Sendable {
    typealias Step = SaveSession<Subject>.Step
    private struct Listener: Sendable {
        let tell: @Sendable (Step, [ProfileChange]) -> Void
        let end: @Sendable () -> Void
    }
    private struct State {
        var next: UInt64 = 0
        var listeners: [UInt64: Listener] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// A stream of what `make` makes of each step from now on; it ends when the feed is closed.
    func listen<Element: Sendable>(
        _ make: @escaping @Sendable (Step, [ProfileChange]) -> Element?
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(256))
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(
                tell: { step, changes in if let element = make(step, changes) { continuation.yield(element) } },
                end: { continuation.finish() })
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func publish(_ step: Step, _ changes: [ProfileChange]) {
        guard !changes.isEmpty else { return }
        for listener in state.withLock({ $0.listeners.sorted { $0.key < $1.key }.map(\.value) }) {
            listener.tell(step, changes)
        }
    }

    func close() {
        let listeners = state.withLock { state in
            defer { (state.listeners, state.isClosed) = ([:], true) }
            return state.listeners.values.map { $0 }
        }
        for listener in listeners { listener.end() }
    }
}

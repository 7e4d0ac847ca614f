import MergeCore
import Synchronization

/// A part of a profile that the record holds and memory need not: it is read when somebody asks for it, and let go with
/// ``release()``.
///
/// All copies of a profile share this object, so the record is read once. A part that cannot be read stays so until
/// ``release()``: whatever is computed from one profile in one event rests on one reading.
final class RecordedValue<Value: Sendable>: Sendable {
    /// The result of one reading. It is an object of its own, so that a quiet profile, which has none, takes only the room of
    /// a reference.
    private final class Reading: Sendable {
        let result: Result<Value, StorageFault>

        init(_ result: Result<Value, StorageFault>) { self.result = result }
    }

    private let reading = Mutex<Reading?>(nil)
    private let profile: ProfileID
    private let part: RecordedPart<Value>

    init(of profile: ProfileID, _ part: RecordedPart<Value>) { (self.profile, self.part) = (profile, part) }

    /// Whether the value was read, and is in memory.
    var isLoaded: Bool {
        reading.withLock { if case .success? = $0?.result { true } else { false } }
    }

    /// The value, from memory or from the record.
    ///
    /// - Parameter isKnown: Whether a value that is read is the one that the outline is of. If not, the record does not fit
    ///   together.
    func value(where isKnown: (Value) -> Bool = { _ in true }) -> Result<Value, StorageFault> {
        reading.withLock { reading in
            if let reading { return reading.result }
            let result = part.read(profile, where: isKnown)
            reading = Reading(result)
            return result
        }
    }

    /// The reason why the last reading failed; `nil` where it did not, or nothing was read.
    var fault: StorageFault? {
        reading.withLock { if case .failure(let fault)? = $0?.result { fault } else { nil } }
    }

    /// Lets the value go. The next one who asks has it read again.
    func release() { reading.withLock { $0 = nil } }
}

/// One part of every profile, as it is read from the record. All profiles share it.
final class RecordedPart<Value: Sendable>: Sendable {
    private let readings: RecordReadings
    private let load: @Sendable (ProfileID) throws(StorageFault) -> Value?

    /// - Parameter load: Reads the part of one profile. Gives `nil` where what the record holds does not fit together.
    init(noting readings: RecordReadings, _ load: @escaping @Sendable (ProfileID) throws(StorageFault) -> Value?) {
        (self.readings, self.load) = (readings, load)
    }

    fileprivate func read(_ id: ProfileID, where isKnown: (Value) -> Bool) -> Result<Value, StorageFault> {
        readings.note(id)
        do throws(StorageFault) {
            if let value = try load(id), isKnown(value) { return .success(value) }
            throw StorageFault(
                .record,
                "what the record holds of profile \(id) does not fit together; restore the record from a backup, or "
                    + "remove it and add the save again")
        } catch {
            readings.noteFailed(id)
            return .failure(error)
        }
    }
}

/// The profiles of which something was read from the record since they were taken out of this list.
final class RecordReadings: Sendable {
    private struct Since {
        var read: [ProfileID] = []
        var failed: Set<ProfileID> = []
    }

    private let since = Mutex(Since())

    func note(_ id: ProfileID) { since.withLock { if $0.read.last != id { $0.read.append(id) } } }

    /// Notes that a part of a profile could not be read.
    func noteFailed(_ id: ProfileID) { since.withLock { _ = $0.failed.insert(id) } }

    /// The profiles, those that were read last at the end. One may be in it more than once.
    func take() -> [ProfileID] {
        since.withLock { since in
            defer { since.read = [] }
            return since.read
        }
    }

    /// The profiles of which a part could not be read.
    func takeFailed() -> Set<ProfileID> {
        since.withLock { since in
            defer { since.failed = [] }
            return since.failed
        }
    }
}

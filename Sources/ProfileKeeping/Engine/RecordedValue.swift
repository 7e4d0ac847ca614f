import MergeCore
import Synchronization

/// A part of a profile that the record holds and memory need not: it is read when somebody asks for it, and let go with
/// ``release()``.
///
/// All copies of a profile share this object, so the record is read once. A part that cannot be read stays so until
/// ``release()``: whatever is computed from one profile in one event rests on one reading.
final class RecordedValue<Value: Sendable>: Sendable {
    private let reading = Mutex<Result<Value, StorageFault>?>(nil)
    private let read: @Sendable () -> Result<Value, StorageFault>

    init(_ read: @escaping @Sendable () -> Result<Value, StorageFault>) { self.read = read }

    /// A part of a profile, which `read` reads. It gives `nil` where what the record holds does not fit together.
    convenience init(
        of id: ProfileID, noting readings: RecordReadings,
        _ read: @escaping @Sendable () throws(StorageFault) -> Value?
    ) {
        self.init {
            readings.note(id)
            do throws(StorageFault) {
                if let value = try read() { return .success(value) }
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

    /// Whether the value was read, and is in memory.
    var isLoaded: Bool {
        reading.withLock { if case .success? = $0 { true } else { false } }
    }

    /// The value, from memory or from the record.
    var value: Result<Value, StorageFault> {
        reading.withLock { reading in
            if let reading { return reading }
            let result = read()
            reading = result
            return result
        }
    }

    /// The reason why the last reading failed; `nil` where it did not, or nothing was read.
    var fault: StorageFault? {
        reading.withLock { if case .failure(let fault)? = $0 { fault } else { nil } }
    }

    /// Lets the value go. The next one who asks has it read again.
    func release() { reading.withLock { $0 = nil } }
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

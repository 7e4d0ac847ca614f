import DiskStore
import Dispatch
import Synchronization

/// Saves unsaved edits of every open store when the process ends.
enum LastSaves {
    private static let stores = Mutex<[UInt64: @Sendable () -> Void]>([:])
    private static let next = Atomic<UInt64>(1)
    /// How long these saves may delay the end of the process.
    private static let patience = DispatchTimeInterval.seconds(3)

    /// Registers a store's last save, until ``remove(_:)``.
    static func add(_ save: @escaping @Sendable () -> Void) -> UInt64 {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        stores.withLock { $0[number] = save }
        TerminationWatch.install { saveAll() }
        return number
    }

    static func remove(_ number: UInt64) { _ = stores.withLock { $0.removeValue(forKey: number) } }

    /// Runs all saves on the disk queue: the thread that ends the process may hold the lock of an edit, and would wait
    /// for itself.
    static func saveAll() {
        let all = stores.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
        guard !all.isEmpty else { return }
        let done = DispatchSemaphore(value: 0)
        DiskQueue.shared.soon {
            for save in all { save() }
            done.signal()
        }
        _ = done.wait(timeout: .now() + patience)
    }
}

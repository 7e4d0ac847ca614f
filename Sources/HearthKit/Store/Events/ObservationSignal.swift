import Observation
import Synchronization

/// Tells observers (Observation) that something they have read has changed, after the change. For state that is kept
/// elsewhere, under a lock.
final class ObservationSignal: Sendable, Observable {
    private let registrar = ObservationRegistrar()
    /// Made once, because making a key path takes longer than saving a profile in memory.
    private let observed: any KeyPath<ObservationSignal, Void> & Sendable = \.state
    /// Whether a call to the observers is already waiting for the main actor.
    private let isNotifying = Atomic(false)

    /// The property that observers read, and whose change they are told of. It has no value of its own.
    private var state: Void { () }

    /// Registers whoever reads now.
    func read() { registrar.access(self, keyPath: observed) }

    /// Tells those who have read. Call it after the change: an observer that reads again at once
    /// (`withObservationTracking` allows that) would otherwise see the old state, and would not be told again.
    ///
    /// An observer on the main actor is registered only when it has finished reading. So observers are told once more
    /// in a job of the main actor, when no code there is in the middle of reading.
    func tell() {
        registrar.withMutation(of: self, keyPath: observed) {}
        guard isNotifying.exchange(true, ordering: .acquiringAndReleasing) == false else { return }
        Task { @MainActor [weak self] in
            guard let self else { return }
            // Reset the flag before notifying: a change from here on gets a job of its own.
            isNotifying.store(false, ordering: .releasing)
            registrar.withMutation(of: self, keyPath: observed) {}
        }
    }
}

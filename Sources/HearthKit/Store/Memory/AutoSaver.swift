import Synchronization

/// Saves edits as ``AutoSavePolicy`` says.
struct AutoSaver<Subject: Profile, Time: Clock<Duration>>: Sendable {
    private let core: StoreCore<Subject>
    private let clock: Time
    private let policy: AutoSavePolicy

    init(_ core: StoreCore<Subject>, _ clock: Time) {
        (self.core, self.clock, policy) = (core, clock, core.options.autoSave)
    }

    /// Runs until it is cancelled.
    func run() async {
        for await _ in core.edited.stream {
            while core.saveSession.isUnsaved, !Task.isCancelled {
                guard let wait = await rest() else { break }
                guard (try? await clock.sleep(for: wait)) != nil else { return }
                try? await core.save(upTo: core.saveSession.edits)
            }
        }
    }

    /// How long to wait before the next save: for the other edits of a burst or, after a failed save, for `idle`. `nil`
    /// for no save.
    private func rest() async -> Duration? {
        if core.state.withLock({ $0.saveTrouble }) != nil { return policy.idle ?? policy.coalesce }
        if let coalesce = policy.coalesce { return coalesce }
        guard let idle = policy.idle else { return nil }
        // Wait until nothing was edited for this long.
        var last = core.saveSession.edits
        while (try? await clock.sleep(for: idle)) != nil {
            if core.saveSession.edits == last { return .zero }
            last = core.saveSession.edits
        }
        return nil
    }
}

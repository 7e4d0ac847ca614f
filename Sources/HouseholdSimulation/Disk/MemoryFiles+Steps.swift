import ProfileKeeping

/// Swaps two files on a file system without an atomic exchange, in the same steps as `DiskFiles`.
extension MemoryFiles {
    static var asideSuffix: String { ".aside" }

    func exchangeInSteps(_ name: String, _ staged: String, _ path: String) throws(StorageFault) {
        let aside = staged + Self.asideSuffix
        try unlinkIfThere(aside)
        try power.step(swapping == .links ? .link(path) : .rename(path))
        guard has(path) else { throw Self.gone(path) }
        if swapping == .links {
            change { $0.link(path, as: aside) }
            try syncAside(path, aside)
            guard disk.names[path] == disk.names[aside] else {
                try unlinkIfThere(aside)
                throw Self.gone(path)
            }
            do throws(StorageFault) {
                try power.step(.exchange(name, path: path))
            } catch {
                try unlinkIfThere(aside)
                throw error
            }
            change { $0.rename(staged, to: path) }
        } else {
            change { $0.rename(path, to: aside) }
            do throws(StorageFault) {
                try syncFolder(of: path, as: .syncAside(path))
                try power.step(.exchange(name, path: path))
                guard !has(path) else { throw Self.taken(path) }
            } catch {
                // Where the game saved in between, its file stays, and the former one is not needed.
                if power.isOff { throw error }
                if has(path) { try unlinkIfThere(aside) } else { change { $0.rename(aside, to: path) } }
                throw error
            }
            change { $0.rename(staged, to: path) }
        }
        // The swap is done. What follows may fail: ``settleAside(_:_:)`` finishes it later.
        try? syncFolder(of: path, as: .syncAside(path))
        guard (try? power.step(.rename(aside))) != nil else { return }
        change { $0.rename(aside, to: staged) }
    }

    /// Finishes or undoes a swap in several steps that was interrupted.
    func settleAside(_ staged: String, _ path: String) throws(StorageFault) {
        let aside = staged + Self.asideSuffix
        guard has(aside) else { return }
        for free in [path, staged] where !has(free) {
            try power.step(.rename(aside))
            change { $0.rename(aside, to: free) }
            return try syncFolder(of: path, as: .syncAside(path))
        }
        try unlinkIfThere(aside)
    }

    private func syncAside(_ path: String, _ aside: String) throws(StorageFault) {
        do throws(StorageFault) {
            try syncFolder(of: path, as: .syncAside(path))
        } catch {
            if !power.isOff { try unlinkIfThere(aside) }
            throw error
        }
    }

    private func unlinkIfThere(_ path: String) throws(StorageFault) {
        guard has(path) else { return }
        try power.step(.remove(path))
        change { $0.unlink(path) }
    }
}

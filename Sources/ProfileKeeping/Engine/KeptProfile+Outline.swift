package import MergeCore

/// What is known of a profile without its state being read from the record. Whatever is asked about all profiles, or at
/// each event, is asked here.
extension KeptProfile {
    /// The writes that the profile's state covers.
    package var vector: VersionVector { keptState.outline?.vector ?? state.vector }

    /// The rules in force.
    package var rules: RuleSet { keptState.outline?.rules ?? state.rules }

    /// The reason why this version cannot use the newest rules; `nil` where it can.
    package var rulesHeld: RuleError? {
        if let outline = keptState.outline { outline.rulesHeld } else { state.rulesHeld }
    }

    /// Whether a device noted that the profile is not kept any more.
    package var isForgotten: Bool { keptState.outline?.isForgotten ?? state.isForgotten }

    /// The profile into which a device joined this one; `nil` if none did, or if a player took that back.
    package var joinedInto: ProfileID? {
        if let outline = keptState.outline { outline.joinedInto } else { state.joinedInto }
    }

    /// The profile that this one was joined into, or had been before a player took that back.
    package var joinTarget: ProfileID? {
        guard let outline = keptState.outline else { return state.joinedInto ?? state.leftApartFrom }
        return outline.joinedInto ?? outline.leftApartFrom
    }

    var knownName: String? {
        if let outline = keptState.outline { outline.name } else { state.name }
    }

    /// The name of the save's file on the device that added it, as that device says: any text, see ``FileName``.
    package var sharedFileName: String? {
        if let outline = keptState.outline { outline.fileName } else { state.fileName }
    }

    /// The number of open choices. Reads the state where it was not read since the start.
    package var openChoices: Int { keptState.outline?.openChoices ?? state.openChoices.count }

    /// Whether this device's replica may begin another epoch.
    package var hasRoomForEpoch: Bool {
        keptState.outline?.replicaWithRoom == replica || state.hasRoomForEpoch(of: replica)
    }

    /// The number of the newest snapshot, and the writes that it contains; `nil` where there is none.
    package var newestSnapshot: (number: Int64, vector: VersionVector)? {
        guard let outline = keptHistory.newest ?? SnapshotOutline(baseHistory) else { return nil }
        return (outline.number, outline.vector)
    }

    /// Whether the newest snapshot holds these bytes, as far as a fingerprint tells. `false` where there is none.
    package func isNewest(_ bytes: [UInt8]) -> Bool {
        guard !keptHistory.isInMemory, let known = keptHistory.newest else {
            return Bytes.equal(bytes, baseHistory.newest?.bytes)
        }
        return known?.hash == Fingerprint.hash(of: bytes)
    }
}

/// Reading a profile's state and base history from the record.
extension KeptProfile {
    /// The reason why a part of the profile could not be read from the record. Reads nothing.
    var fault: StorageFault? { keptState.fault ?? keptHistory.fault }

    /// Whether a part of the profile could not be read when it was last needed. Until it can, nothing of it is stored.
    package var isHeld: Bool { unreadable != nil || fault != nil }

    /// Reads the base history, where it is in the record only.
    func readHistory() throws(StorageFault) {
        if !keptHistory.isInMemory { _ = baseHistory }
        if let fault = keptHistory.fault { throw fault }
    }

    /// Reads what is in the record only. Whoever says or does something on the strength of a profile's state calls this
    /// first: of a state that cannot be read, readers see one without any atom.
    func read() throws(StorageFault) {
        try readHistory()
        try readState()
    }

    /// Reads the state, where it is in the record only.
    func readState() throws(StorageFault) {
        if keptState.outline != nil { _ = state }
        if let fault = keptState.fault { throw fault }
    }
}

import MergeCore

/// What is known of a profile's state while the state itself is in the record only: what is asked for about all
/// profiles, or about a quiet one.
struct StateOutline: Sendable {
    /// Rules, and why this version cannot use the newest ones. Kept apart: many saves have none, and they are large.
    private struct Rules: Sendable {
        let rules: RuleSet
        let held: RuleError?
    }

    var vector: VersionVector
    private var present: Rare<Rules>
    var name: String?
    var fileName: String?
    var isForgotten: Bool
    var joinedInto: ProfileID?
    var leftApartFrom: ProfileID?
    /// A replica of this device that may begin more epochs; `nil` where only the state can tell.
    var replicaWithRoom: ReplicaID?
    /// The number of open choices; `nil` where only the state can tell.
    var openChoices: Int?

    /// - Parameter isWhole: Whether the state has all its atoms, and not only Hearth's own notes.
    /// - Parameter vector: The state's vector, as whoever keeps it already has it in memory.
    init(_ state: ProfileState, _ vector: VersionVector, isWhole: Bool, replica: ReplicaID) {
        self.vector = vector
        let (rules, held) = (state.rules, state.rulesHeld)
        present = rules == .empty && held == nil ? .none : .some(Rules(rules: rules, held: held))
        (name, fileName, isForgotten) = (state.name, state.fileName, state.isForgotten)
        (joinedInto, leftApartFrom) = (state.joinedInto, state.leftApartFrom)
        replicaWithRoom = state.hasRoomForEpoch(of: replica) ? replica : nil
        openChoices = isWhole ? state.openChoices.count : nil
    }

    var rules: RuleSet { present.value?.rules ?? .empty }

    var rulesHeld: RuleError? { present.value?.held }
}

/// A profile's state, in memory or in the record.
///
/// Where it cannot be read from the record, readers get a state without atoms and with an empty vector: it claims to cover
/// nothing, so nothing false can be said with it. ``fault`` is set then, and ``ProfileEngine`` commits nothing.
struct KeptState: Sendable {
    private indirect enum Place: Sendable {
        case memory(ProfileState)
        case record(StateOutline, RecordedValue<ProfileState>)
    }

    private var place: Place
    /// The reason why the state could not be read before it was changed.
    private var faultBefore: StorageFault?

    init(_ state: ProfileState) { place = .memory(state) }

    init(_ outline: StateOutline, _ recorded: RecordedValue<ProfileState>) { place = .record(outline, recorded) }

    var value: ProfileState {
        get {
            switch place {
            case .memory(let state): state
            case .record(let outline, let recorded):
                (try? recorded.value { $0.vector == outline.vector }.get()) ?? ProfileState()
            }
        }
        _modify {
            var state = value
            if case .record(_, let recorded) = place { faultBefore = recorded.fault }
            place = Self.nothing  // so that the state has one owner
            defer { place = .memory(state) }
            yield &state
        }
    }

    private static let nothing = Place.memory(ProfileState())

    /// The outline; `nil` while the state is in memory, which says more.
    var outline: StateOutline? {
        if case .record(let outline, _) = place { outline } else { nil }
    }

    /// The reason why the state could not be read. Reads nothing.
    var fault: StorageFault? {
        if case .record(_, let recorded) = place { recorded.fault } else { faultBefore }
    }

    /// Whether the state was read from the record, and has not changed since.
    var isRead: Bool {
        if case .record(_, let recorded) = place { recorded.isLoaded } else { false }
    }

    /// Lets go of what was read from the record, or could not be read.
    func release() {
        if case .record(_, let recorded) = place { recorded.release() }
    }
}

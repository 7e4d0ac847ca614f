import MergeCore
import ProfileKeeping
import SyncProtocol

/// A device whose backups are copied: the copy that is being fetched of it, and what went wrong. It outlives the
/// device's links, so that fetching continues over the next one.
struct CopyOwner {
    private enum Fetch {
        case none
        /// The next part is to be asked for, or was.
        case parts(CopyIntake)
        /// The part that came last over a link is being written to the disk.
        case writing(CopyIntake, over: ConnectionID)
    }

    private var fetch = Fetch.none
    /// The last failure to keep a copy.
    private(set) var setback: CopySetback?
    private(set) var wrong = WrongCopies()
    /// Whether it listed backups of profiles that no device of the household knows.
    private(set) var isStrange = false

    /// Whether no copy is partly fetched.
    var isIdle: Bool { if case .none = fetch { true } else { false } }

    /// The copy whose next part is to be asked for, or was.
    var begun: CopyIntake? { if case .parts(let intake) = fetch { intake } else { nil } }

    /// The copy of which a part is being written, and the link over which the part came.
    var writing: (CopyIntake, ConnectionID)? {
        if case .writing(let intake, let id) = fetch { (intake, id) } else { nil }
    }

    // MARK: Events

    /// The device lists backups of a profile that no device of the household knows.
    mutating func listedUnknown() { isStrange = true }

    /// The device lists its daily backups of a profile.
    mutating func listed(_ list: [CopyFacts], of profile: ProfileID) { wrong.list(list, of: profile) }

    /// The next part of a copy is to be fetched.
    mutating func begin(_ intake: CopyIntake) { fetch = .parts(intake) }

    /// The copy is not fetched any more.
    mutating func end() { fetch = .none }

    /// Drops the fetch and what waits to be tried again, because this device keeps no copies any more.
    mutating func stop() { (fetch, setback) = (.none, nil) }

    /// Drops what waits to be tried again, because the owner has nothing left to give.
    mutating func nothingIsLeft() { setback = nil }

    /// A part came over a link, and is being written.
    mutating func write(over id: ConnectionID) { if let begun { fetch = .writing(begun, over: id) } }

    /// The part is staged. Returns the copy and its day if that was its last part.
    mutating func staged(_ count: Int) -> (CopyIntake, LocalDay)? {
        guard case .writing(var intake, let id) = fetch else { return nil }
        intake.received += count
        guard intake.received == intake.facts.size else {
            fetch = .parts(intake)
            return nil
        }
        let day = LocalDay(number: intake.facts.day)
        fetch = day == nil ? .none : .writing(intake, over: id)
        return day.map { (intake, $0) }
    }

    /// The copy is kept.
    mutating func kept() {
        (fetch, setback) = (.none, nil)
        wrong.goodOneCame()
    }

    /// The copy did not match its listing. Returns whether it is the first such copy of this device.
    mutating func isWrong(_ intake: CopyIntake) -> Bool {
        fetch = .none
        return wrong.add(intake.profile, intake.facts)
    }

    /// A copy could not be kept: that is logged once for each reason, and tried again later.
    mutating func cannotKeep(_ fault: StorageFault, now: MonotonicTime) -> [CopyReceiver.Effect] {
        let last = setback
        setback = CopySetback(fault, after: last, now: now)
        return last?.fault.reason == fault.reason ? [] : [.log(.copyNotKept(fault))]
    }
}

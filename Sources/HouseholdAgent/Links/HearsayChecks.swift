import MergeCore
import SyncProtocol

/// When writers are asked whether writes that came from others are theirs, and what is known to differ.
///
/// A writer that never agrees, because it or another device lies, costs a bounded number of answers: questions about one
/// profile are a second apart, and where its whole state ends no difference, it is asked for at most ``wholes`` times an
/// hour, each time after a longer while. A device is asked about its profiles in turn, also over many short links: on
/// each it goes on behind the one that was asked about last.
struct HearsayChecks {
    /// The time between two questions about one profile to one device.
    static let pause = Duration.seconds(1)
    /// The time after which a writer is asked although the two devices do not cover the same.
    static let patience = Duration.seconds(10)
    /// Answers from another vector after which the difference counts all the same.
    static let tries = 3
    /// How often the whole state is asked for in vain in ``window``.
    static let wholes = 5
    static let window = Duration.seconds(3_600)
    /// The time after which a question without an answer counts as unanswered.
    static let answerTime = Duration.seconds(60)

    /// Why a difference is still there.
    enum Cause: Hashable {
        /// The writer was asked for all it has.
        case mending
        /// The save is too large to be sent at once.
        case tooLarge
        /// The writer did not send all it has.
        case notSent
        /// What the writer sent was not taken; the end of a sentence says why.
        case refused(String)
        /// The writer says something else again and again.
        case lasting
    }

    private struct Subject: Hashable {
        let device: DeviceID
        let profile: ProfileID
    }

    private var checks: [Subject: HearsayCheck] = [:]
    /// The profile that each device was asked about last.
    private var lastAsked: [DeviceID: ProfileID] = [:]
    /// Replicas about which the device of a link is not asked again there, because a repair came to nothing.
    private var unanswerable: [ConnectionID: Set<ReplicaID>] = [:]
    /// What devices said they cannot answer.
    private var disowned = DisownedWrites()
    private var repairs = HearsayRepairs()
    private var asked: [ConnectionID: (subject: Subject, since: MonotonicTime)] = [:]
    /// Profiles of which everything was asked for, because a delta built on what is not known here.
    private var wholes: [ConnectionID: Set<ProfileID>] = [:]
    /// How often the writes of all devices in a profile became hearsay, in the window that began then.
    private var spread: [ProfileID: (count: Int, since: MonotonicTime)] = [:]
    private var isAwake = true
    private var nextLook: MonotonicTime?

    /// Something happened after which a question may be due.
    mutating func wake() { isAwake = true }

    /// The time at which something is due.
    var deadline: MonotonicTime? {
        [repairs.deadline, nextLook].compactMap { $0 }.min()
    }

    mutating func closed(_ id: ConnectionID) {
        unanswerable[id] = nil
        disowned.closed(id)
        repairs.closed(id)
        asked[id] = nil
        wholes[id] = nil
    }

    // MARK: Asking

    /// Whether to look for questions that are due. If so, later ones are noted with ``mayAsk(_:about:isSettled:now:)``.
    mutating func isDue(now: MonotonicTime) -> Bool {
        guard isAwake || nextLook.map({ $0 <= now }) == true else { return false }
        (isAwake, nextLook) = (false, nil)
        return true
    }

    /// Whether a device may be asked about a profile now; else it is looked at again later.
    mutating func mayAsk(_ device: DeviceID, about profile: ProfileID, isSettled: Bool, now: MonotonicTime) -> Bool {
        let due = update(device, profile, now) { $0.due(isSettled: isSettled, now: now) }
        if due > now { nextLook = min(nextLook ?? due, due) }
        return due <= now
    }

    /// A question was sent.
    mutating func ask(_ device: DeviceID, about profile: ProfileID, on id: ConnectionID, now: MonotonicTime) {
        asked[id] = (Subject(device: device, profile: profile), now)
        lastAsked[device] = profile
    }

    /// The profile that a device was asked about last, over whichever link.
    func lastAsked(of device: DeviceID) -> ProfileID? { lastAsked[device] }

    /// The answer to the last question has come.
    mutating func answered(on id: ConnectionID) {
        asked[id] = nil
        isAwake = true
    }

    /// Whether a device may be asked about a run of its writes: it has not said that it cannot answer, and no repair of
    /// them came to nothing on this link.
    func canAnswer(_ span: WriteSpan, of device: DeviceID, on id: ConnectionID) -> Bool {
        unanswerable[id]?.contains(span.replica) != true && !disowned.contains(span, of: device, on: id)
    }

    /// A device said that it cannot answer for a run of its writes. What it says once it says again: it is asked about
    /// the run no more, over whichever link, until there is more of it.
    mutating func disowns(_ span: WriteSpan, _ device: DeviceID, on id: ConnectionID) {
        disowned.insert(span, of: device, on: id)
    }

    /// A repair came to nothing. Whether it does again on the next link nobody knows, so that is tried.
    mutating func cannotAnswer(_ replicas: some Sequence<ReplicaID>, on id: ConnectionID) {
        unanswerable[id, default: []].formUnion(replicas)
    }

    // MARK: Differences

    /// What follows from an answer that differs.
    enum Verdict {
        case askAgain
        case askForAll
        case giveUp
    }

    mutating func differs(
        _ spans: [WriteSpan], of device: DeviceID, in profile: ProfileID, on id: ConnectionID, isEqual: Bool,
        now: MonotonicTime
    ) -> Verdict {
        isAwake = true
        let verdict = update(device, profile, now) { $0.differs(isEqual: isEqual, now: now) }
        if verdict == .askForAll { repairs.begin(profile, spans, of: device, on: id, now: now) }
        return verdict
    }

    /// What is here of a device's writes is what it says.
    mutating func agreed(_ device: DeviceID, in profile: ProfileID) {
        checks[Subject(device: device, profile: profile)] = nil
    }

    /// A difference stays for now.
    mutating func stays(_ cause: Cause, of device: DeviceID, in profile: ProfileID, now: MonotonicTime) {
        update(device, profile, now) { $0.stays(cause) }
    }

    /// Whether something here is known to differ from what its writer says.
    func differs(_ device: DeviceID, in profile: ProfileID) -> Bool {
        checks[Subject(device: device, profile: profile)]?.difference != nil
    }

    /// All that is known to differ.
    var differences: [(device: DeviceID, profile: ProfileID, cause: Cause)] {
        checks.compactMap { subject, check in
            check.difference.map { (device: subject.device, profile: subject.profile, cause: $0) }
        }
        .sorted { ($0.device, $0.profile) < ($1.device, $1.profile) }
    }

    /// The questions that wait for an answer for too long.
    func unanswered(now: MonotonicTime) -> [(device: DeviceID, profile: ProfileID)] {
        asked.values.filter { $0.since + Self.answerTime <= now }
            .map { (device: $0.subject.device, profile: $0.subject.profile) }
            .sorted { ($0.device, $0.profile) < ($1.device, $1.profile) }
    }

    /// Whether all that others wrote in a profile may become hearsay once more because all that one device wrote had been
    /// hearsay and was changed. Not without end: two devices that contradict each other would be asked in turn for ever.
    mutating func maySpread(in profile: ProfileID, now: MonotonicTime) -> Bool {
        var (count, since) = spread[profile] ?? (0, now)
        if since + Self.window <= now { (count, since) = (0, now) }
        guard count < Self.wholes else { return false }
        spread[profile] = (count + 1, since)
        return true
    }

    // MARK: Everything

    /// Whether the whole state of a profile was asked for and may still come.
    func isRepairing(_ profile: ProfileID, on id: ConnectionID) -> Bool { repairs.isAwaited(profile, on: id) }

    /// The runs of writes that wait for the whole state of a profile, which has come now; `nil` for none.
    mutating func takeRepair(of profile: ProfileID, on id: ConnectionID) -> [WriteSpan]? {
        repairs.take(profile, on: id)?.spans
    }

    /// The whole states that have not come in time. They are waited for no more, and taken all the same if they come.
    mutating func takeLate(now: MonotonicTime) -> [(id: ConnectionID, profile: ProfileID)] {
        repairs.noteLate(now: now).map { id, repair in
            cannotAnswer(repair.spans.map(\.replica), on: id)
            stays(.notSent, of: repair.device, in: repair.profile, now: now)
            return (id, repair.profile)
        }
    }

    /// Whether to ask a device for everything of a profile, because a delta builds on what is not known here: once a link.
    mutating func asksForAll(of profile: ProfileID, on id: ConnectionID) -> Bool {
        wholes[id, default: []].insert(profile).inserted
    }

    @discardableResult
    private mutating func update<Result>(
        _ device: DeviceID, _ profile: ProfileID, _ now: MonotonicTime, _ body: (inout HearsayCheck) -> Result
    ) -> Result {
        let subject = Subject(device: device, profile: profile)
        var check = checks[subject] ?? HearsayCheck(now: now)
        defer { checks[subject] = check }
        return body(&check)
    }
}

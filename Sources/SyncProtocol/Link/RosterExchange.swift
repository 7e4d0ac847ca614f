/// What a link knows of the peer's roster: it is sent the statements alone that it may lack, and the household's secret
/// where it may have another one.
///
///     greeting ── equal digests in both Hellos ──────────────────────────────────────> known
///        └─────── different ones: both send RosterHashes ──> asking ── the peer's ──────┘
///
/// The peer's word is taken for that: who says that it has what it lacks only keeps it from itself. Before ``isAsking``
/// is over no atoms are sent, so that a removal arrives before any data.
struct RosterExchange {
    private enum Phase {
        /// The peer's Hello has not come.
        case greeting
        /// Its Hello has another digest, and it has not said which statements it holds.
        case asking
        /// The peer was sent, has sent or has said to hold all of ``statements``.
        case known
    }

    /// The statements of this device's roster.
    private var statements: [RosterStatement]
    private var secret: HouseholdSecret?
    private let salt: [UInt8]
    private var phase = Phase.greeting
    /// The secret that this device has said last.
    private var said: HouseholdSecret?
    /// The statements that the peer may lack and was not sent yet: all that came after this device's Hello while the peer's
    /// has not come, and later those that can wait; see ``RosterNews``.
    private var waiting: [RosterStatement] = []
    /// How many statements wait at most.
    private static let waitingLimit = 64
    /// The statements that the peer has sent since this device's roster changed last.
    private var heard: Set<StatementHash> = []

    /// The digest in this device's Hello.
    let digest: [UInt8]

    /// - Parameter salt: A random number that nobody knows before the link.
    init(_ statements: [RosterStatement] = [], _ secret: HouseholdSecret? = nil, salt: UInt64 = 0) {
        (self.statements, self.secret, said) = (statements, secret, secret)
        self.salt = (0..<8).map { UInt8(truncatingIfNeeded: salt >> (56 - 8 * $0)) }
        digest = RosterDigest.of(statements, secret)
    }

    /// Whether it is still open which statements the peer lacks.
    var isAsking: Bool { phase == .asking }

    /// Takes the digest in the peer's Hello. An equal one says that the peer has the same secret, as well.
    mutating func greeted(_ theirs: [UInt8]) -> [LinkAction] {
        guard theirs == digest else {
            (phase, waiting) = (.asking, [])
            return [.send(WireFrame.bytes(.rosterHashes(hashes())))]
        }
        phase = .known
        let same = said.map { [LinkAction.roster([], secret: $0)] } ?? []
        return same + tellWaiting()
    }

    private func hashes() -> WireRosterHashes {
        var message = WireRosterHashes()
        message.salt = salt.wire
        message.hashes = statements.prefix(Limits.statements).flatMap { $0.hash.fingerprint(salt: salt) }.wire
        return message
    }

    /// Takes the hashes of what the peer holds, and sends it the rest, with the secret.
    mutating func receive(_ message: WireRosterHashes) throws(ProtocolFault) -> [LinkAction] {
        guard phase == .asking else { throw ProtocolFault("hashes of a roster came out of turn") }
        let size = StatementHash.fingerprintSize
        guard message.salt.count == 8, message.hashes.count % size == 0,
            message.hashes.count <= size * Limits.statements
        else { throw ProtocolFault("the hashes of its roster are none, or too many") }
        let (theirs, salt) = (message.hashes.array, message.salt.array)
        let held = Set(stride(from: 0, to: theirs.count, by: size).map { Array(theirs[$0..<$0 + size]) })
        phase = .known
        return tell(statements.filter { !held.contains($0.hash.fingerprint(salt: salt)) }, always: true)
    }

    /// Notes statements that the peer has sent. Beyond a limit they are sent back to it, which costs no more than bytes.
    mutating func hear(_ statements: [RosterStatement]) {
        guard phase == .known, heard.count + statements.count <= Limits.statements else { return }
        for statement in statements { heard.insert(statement.hash) }
        waiting.removeAll { heard.contains($0.hash) }
    }

    /// Takes a change of this device's roster or of the household's secret.
    mutating func changed(
        to statements: [RosterStatement], news: RosterNews, secret: HouseholdSecret?
    ) -> [LinkAction] {
        (self.statements, self.secret) = (statements, secret)
        guard phase != .asking else { return [] }
        let urgent = news.urgent.filter { !heard.contains($0.hash) }
        waiting += urgent + news.confirming.filter { !heard.contains($0.hash) }
        heard = []
        let isDue = !urgent.isEmpty || secret != said || waiting.count > Self.waitingLimit
        return phase == .known && isDue ? tellWaiting() : []
    }

    /// The last words to a peer that was removed: all statements that it may lack, and no secret.
    func farewell(_ statements: [RosterStatement], news: RosterNews) -> [LinkAction] {
        let new = (news.urgent + news.confirming).filter { !heard.contains($0.hash) }
        let lacking = phase == .known ? waiting + new : statements
        return lacking.isEmpty ? [] : [.send(WireFrame.bytes(.roster(RosterCoding.write(lacking, nil))))]
    }

    /// Sends what waits.
    mutating func tellWaiting() -> [LinkAction] {
        guard phase == .known else { return [] }
        let all = waiting
        waiting = []
        // A statement that a newer one has replaced meanwhile is not sent any more.
        let present = all.isEmpty ? [] : Set(statements.map(\.hash))
        return tell(all.filter { present.contains($0.hash) }, always: false)
    }

    /// Sends statements, and the secret where it is another one than was said, or `always`.
    private mutating func tell(_ lacking: [RosterStatement], always: Bool) -> [LinkAction] {
        let told = always || secret != said ? secret : nil
        said = secret
        guard !lacking.isEmpty || told != nil else { return [] }
        return [.send(WireFrame.bytes(.roster(RosterCoding.write(lacking, told))))]
    }
}

import MergeCore
import Testing

@testable import SyncProtocol

/// Two devices with rosters and the link between them.
final class RosterTalk {
    final class Side {
        let signer: MemorySigner
        var roster: Roster
        var secret: HouseholdSecret?
        var link: PeerLink
        /// The kinds of the messages that it has sent, in order, and what it was asked for among them as "needsDelta".
        var said: [String] = []
        var bytes = 0
        /// What it has heard of the other one's roster.
        var heard: [(statements: [RosterStatement], secret: HouseholdSecret?)] = []
        var closure: LinkClosure?
        fileprivate var waiting: [UInt8] = []

        init(_ seed: UInt64, _ roster: Roster, _ signer: MemorySigner, _ secret: HouseholdSecret?) {
            (self.roster, self.signer, self.secret) = (roster, signer, secret)
            link = PeerLink(localName: "side \(seed)", now: 0)
        }
    }

    static let household = HouseholdID(high: 1, low: 1)
    let a: Side
    let b: Side
    private var time: MonotonicTime = 1

    /// - Parameter devices: How many devices the first one has paired with. The second one is among them, and holds the same
    ///   statements.
    init(devices: UInt64 = 1, secrets: (HouseholdSecret?, HouseholdSecret?) = (nil, nil)) {
        let signers = (MemorySigner(seed: 1), MemorySigner(seed: 2))
        var first = Roster(me: signers.0.key, name: "a", household: Self.household)
        var second = Roster(me: signers.1.key, name: "b", household: Self.household)
        do {
            for device in 2..<2 + devices {
                first = try first.adding(MemorySigner(seed: device).key, name: "device \(device)", by: signers.0).roster
            }
            second = try second.merging(first.statements).roster.adding(signers.0.key, name: "a", by: signers.1).roster
            second = second.vouching(by: signers.1).roster
            first = first.merging(second.statements).roster.vouching(by: signers.0).roster
            second = second.merging(first.statements).roster
        } catch {
            Issue.record("\(error)")
        }
        a = Side(1, first, signers.0, secrets.0)
        b = Side(2, second, signers.1, secrets.1)
    }

    func other(_ side: Side) -> Side { side === a ? b : a }

    /// Starts the link on both sides, and lets everything arrive.
    func run(_ covered: VersionVector = VersionVector()) throws {
        try start(covered)
        try deliver()
    }

    func start(_ covered: VersionVector = VersionVector()) throws {
        for side in [a, b] {
            let profiles: CoveredProfiles = side === a && !covered.entries.isEmpty ? [profile: covered] : [:]
            let actions = side.link.start(
                profiles: profiles, roster: side.roster.statements, secret: side.secret, salt: side === a ? 5 : 6,
                now: 0)
            try perform(actions, side)
        }
    }

    /// Lets everything that is under way arrive, a side at a time.
    func deliver() throws {
        while let side = [a, b].first(where: { !$0.waiting.isEmpty }) {
            let bytes = side.waiting
            side.waiting = []
            let reader = other(side)
            try perform(reader.link.heard(bytes, now: time), reader)
        }
    }

    /// Lets nothing be said for so long that one side sends a Ping.
    func quiet() throws {
        time = time + Limits.quietTime + Limits.quietSpread
        try perform(a.link.tick(now: time), a)
        try deliver()
    }

    /// What arrives from a hand in place of a side.
    func forge(_ bytes: [UInt8], to side: Side) throws { try perform(side.link.heard(bytes, now: time), side) }

    /// Gives a side another roster or secret, and lets it tell so.
    func change(_ side: Side, _ roster: Roster? = nil, secret: HouseholdSecret? = nil, arrives: Bool = true) throws {
        let former = side.roster.statements
        side.roster = roster ?? side.roster
        side.secret = secret ?? side.secret
        let news = RosterNews(of: side.roster, since: former)
        try perform(side.link.rosterChanged(to: side.roster.statements, news: news, secret: side.secret), side)
        if arrives { try deliver() }
    }

    func perform(_ actions: [LinkAction], _ side: Side) throws {
        for action in actions {
            switch action {
            case .send(let bytes):
                side.waiting += bytes
                side.bytes += bytes.count
                side.said += try Self.kinds(bytes)
            case .needsDelta: side.said.append("needsDelta")
            case .roster(let statements, let secret):
                side.heard.append((statements, secret))
                let merged = side.roster.merging(statements).roster
                if merged.statements != side.roster.statements {
                    try change(side, merged.vouching(by: side.signer).roster, arrives: false)
                }
            case .close(let closure): side.closure = closure
            default: break
            }
        }
    }

    private static func kinds(_ bytes: [UInt8]) throws -> [String] {
        var decoder = FrameDecoder(limit: Limits.frame)
        decoder.append(bytes)
        var kinds: [String] = []
        while let frame = try decoder.next() {
            let body = try #require(try WireFrame(wire: frame).body)
            kinds.append(String("\(body)".prefix { $0 != "(" }))
        }
        return kinds
    }
}

import MergeCore

/// What is known of another member of the household, from which its findings are made.
struct MemberFacts {
    enum Link: Hashable {
        case none
        case silent(PeerAddress)
        /// - Parameter ahead: By how much its clock is ahead of this device's; negative where it is behind.
        case answers(PeerAddress, version: UInt32, ahead: Duration)
    }

    var name: String
    var key: [UInt8]
    var link = Link.none
    /// The reason why its last link ended.
    var lastEnd: String?
    /// The addresses at which it was, or may be.
    var addresses: [DialPlan.Known] = []
    /// The address of its last connection, where another member was reached since.
    var formerAddress: PeerAddress?
    /// Whether other devices are looked for.
    var isSearched = true
    var subnets: [Subnet] = []

    /// Whether two clocks differ so much that the order of changes may come out wrong.
    static func isOff(_ difference: Duration) -> Bool {
        difference > .seconds(300) || difference < .seconds(-300)
    }

    var findings: [Finding] {
        switch link {
        case .answers(let address, let version, let ahead):
            let isSeen = isSearched ? addresses.contains { $0.isDiscovered && $0.device == key } : nil
            let connected = Finding.connected(name, at: address, version: version, isSeen: isSeen)
            return Self.isOff(ahead) ? [connected, .clock(name, ahead: ahead)] : [connected]
        case .silent(let address): return [.silent(name, at: address)]
        case .none:
            let found = addresses.compactMap { known in finding(of: known).map { (rank($0, known), $0) } }
            if let first = found.min(by: { $0.0 < $1.0 })?.1 { return [first] }
            // Where it dials this machine, no address of it has to be known here.
            return [notStored ?? .unseen(name, last: formerAddress, isSearched: isSearched)]
        }
    }

    /// The finding of the last dial of an address; `nil` where another device answered there, or nobody dialled it.
    private func finding(of known: DialPlan.Known) -> Finding? {
        let isOutside = Subnet.isOutside(known.address.host, of: subnets)
        switch known.outcome {
        case .reached(key)?: return notStored ?? .turnedAway(name, at: known.address, lastEnd ?? "no reason was given")
        case .reached?: return nil
        case .stranger?: return .stranger(name, at: known.address)
        case .failed(let reason)?:
            guard let fault = DialFault(rawValue: reason) else {
                return .failed(name, at: known.address, reason)
            }
            return .unreached(name, at: known.address, fault, isOutside: isOutside)
        // Nothing was tried there, and it may be another device's.
        case nil where known.device != key: return nil
        case nil: return .unreached(name, at: known.address, .noAnswer, isOutside: isOutside)
        }
    }

    /// The finding that its last link ended because of a disk; `nil` where it ended for another reason.
    private var notStored: Finding? { lastEnd.flatMap { StorageEnd($0) }.map { .notStored(name, $0) } }

    /// What says most comes first: where it announces itself now before where it was once, and who answered before who
    /// did not.
    private func rank(_ finding: Finding, _ known: DialPlan.Known) -> Int {
        let rank =
            switch finding {
            case .turnedAway, .notStored: 0
            case .unreached(_, _, .otherProtocol, _): 1
            case .stranger: 2
            case .unreached(_, _, .refused, _): 3
            case .failed: 4
            case .unreached(_, _, .noAnswer, _): 5
            default: 6
            }
        return known.isDiscovered ? rank : rank + 10
    }
}

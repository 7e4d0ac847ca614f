/// Names one epoch of a profile: a generation of the places it covers. A higher epoch replaces what was written in a
/// lower one.
///
/// The order is (number, kind, stamp, origin), so that devices without a connection choose the same one of two epochs.
public struct EpochID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The kind of event that began an epoch. At equal numbers a reset wins over a restore.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Nothing began: the time before the first epoch. Only steps above it have this kind (``init(after:)``), and
        /// nobody may declare it.
        case beginning = 0
        /// Former values are put back: a backup was restored, a merge was undone.
        case restore = 1
        /// A part of the profile started over.
        case reset = 2
    }

    /// One more than the largest epoch number that its writer knew.
    public let number: UInt64
    /// The kind of event that began it.
    public let kind: Kind
    /// When it began. A reset has no time, because equal resets share an id whenever and wherever they were made: its
    /// stamp is 0 if it starts from nothing, 1 if it starts from a document.
    public let stamp: Stamp
    /// The replica that began it; for a reset, a hash of its places and start values, so that equal resets share an id.
    public let origin: ReplicaID

    /// An id from its parts.
    public init(number: UInt64, kind: Kind, stamp: Stamp, origin: ReplicaID) {
        self.number = number
        self.kind = kind
        self.stamp = stamp
        self.origin = origin
    }

    static let fromNothing = Stamp(rawValue: 0)
    static let fromDocument = Stamp(rawValue: 1)

    /// Whether the places it covers begin with nothing earned and nothing unlocked. Otherwise they begin with the
    /// values of a document, and a place that the document lacks is absent.
    var isFromNothing: Bool { kind == .reset && stamp == Self.fromNothing }

    /// Bytes of the encoded form.
    public static let byteCount = 33

    /// 8 bytes number, 1 byte kind, 8 bytes stamp, 16 bytes origin, each most significant first: the order of the bytes
    /// is the order of the ids.
    public var bytes: [UInt8] {
        Self.bigEndian(number) + [kind.rawValue] + Self.bigEndian(stamp.rawValue) + origin.bytes
    }

    /// Reads the encoded form; `nil` for anything else.
    public init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount, let kind = Kind(rawValue: bytes[8]),
            let origin = ReplicaID(bytes: bytes[17...])
        else { return nil }
        func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(
            number: integer(bytes[..<8]), kind: kind, stamp: Stamp(rawValue: integer(bytes[9..<17])), origin: origin)
    }

    /// The epoch just above another one (above none: the one just above epoch 0). It is never declared: it orders atoms
    /// and covers no places. No reset or restore takes this id, since those raise the number.
    init(after id: EpochID?) {
        self = (id ?? Self.zero).raised(by: 1)
    }

    /// The epoch so many steps above this one, see ``init(after:)``.
    private func raised(by steps: UInt64) -> EpochID {
        let (low, isCarrying) = origin.low.addingReportingOverflow(steps)
        let origin = ReplicaID(high: origin.high &+ (isCarrying ? 1 : 0), low: low)
        return EpochID(number: number, kind: kind, stamp: stamp, origin: origin)
    }

    /// How many steps the epochs of corrected starts are from one another, see ``corrected(above:)``.
    private static let correctedSteps: UInt64 = 256

    /// The epoch of a start that a change of rules corrects, above this one: a multiple of so many steps above a declared one,
    /// as no epoch is that a removal begins. So a reader knows what began it. `nil` where half of the allowed steps are used.
    ///
    /// - Parameter declared: The declared epoch that this one is steps above; `nil` for epoch 0.
    func corrected(above declared: EpochID?) -> EpochID? {
        let base = declared ?? Self.zero
        let next = (origin.low &- base.origin.low) / Self.correctedSteps + 1
        return next <= Self.stepLimit / 2 / Self.correctedSteps ? base.raised(by: next * Self.correctedSteps) : nil
    }

    /// Whether a start in this epoch was corrected, see ``corrected(above:)``.
    func isCorrected(above declared: EpochID?) -> Bool {
        let steps = origin.low &- (declared ?? Self.zero).origin.low
        return steps > 0 && steps.isMultiple(of: Self.correctedSteps)
    }

    /// Before every other one. Nobody declares it.
    static let zero = EpochID(number: 0, kind: .beginning, stamp: Stamp(rawValue: 0), origin: .init(high: 0, low: 0))

    /// The epoch half of the allowed steps above another one. An element that needs further steps is taken only where this
    /// epoch is allowed, so that enough of them are left.
    init(halfwayFrom id: EpochID?) {
        self = id?.raised(by: Self.stepLimit / 2) ?? EpochID(after: nil).raised(by: Self.stepLimit / 2)
    }

    /// The largest number of epochs just above an epoch, each above the one before.
    private static let stepLimit: UInt64 = 1 << 20

    /// Whether this epoch is reached from another one by ``init(after:)``, or is that one.
    func isStep(above other: EpochID) -> Bool {
        guard (number, kind, stamp) == (other.number, other.kind, other.stamp), origin >= other.origin else {
            return false
        }
        let (low, isBorrowing) = origin.low.subtractingReportingOverflow(other.origin.low)
        return origin.high &- other.origin.high == (isBorrowing ? 1 : 0) && low <= Self.stepLimit
    }

    /// By number, then kind, then stamp, then origin: the larger one is in force.
    public static func < (a: EpochID, b: EpochID) -> Bool {
        if a.number != b.number { return a.number < b.number }
        if a.kind != b.kind { return a.kind.rawValue < b.kind.rawValue }
        if a.stamp != b.stamp { return a.stamp < b.stamp }
        return a.origin < b.origin
    }

    /// Kind, number and the beginning of the origin, for logs.
    public var description: String { "\(kind) \(number) \(origin.hex.prefix(8))" }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) }
    }
}

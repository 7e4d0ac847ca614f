/// Something that is not as it was promised.
public struct HouseholdFinding: Hashable, Sendable, CustomStringConvertible {
    /// The promises that the checkers hold a household to.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// All files hold the same when all is quiet.
        case converged
        /// One writer: the others have its save.
        case identity
        /// Each place has the value that its rule gives.
        case place
        /// Nothing that a game wrote is lost.
        case lost
        /// No value appears that no game wrote and no rule made.
        case invented
        /// What `hearth status` and `hearth sync` say is true.
        case status
        /// What the developer says always holds.
        case invariant
        /// A device or a game does not work at all, or a step cannot do what it says.
        case trouble
    }

    /// Which promise is broken.
    public let kind: Kind
    /// The device on which it shows; `nil` where it is no single one.
    public let device: String?
    /// The place in the save, named as in a ``SaveEdit``, or the name of the invariant; `nil` where it is neither.
    public let place: String?
    /// What should be there, where that is known.
    public let expected: String?
    /// What is there.
    public let found: String?
    /// One sentence that says what is wrong.
    public let message: String

    init(
        _ kind: Kind, device: String? = nil, place: String? = nil, expected: String? = nil, found: String? = nil,
        message: String
    ) {
        (self.kind, self.device, self.place) = (kind, device, place)
        (self.expected, self.found, self.message) = (expected, found, message)
    }

    /// Whether two findings are of one fault, as far as can be told: a run that was made shorter must show the same one.
    func isLike(_ other: HouseholdFinding) -> Bool {
        kind == other.kind && place == other.place && (kind != .trouble || message == other.message)
    }

    /// `deck: lost: /coins is 50 and should be 70`.
    public var description: String {
        "\(device.map { "\($0): " } ?? "")\(kind.rawValue): \(message)"
    }
}

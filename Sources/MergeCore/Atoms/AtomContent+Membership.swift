import LosslessJSON

/// The causal length of a set's element: how often it was put in and taken out.
extension AtomContent {
    /// The largest causal length that is taken from another device. Only a device that lies comes near it.
    static let lengthLimit: UInt64 = 1 << 62

    /// The length from which on the next write of the element begins anew, in the epoch just above
    /// (``ProfileState/epoch(for:besides:)``): a write adds 2 at most, and one beyond the limit would be refused everywhere.
    static let lastLength = lengthLimit - 1

    /// The membership that follows one of a given length; from ``lastLength`` on, the first one of its parity.
    ///
    /// - Parameter step: 1 or 2.
    static func membership(after length: UInt64, adding step: UInt64, _ element: JSONValue) -> AtomContent {
        guard length >= lastLength else { return .membership(length: length + step, element) }
        return .membership(length: (length & 1) ^ (step & 1) == 1 ? 1 : 2, element)
    }
}

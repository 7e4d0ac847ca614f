import LosslessJSON

/// The causal length of a set's element: how often it was put in and taken out.
extension AtomContent {
    /// The largest causal length that is taken from another device. Only a device that lies reaches it, and from there on
    /// the element begins anew, in the epoch just above (``ProfileState/epoch(for:besides:)``): else nobody could take it
    /// out any more.
    static let lengthLimit: UInt64 = 1 << 62

    /// The membership that follows one of a given length; at the limit, the first one of its parity.
    static func membership(after length: UInt64, adding step: UInt64, _ element: JSONValue) -> AtomContent {
        guard length >= lengthLimit else { return .membership(length: length + step, element) }
        return .membership(length: (length & 1) ^ (step & 1) == 1 ? 1 : 2, element)
    }
}

/// The end of a link because one of its two devices cannot store what came in. That device says so in its goodbye.
enum StorageEnd: Hashable, Sendable {
    /// This device cannot store it.
    case here
    /// The other device cannot.
    case there

    /// The reason in the goodbye.
    static let reason = "the record cannot be written"

    /// Fails where a link ended for another reason.
    ///
    /// - Parameter end: Why it ended. The reason of the other device stands at the end of a sentence about it.
    init?(_ end: String) {
        guard end.hasSuffix(Self.reason) else { return nil }
        self = end == Self.reason ? .here : .there
    }
}

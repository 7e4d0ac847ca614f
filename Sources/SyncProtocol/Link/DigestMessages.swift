package import MergeCore

/// A question for the digests of runs of writes.
package struct DigestQuestion: Hashable, Sendable {
    package let profile: ProfileID
    /// Replicas ascending, each once, at most ``Limits/spans``.
    package let spans: [WriteSpan]

    package init(profile: ProfileID, spans: [WriteSpan]) { (self.profile, self.spans) = (profile, spans) }
}

/// The answer to a ``DigestQuestion``.
package struct DigestAnswer: Hashable, Sendable {
    /// For each span the digest of its atoms (``SpanDigest``); `nil` where the peer cannot answer for the replica.
    package let hashes: [[UInt8]?]
    /// The digest of the vector that the peer covers.
    package let vector: [UInt8]

    package init(hashes: [[UInt8]?], vector: [UInt8]) { (self.hashes, self.vector) = (hashes, vector) }
}

/// The state of a link about digests: the open question in each direction.
struct DigestExchange {
    /// This side's open question.
    var asked: DigestQuestion?
    /// The number of spans of the peer's open question.
    var asking: Int?
}

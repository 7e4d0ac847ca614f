/// The major versions of the protocols of this module.
package enum ProtocolVersion {
    /// The version of the sync protocol (ALPN `hearth/1`).
    package static let sync: UInt32 = 1
    /// The version of the pairing protocol (ALPN `hearth-pair/1`).
    package static let pairing: UInt32 = 1

    /// The sentence for people when two devices speak different versions. It names the one to update.
    package static func mismatch(peer: String, theirs: UInt32, ours: UInt32) -> String {
        let older = theirs > ours ? "this device" : "“\(peer)”"
        return "“\(peer)” speaks version \(theirs) \(phrase) \(ours): update \(older)."
    }

    /// Whether the end of a link has such a sentence as its reason, from either side.
    package static func isMismatch(_ reason: String) -> Bool { reason.contains(phrase) }

    private static let phrase = "of the protocol and this device version"
}

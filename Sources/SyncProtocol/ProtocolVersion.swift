/// The major versions of what this module speaks.
package enum ProtocolVersion {
    /// Of the sync protocol (ALPN `hearth/1`).
    package static let sync: UInt32 = 1
    /// Of pairing (ALPN `hearth-pair/1`).
    package static let pairing: UInt32 = 1

    /// What to tell people when two devices do not speak the same.
    static func mismatch(peer: String, theirs: UInt32, ours: UInt32) -> String {
        let older = theirs > ours ? "this device" : "“\(peer)”"
        return "“\(peer)” speaks version \(theirs) of the protocol and this device version \(ours): update \(older)."
    }
}

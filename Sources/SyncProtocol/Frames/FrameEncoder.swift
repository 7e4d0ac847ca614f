/// Puts the length in front of a message: 4 bytes, most significant first.
package enum FrameEncoder {
    package static func frame(_ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count <= Limits.frame, "a frame of \(payload.count) bytes is beyond the limit")
        let size = UInt32(payload.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 4)
        for shift in [UInt32(24), 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
        bytes += payload
        return bytes
    }
}

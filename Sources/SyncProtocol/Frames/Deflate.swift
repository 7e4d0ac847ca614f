import ZlibStreams

/// Compresses and inflates fields of the wire: whole zlib streams (RFC 1950).
package enum Deflate {
    /// `bytes` as one zlib stream. Deterministic for one version of the library.
    ///
    /// - Parameter level: 1 (fastest) to 9 (smallest). The columns of a delta are 5 % smaller at level 6 than at level
    ///   1, for twice the time.
    package static func compressed(_ bytes: [UInt8], level: Int32 = 1) -> [UInt8] {
        ZlibStream.compressed(bytes, level: level)
    }

    /// Inflates a zlib stream that came from outside, and returns its content.
    ///
    /// - Parameter limit: Bytes that the content may have at most. Memory is taken step by step, never for more than
    ///   one byte beyond the limit.
    /// - Throws: ``ProtocolFault`` for anything that is not exactly one stream, and for one that holds more.
    package static func inflated(_ bytes: [UInt8], limit: Int) throws(ProtocolFault) -> [UInt8] {
        do {
            return try ZlibStream.inflated(bytes, limit: limit)
        } catch {
            switch error {
            case .tooLarge: throw ProtocolFault("a compressed field holds more than \(limit) bytes")
            case .notAStream: throw ProtocolFault("a compressed field is no zlib stream")
            }
        }
    }
}

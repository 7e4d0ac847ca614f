import ZlibStreams

/// Compressed fields of the wire: whole zlib streams (RFC 1950).
package enum Deflate {
    /// What `bytes` come to. Deterministic for one version of the library.
    ///
    /// - Parameter level: 1, fastest, to 9, smallest. Columns of a delta come out 5 % smaller at 6 than at 1, for twice
    ///   the time.
    package static func compressed(_ bytes: [UInt8], level: Int32 = 1) -> [UInt8] {
        ZlibStream.compressed(bytes, level: level)
    }

    /// What a stream from outside holds.
    ///
    /// - Parameter limit: Bytes it may hold at most. Memory is taken step by step, never for more than one byte beyond.
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

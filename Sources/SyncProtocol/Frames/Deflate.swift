import CZlib

/// Zlib streams (RFC 1950), whole ones, through the system's library.
package enum Deflate {
    /// What `bytes` come to. Deterministic for one version of the library.
    ///
    /// - Parameter level: 1, fastest, to 9, smallest. Columns of a delta come out 5 % smaller at 6 than at 1, for twice the
    ///   time.
    package static func compressed(_ bytes: [UInt8], level: Int32 = 1) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let result = compress2(buffer.baseAddress, &size, bytes, uLong(bytes.count), level)
            precondition(result == Z_OK, "zlib cannot compress \(bytes.count) bytes: \(result)")
            count = Int(size)
        }
    }

    /// What a stream from outside holds.
    ///
    /// - Parameter limit: Bytes it may hold at most. Memory is taken step by step, never for more than one byte beyond.
    /// - Throws: ``ProtocolFault`` for anything that is not exactly one stream, and for one that holds more.
    package static func inflated(_ bytes: [UInt8], limit: Int) throws(ProtocolFault) -> [UInt8] {
        var stream = z_stream()
        let start = inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(start == Z_OK, "zlib cannot begin: \(start)")
        defer { inflateEnd(&stream) }
        var result = [UInt8](repeating: 0, count: min(limit + 1, max(1_024, 4 * bytes.count)))
        var produced = 0
        var status = Z_OK
        bytes.withUnsafeBufferPointer { input in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = uInt(input.count)
            while status == Z_OK, produced <= limit {
                if produced == result.count {
                    result += repeatElement(0, count: min(result.count, limit + 1 - result.count))
                }
                result.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress! + produced
                    stream.avail_out = uInt(output.count - produced)
                    status = inflate(&stream, Z_NO_FLUSH)
                    produced = output.count - Int(stream.avail_out)
                }
            }
        }
        guard produced <= limit else { throw ProtocolFault("a compressed field holds more than \(limit) bytes") }
        guard status == Z_STREAM_END, stream.avail_in == 0 else {
            throw ProtocolFault("a compressed field is no zlib stream")
        }
        result.removeLast(result.count - produced)
        return result
    }
}

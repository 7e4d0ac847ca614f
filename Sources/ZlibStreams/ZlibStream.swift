import CZlib

/// Why bytes are not the zlib stream they should be.
package enum ZlibFault: Error, Hashable, Sendable {
    /// More bytes than the limit would come out of it.
    case tooLarge(limit: Int)
    /// The bytes are damaged, or are not exactly one stream.
    case notAStream
}

/// Compresses and decompresses whole zlib streams (RFC 1950) with the system's library.
package enum ZlibStream {
    /// Compresses bytes. Within one version of the library, the same bytes always give the same stream.
    ///
    /// - Parameter level: 1, fastest, to 9, smallest.
    package static func compressed(_ bytes: [UInt8], level: Int32 = 1) -> [UInt8] {
        var size = compressBound(uLong(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            let result = compress2(buffer.baseAddress, &size, bytes, uLong(bytes.count), level)
            precondition(result == Z_OK, "zlib cannot compress \(bytes.count) bytes: \(result)")
            count = Int(size)
        }
    }

    /// Decompresses a stream that came from outside.
    ///
    /// - Parameter limit: The most bytes that may come out of it. Memory is taken step by step, at most one byte more.
    package static func inflated(_ bytes: [UInt8], limit: Int) throws(ZlibFault) -> [UInt8] {
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
        guard produced <= limit else { throw .tooLarge(limit: limit) }
        guard status == Z_STREAM_END, stream.avail_in == 0 else { throw .notAStream }
        result.removeLast(result.count - produced)
        return result
    }

    /// The CRC-32 of RFC 1952. It finds accidental damage, and does not protect from anybody who wants to deceive.
    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let value = bytes.withContiguousStorageIfAvailable { checksum(of: $0) }
        return value ?? Array(bytes).withUnsafeBufferPointer { checksum(of: $0) }
    }

    private static func checksum(of buffer: UnsafeBufferPointer<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32_z(0, buffer.baseAddress, buffer.count))
    }
}

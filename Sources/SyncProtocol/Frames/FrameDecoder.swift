/// An error of a stream of bytes: a frame's header announces more bytes than are allowed, or none.
package struct FrameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The length that the frame's header announced, in bytes.
    package let announced: UInt32
    package let limit: Int

    package var description: String {
        announced == 0
            ? "an empty frame came, which says nothing"
            : "a frame of \(announced) bytes was announced where at most \(limit) are taken"
    }
}

/// Cuts a stream of bytes into frames. The bytes may arrive in any slices.
///
/// A length beyond the limit is refused as soon as the header's fourth byte is there. Memory is never taken for an
/// announced length, only for bytes that have arrived. A caller that empties the decoder with ``next()`` after each
/// ``append(_:)`` never holds more than one limit and one slice.
package struct FrameDecoder: Sendable {
    /// The largest length of the next frame, in bytes. May be raised between two calls of ``next()``.
    package var limit: Int
    private var buffer: [UInt8] = []
    private var start = 0

    package init(limit: Int) { self.limit = limit }

    /// The number of bytes that wait for the rest of their frame.
    package var buffered: Int { buffer.count - start }

    package mutating func append(_ bytes: [UInt8]) {
        if start == buffer.count {
            buffer = bytes
            start = 0
            return
        }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer += bytes
    }

    /// The next whole frame without its header; `nil` until more bytes come.
    ///
    /// - Throws: ``FrameError`` for a length of 0 or beyond the limit, and again at every later call.
    package mutating func next() throws(FrameError) -> [UInt8]? {
        guard buffered >= 4 else { return nil }
        let size = buffer[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard (1...limit).contains(Int(size)) else { throw FrameError(announced: size, limit: limit) }
        guard buffered - 4 >= Int(size) else { return nil }
        let frame = Array(buffer[start + 4..<start + 4 + Int(size)])
        start += 4 + Int(size)
        if start == buffer.count {
            buffer = []
            start = 0
        }
        return frame
    }
}

import SwiftProtobuf

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Data {
    var array: [UInt8] { [UInt8](self) }
}

extension [UInt8] {
    /// The bytes in the type that generated messages use.
    var wire: Data { Data(self) }
}

extension ArraySlice<UInt8> {
    var wire: Data { Data(self) }
}

extension SwiftProtobuf.Message {
    /// Reads one message; unknown fields are dropped.
    init(wire bytes: [UInt8]) throws(ProtocolFault) {
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = 8
        options.discardUnknownFields = true
        do {
            try self.init(serializedBytes: bytes, options: options)
        } catch {
            throw ProtocolFault("a frame holds no message of this protocol")
        }
    }

    /// The message's bytes.
    var wireBytes: [UInt8] {
        do {
            return try serializedBytes()
        } catch {
            preconditionFailure("a proto3 message without required fields could not be written: \(error)")
        }
    }

    /// The message as one frame: its length, then its bytes.
    var framed: [UInt8] { FrameEncoder.frame(wireBytes) }
}

extension WireFrame {
    /// The bytes of one frame that holds `body`.
    static func bytes(_ body: OneOf_Body) -> [UInt8] {
        var frame = WireFrame()
        frame.body = body
        return frame.framed
    }
}

extension WirePairFrame {
    /// The bytes of one frame that holds `body`.
    static func bytes(_ body: OneOf_Body) -> [UInt8] {
        var frame = WirePairFrame()
        frame.body = body
        return frame.framed
    }
}

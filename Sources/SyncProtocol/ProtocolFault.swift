/// The error that the peer broke the protocol. The link ends; the sentence says what was wrong.
///
/// This module keeps three kinds of mistakes apart: its own (an assertion), the peer's (this error), and what may be
/// ignored (unknown fields and frames, an ack of a profile that is gone).
package struct ProtocolFault: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Why a request or an answer of the control interface cannot be read, in one sentence.
package struct ControlCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

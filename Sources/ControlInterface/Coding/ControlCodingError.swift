/// A request or an answer of the control interface cannot be read: one sentence that says what is wrong with it.
package struct ControlCodingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) { self.message = message }

    package var description: String { message }
}

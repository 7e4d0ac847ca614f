package import LosslessJSON

/// What stands against this device's value of a ``Choice``.
package struct OpenAlternative: Hashable, Sendable {
    /// What was set there.
    package let value: JSONValue
    /// The name of the device, where it is known.
    package let device: String?
    /// Milliseconds since 1970, where it is known.
    package let time: Int64?

    package init(_ value: JSONValue, device: String? = nil, time: Int64? = nil) {
        (self.value, self.device, self.time) = (value, device, time)
    }
}

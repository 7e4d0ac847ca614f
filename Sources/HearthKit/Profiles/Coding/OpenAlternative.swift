package import LosslessJSON

/// A value that another device set for a ``Choice`` which is still open.
package struct OpenAlternative: Hashable, Sendable {
    package let value: JSONValue
    /// The name of the device that set it, where known.
    package let device: String?
    /// When it was set, in milliseconds since 1970, where known.
    package let time: Int64?

    package init(_ value: JSONValue, device: String? = nil, time: Int64? = nil) {
        (self.value, self.device, self.time) = (value, device, time)
    }
}

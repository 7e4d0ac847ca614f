import MergeCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A decision of the player's: values that were set on several devices apart from each other are all kept until the
/// player chooses one.
///
/// ```swift
/// @Choice var ending: Ending?
///
/// if player.$ending.isOpen {
///     let others = player.$ending.alternatives       // value, device and time of each
///     player.$ending.decide(others[0].value)         // on every device
/// }
/// player.ending = .king                              // this device's value until then
/// ```
@propertyWrapper
public struct Choice<Value: Codable & Sendable>: Codable, Sendable, ChoiceWrapper {
    /// A value that another device set.
    public struct Alternative: Sendable {
        /// What that device chose. Pass it to ``Choice/decide(_:)`` to make it the value of every device.
        public let value: Value
        /// The name of the device that set it, where known.
        public let device: String?
        /// When it was set, where known.
        public let date: Date?
    }

    /// The value this device uses. Setting it does not decide an open choice: a game may set it at every move. See
    /// ``decide(_:)``.
    public var wrappedValue: Value
    /// The values other devices set, the newest first; empty where there is nothing to decide.
    public private(set) var alternatives: [Alternative] = []
    /// Whether the game called ``decide(_:)`` since the profile was read.
    private(set) var isDecided = false

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The choice itself, for ``isOpen``, ``alternatives`` and ``decide(_:)``.
    public var projectedValue: Choice {
        get { self }
        set { self = newValue }
    }

    /// Whether the player has something to decide.
    public var isOpen: Bool { !alternatives.isEmpty }

    /// Decides for every device: for one of the values that were set, or for a new one. A value that is set on another
    /// device without knowledge of the decision opens the choice again.
    public mutating func decide(_ value: Value) {
        (wrappedValue, alternatives, isDecided) = (value, [], true)
    }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.bare()
        guard let decoder = decoder as? ProfileDecoder else { return }
        // A value that this version of the game cannot read is not offered. Throwing here would keep the save from
        // opening.
        alternatives = decoder.alternatives().compactMap { other in
            guard let value = try? decoder.read(Value.self, other.value) else { return nil }
            return Alternative(
                value: value,
                device: other.device,
                date: other.time.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
            )
        }
    }

    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Choice" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .whole(MergeRule(.choice)) }
}

/// What the encoder asks a choice, whatever its value.
protocol ChoiceWrapper: FieldWrapper {
    var isDecided: Bool { get }
}

extension Choice where Value: ExpressibleByNilLiteral {
    /// A field that begins with nil.
    public init() { self.init(wrappedValue: nil) }
}

extension Choice.Alternative: Equatable where Value: Equatable {}
extension Choice.Alternative: Hashable where Value: Hashable {}

extension Choice: Equatable where Value: Equatable {
    /// Compares the values and the alternatives.
    public static func == (a: Self, b: Self) -> Bool {
        a.wrappedValue == b.wrappedValue && a.alternatives == b.alternatives
    }
}

extension Choice: Hashable where Value: Hashable {
    /// Hashes the value only.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

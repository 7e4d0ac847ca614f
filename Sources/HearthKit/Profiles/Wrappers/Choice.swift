import MergeCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A decision that is the player's: values that were set apart are all kept until the player chose one.
///
/// ```swift
/// @Choice var ending: Ending?
///
/// if player.$ending.isOpen {
///     let others = player.$ending.alternatives       // value, device and time of each
///     player.$ending.decide(others[0].value)         // stands on every device
/// }
/// player.ending = .king                              // what this device goes on with until then
/// ```
@propertyWrapper
public struct Choice<Value: Codable & Sendable>: Codable, Sendable, ChoiceWrapper {
    /// One of the values that stand against this device's.
    public struct Alternative: Sendable {
        /// What was set there.
        public let value: Value
        /// The name of the device that set it, where it is known.
        public let device: String?
        /// When, where it is known.
        public let date: Date?
    }

    /// What this device goes on with.
    public var wrappedValue: Value
    /// What else was set, the newest first; empty where nothing is to decide.
    public private(set) var alternatives: [Alternative] = []
    /// Whether the player chose since the profile was read.
    private(set) var isDecided = false

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// The choice itself.
    public var projectedValue: Choice {
        get { self }
        set { self = newValue }
    }

    /// Whether the player has something to decide.
    public var isOpen: Bool { !alternatives.isEmpty }

    /// Chooses for every device, one of the values that were set or another one. What was set apart after this opens
    /// the choice again. Setting the field alone decides nothing, since a game may set it at every move.
    public mutating func decide(_ value: Value) {
        (wrappedValue, alternatives, isDecided) = (value, [], true)
    }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.bare()
        guard let decoder = decoder as? ProfileDecoder else { return }
        // What this version of the game cannot read is none of its choices, and no reason not to open the save.
        alternatives = decoder.alternatives().compactMap { other in
            guard let value = try? decoder.read(Value.self, other.value) else { return nil }
            return Alternative(
                value: value,
                device: other.device,
                date: other.time.map { Date(timeIntervalSince1970: Double($0) / 1_000) }
            )
        }
    }

    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Choice" }
    static var contents: FieldContents { .oneValue }
    func declaration() -> FieldDeclaration { .whole(MergeRule(.choice)) }
}

/// What the encoder asks a choice.
protocol ChoiceWrapper: FieldWrapper {
    var isDecided: Bool { get }
}

extension Choice where Value: ExpressibleByNilLiteral {
    /// A field that begins without a value.
    public init() { self.init(wrappedValue: nil) }
}

extension Choice.Alternative: Equatable where Value: Equatable {}
extension Choice.Alternative: Hashable where Value: Hashable {}

extension Choice: Equatable where Value: Equatable {
    /// Compares the values and what stands against them.
    public static func == (a: Self, b: Self) -> Bool {
        a.wrappedValue == b.wrappedValue && a.alternatives == b.alternatives
    }
}

extension Choice: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

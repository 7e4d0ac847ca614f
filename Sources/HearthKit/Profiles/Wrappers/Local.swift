import MergeCore

/// A value that stays on this device: it is in the save, and is not synced. Backups contain it as well, and with
/// ``StoreOptions/sharesBackups`` other devices may hold copies of them.
///
/// ```swift
/// @Local var grid: Grid?
/// @Local var volume = 0.8
/// ```
@propertyWrapper
public struct Local<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field with its default value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the value without the wrapper.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the value without the wrapper.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Local" }
    static var contents: FieldContents { .local }
    func declaration() -> FieldDeclaration { .whole(MergeRule(.local)) }
}

extension Local where Value: ExpressibleByNilLiteral {
    /// A field that begins with nil.
    public init() { self.init(wrappedValue: nil) }
}

extension Local: Equatable where Value: Equatable {}
extension Local: Hashable where Value: Hashable {}

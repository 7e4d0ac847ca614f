import MergeCore

/// Stays on this device: it is in the save, and no other device hears of it. Backups hold it as well: it is on another
/// device where the player has them copied there (``StoreOptions/sharesBackups``).
///
/// ```swift
/// @Local var grid: Grid?
/// @Local var volume = 0.8
/// ```
@propertyWrapper
public struct Local<Value: Codable & Sendable>: Codable, Sendable, FieldWrapper {
    /// The value as the game sees it.
    public var wrappedValue: Value

    /// A field and the value it begins with.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Reads the bare value.
    public init(from decoder: any Decoder) throws { wrappedValue = try decoder.bare() }
    /// Writes the bare value.
    public func encode(to encoder: any Encoder) throws { try encoder.bare(wrappedValue) }

    static var attribute: String { "@Local" }
    static var contents: FieldContents { .local }
    func declaration() -> FieldDeclaration { .whole(MergeRule(.local)) }
}

extension Local where Value: ExpressibleByNilLiteral {
    /// A field that begins without a value.
    public init() { self.init(wrappedValue: nil) }
}

extension Local: Equatable where Value: Equatable {}
extension Local: Hashable where Value: Hashable {}

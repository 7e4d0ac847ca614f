/// Why there can be no household: one sentence that says what is wrong.
struct StageFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The most devices of one household: no device pairs with more.
    static let limit = 128

    static func check(_ names: [String]) throws(StageFault) {
        guard (1...limit).contains(names.count) else {
            throw StageFault("a household has 1 to \(limit) devices, and not \(names.count)")
        }
        guard Set(names).count == names.count, !names.contains("") else {
            throw StageFault("every device needs a name of its own: \(names.joined(separator: ", "))")
        }
    }
}

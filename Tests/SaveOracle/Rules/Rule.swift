/// A merge rule with its options, as `MergeRules.md` describes them.
package struct Rule: Sendable, Equatable {
    package enum Merge: String, Sendable, CaseIterable {
        case latest, max, min, counter, union, set, flag, furthest, choice, local
    }

    package enum Reading: String, Sendable { case number, date, bits }

    package var merge: Merge
    package var reading: Reading?
    package var format: String?
    /// Texts of the values that mean "nothing yet".
    package var none: [String] = []
    package var isWhole = false
    package var by: [String] = []
    package var sort: String?
    package var limit: Int?

    package init(_ merge: Merge, as reading: Reading? = nil) { (self.merge, self.reading) = (merge, reading) }

    package static let standard = Rule(.latest)

    /// Whether everything below the place is one value with it.
    package var takesAll: Bool { isWhole || merge == .furthest || merge == .choice || merge == .local }

    /// Whether what it stands on only grows by play.
    package var onlyGrows: Bool { [.max, .min, .union, .flag].contains(merge) }

    package var yaml: String {
        var options: [String] = []
        if let reading { options.append("as: \(reading.rawValue)") }
        if let format { options.append("format: \"\(format)\"") }
        if !none.isEmpty { options.append("none: [\(none.joined(separator: ", "))]") }
        if isWhole { options.append("whole: true") }
        if !by.isEmpty { options.append("by: [\(by.joined(separator: ", "))]") }
        if let sort { options.append("sort: \(sort)") }
        if let limit { options.append("limit: \(limit)") }
        return options.isEmpty
            ? merge.rawValue : "{" + (["merge: \(merge.rawValue)"] + options).joined(separator: ", ") + "}"
    }
}

import Libc

/// How much a test tries where more tries find more: the word that `Tests/run` was given. Every promise and every kind
/// of test is in each depth; only seeds and repetitions differ.
package enum TestDepth: String {
    /// A developer waits for it.
    case quick
    /// What continuous integration runs, and what runs where nothing is said.
    case usual
    /// Everything, at night.
    case all

    /// The depth that the variable `HEARTH_TEST_DEPTH` names.
    package static let current: Self = {
        guard let word = getenv("HEARTH_TEST_DEPTH").map({ String(cString: $0) }) else { return .usual }
        guard let depth = Self(rawValue: word) else {
            preconditionFailure("HEARTH_TEST_DEPTH is \(word); it may be quick, usual or all")
        }
        return depth
    }()

    /// The number of tries at this depth.
    package static func count(quick: Int, usual: Int, all: Int) -> Int {
        switch current {
        case .quick: quick
        case .usual: usual
        case .all: all
        }
    }
}
